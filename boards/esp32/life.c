// SPDX-License-Identifier: MIT
/*
 * Natives of application.js: restart and confirmation of an image, memory that survives a restart, crash summary, heap figures, and console
 * output in release builds.
 */
#include "sdkconfig.h"
#include "xsmc.h"
#include "mc.xs.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "driver/gpio.h"
#include "esp_attr.h"
#include "esp_heap_caps.h"
#include "esp_partition.h"
#include "esp_system.h"
#include "retained.h"
#if CONFIG_ESP_COREDUMP_ENABLE_TO_FLASH
/* The SDK's makefile has the components folder as include path; the chip-specific folder of this component comes from the board's manifest. */
#include "espcoredump/include/esp_core_dump.h"
#endif

/* ESP-IDF's app_update: the SDK's makefile does not have its folder as include path. */
extern esp_err_t esp_ota_mark_app_valid_cancel_rollback(void);
extern esp_err_t esp_ota_mark_app_invalid_rollback_and_reboot(void);
extern const esp_partition_t *esp_ota_get_running_partition(void);

/* RTC memory that the start-up code does not initialize: random after power-on, preserved by every other reset. */
static RTC_NOINIT_ATTR uint8_t kept[KEPT_BYTES];

uint8_t *retained(void)
{
	return kept;
}

void sayAbort(const char *text)
{
	fputs("script aborted: ", stdout);
	fputs(text, stdout);
	fputs("\n", stdout);
	fflush(stdout);
}

void restartAborted(void)
{
	esp_restart();
}

/* Called once: the hook of abort.c misses stack overflows. */
void xs_life_watch(xsMachine *the)
{
	esp_register_shutdown_handler(noteRestart);
}

/* The range of the retained memory for the bytes of xsArg(0) at xsArg(1). */
static uint8_t *keptPart(xsMachine *the, void **bytes, xsUnsignedValue *length)
{
	xsIntegerValue at = xsmcToInteger(xsArg(1));
	xsmcGetBufferWritable(xsArg(0), bytes, length);
	if (at < 0 || *length > KEPT_BYTES || at > (xsIntegerValue)(KEPT_BYTES - *length))
		xsRangeError("beyond the end");
	return kept + at;
}

void xs_life_recall(xsMachine *the)
{
	void *bytes;
	xsUnsignedValue length;
	uint8_t *part = keptPart(the, &bytes, &length);
	memcpy(bytes, part, length);
}

void xs_life_keep(xsMachine *the)
{
	void *bytes;
	xsUnsignedValue length;
	uint8_t *part = keptPart(the, &bytes, &length);
	memcpy(part, bytes, length);
}

void xs_life_confirm(xsMachine *the)
{
	esp_ota_mark_app_valid_cancel_rollback();
}

void xs_life_reject(xsMachine *the)
{
	expectRestart(true);
	esp_ota_mark_app_invalid_rollback_and_reboot();
	/* There is no other image. */
	expectRestart(false);
}

void xs_life_runningSlot(xsMachine *the)
{
	xsmcSetInteger(xsResult, esp_ota_get_running_partition()->address);
}

void xs_life_restart(xsMachine *the)
{
	expectRestart(true);
	esp_restart();
}

void xs_life_resetReason(xsMachine *the)
{
	xsmcSetInteger(xsResult, esp_reset_reason());
}

/* ESP-IDF keeps the time in RTC memory: Time.set sets it. */
void xs_life_utc(xsMachine *the)
{
	struct timeval now;
	gettimeofday(&now, NULL);
	xsmcSetNumber(xsResult, now.tv_sec);
}

/* store.c */
extern int32_t storeState(void);
extern bool storeErase(void);

void xs_life_storeState(xsMachine *the)
{
	xsmcSetInteger(xsResult, storeState());
}

void xs_life_eraseStore(xsMachine *the)
{
	xsmcSetBoolean(xsResult, storeErase());
}

void xs_life_release(xsMachine *the)
{
	gpio_reset_pin(xsmcToInteger(xsArg(0)));
}

/* Internal 8-bit-capable heap, bytes. 0: free, 1: minimum ever free, 2: largest free block. */
void xs_life_heap(xsMachine *the)
{
	const uint32_t caps = MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT;
	size_t bytes;
	switch (xsmcToInteger(xsArg(0))) {
		case 0: bytes = heap_caps_get_free_size(caps); break;
		case 1: bytes = heap_caps_get_minimum_free_size(caps); break;
		default: bytes = heap_caps_get_largest_free_block(caps);
	}
	xsmcSetInteger(xsResult, bytes);
}

/* Writes to the console (CONFIG_ESP_CONSOLE_UART): in a release build the SDK's trace has no output. */
void xs_life_say(xsMachine *the)
{
	fputs(xsmcToString(xsArg(0)), stdout);
	fflush(stdout);
}

#define CRASH_BYTES 160

/* Task, PC and, on Xtensa, backtrace of the last crash; empty without a core dump. */
void xs_life_crash(xsMachine *the)
{
	char text[CRASH_BYTES] = "";
#if CONFIG_ESP_COREDUMP_ENABLE_TO_FLASH
	esp_core_dump_summary_t *summary = malloc(sizeof *summary);
	if (summary && ESP_OK == esp_core_dump_get_summary(summary)) {
		int length = snprintf(text, CRASH_BYTES, "%.15s, pc 0x%08lx", summary->exc_task, (unsigned long)summary->exc_pc);
#if CONFIG_IDF_TARGET_ARCH_XTENSA
		for (uint32_t frame = 0; frame < summary->exc_bt_info.depth && frame < 16 && length < CRASH_BYTES - 12; frame++)
			length += snprintf(text + length, CRASH_BYTES - length, " 0x%08lx", (unsigned long)summary->exc_bt_info.bt[frame]);
#else
		snprintf(text + length, CRASH_BYTES - length, ", ra 0x%08lx", (unsigned long)summary->ex_info.ra);
#endif
	}
	free(summary);
#endif
	xsmcSetString(xsResult, text);
}

/* Erases the core dump. Separate, because the script stands still for the 8 sectors: a third of a second, in which the relay's pin must be driven. */
void xs_life_forgetCrash(xsMachine *the)
{
#if CONFIG_ESP_COREDUMP_ENABLE_TO_FLASH
	esp_core_dump_image_erase();
#endif
}

/*
 * ESP-IDF functions wrapped for the SDK's FFI (boards/esp32/application.js): memory that survives a restart, crash summary, heap figures,
 * and console output in release builds.
 */
#include "sdkconfig.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "esp_attr.h"
#include "esp_heap_caps.h"
#if CONFIG_ESP_COREDUMP_ENABLE_TO_FLASH
/* The SDK's makefile has the components folder as include path; the chip-specific folder of this component comes from the board's manifest. */
#include "espcoredump/include/esp_core_dump.h"
#endif

/* Same as in src/health/limits.ts; a test compares them. */
#define KEPT_BYTES 3088

/* RTC memory that the start-up code does not initialize: random after power-on, preserved by every other reset. */
static RTC_NOINIT_ATTR uint8_t kept[KEPT_BYTES];

static bool isInside(int32_t at, int32_t length)
{
	return at >= 0 && length >= 0 && length <= KEPT_BYTES && at <= KEPT_BYTES - length;
}

int32_t lifeRecall(uint8_t *bytes, int32_t at, int32_t length)
{
	if (!isInside(at, length))
		return 0;
	memcpy(bytes, kept + at, length);
	return 1;
}

int32_t lifeKeep(uint8_t *bytes, int32_t at, int32_t length)
{
	if (!isInside(at, length))
		return 0;
	memcpy(kept + at, bytes, length);
	return 1;
}

/* Internal 8-bit-capable heap, bytes. 0: free, 1: minimum ever free, 2: largest free block. */
uint32_t lifeHeap(int32_t what)
{
	const uint32_t caps = MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT;
	switch (what) {
		case 0: return heap_caps_get_free_size(caps);
		case 1: return heap_caps_get_minimum_free_size(caps);
		default: return heap_caps_get_largest_free_block(caps);
	}
}

/* Writes to the console (CONFIG_ESP_CONSOLE_UART): in a release build the SDK's trace has no output. */
void lifeSay(char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

#define CRASH_BYTES 160

/* Task, PC and, on Xtensa, backtrace of the last crash; empty without a core dump. The FFI frees the string. */
char *lifeCrash(void)
{
	char *text = calloc(1, CRASH_BYTES);
#if CONFIG_ESP_COREDUMP_ENABLE_TO_FLASH
	esp_core_dump_summary_t *summary = text ? malloc(sizeof *summary) : NULL;
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
	return text;
}

/* Erases the core dump. Separate, because the script stands still for the 13 sectors: half a second, in which the relay's pin must be driven. */
void lifeForgetCrash(void)
{
#if CONFIG_ESP_COREDUMP_ENABLE_TO_FLASH
	esp_core_dump_image_erase();
#endif
}

// SPDX-License-Identifier: MIT
/*
 * The natives of boards/esp32/application.js, in place of boards/esp32/life.c. The file named by BMS_KEPT holds what the chip keeps across a restart: the
 * retained memory, why the last run ended, and where it crashed. Without it, every run starts with a power-on.
 *
 * A run ends with a restart, the end of standard input (a power cut), SIGALRM (the task watchdog) or SIGPWR (a brown-out), or XS's abort, which the chip reports as
 * a restart by software; any other end is a panic.
 */
#include "xsAll.h"
#include "mc.xs.h"
#include "xsmc.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../boards/esp32/retained.h"
#include "life.h"

#define CRASH_BYTES 160
/* RAM after power-on. */
#define NOISE 0xA5
#define HEAP_FIGURES 3

typedef struct {
	uint8_t kept[KEPT_BYTES];
	/* The next run's reset reason; 0: there was no run. */
	int32_t next;
	char crash[CRASH_BYTES];
} Life;

static Life own;
static Life* life = &own;
static int32_t reason;
static int32_t heap[HEAP_FIGURES];
static int hasHeap;

void endLife(int32_t next, const char* crash)
{
	life->next = next;
	snprintf(life->crash, CRASH_BYTES, "%s", crash);
}

static void bite(int signal)
{
	endLife(signal == SIGALRM ? RESET_TASK_WATCHDOG : RESET_BROWN_OUT, signal == SIGALRM ? "main" : "");
	_exit(EXIT_ABORT);
}

void openLife(void)
{
	const char* path = getenv("BMS_KEPT");
	if (path) {
		int file = open(path, O_RDWR | O_CREAT, 0600);
		void* bytes = MAP_FAILED;
		if (file >= 0 && !ftruncate(file, sizeof(Life)))
			bytes = mmap(NULL, sizeof(Life), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		if (bytes == MAP_FAILED) {
			fprintf(stderr, "BMS_KEPT: %s\n", strerror(errno));
			exit(EXIT_ABORT);
		}
		close(file);
		life = bytes;
	}
	reason = life->next ? life->next : RESET_POWER_ON;
	if (reason == RESET_POWER_ON)
		memset(life->kept, NOISE, KEPT_BYTES);
	life->next = RESET_PANIC;
	signal(SIGALRM, bite);
	signal(SIGPWR, bite);
}

/* resetReason(): esp_reset_reason_t. */
void xs_life_resetReason(xsMachine* the)
{
	xsmcSetInteger(xsResult, reason);
}

/* utc(): the program has no clock of its own; the host's is none that a time server or the owner has set. */
void xs_life_utc(xsMachine* the)
{
	xsmcSetInteger(xsResult, 0);
}

/* crash(): where the last run crashed; empty if it did not. */
void xs_life_crash(xsMachine* the)
{
	xsmcSetString(xsResult, life->crash);
}

/* forgetCrash(): the next run does not report this crash again. */
void xs_life_forgetCrash(xsMachine* the)
{
	*life->crash = 0;
}

uint8_t* retained(void)
{
	return life->kept;
}

void sayAbort(const char* text)
{
	fprintf(stderr, "script aborted: %s\n", text);
}

/* As the chip's: esp_restart calls its shutdown handlers. */
void restartAborted(void)
{
	noteRestart();
	endLife(RESET_SOFTWARE, "");
	exit(EXIT_ABORT);
}

void xs_life_watch(xsMachine* the)
{
}

/* No updates here: there is a single image. */
void xs_life_confirm(xsMachine* the)
{
}

void xs_life_runningSlot(xsMachine* the)
{
	xsmcSetInteger(xsResult, 0);
}

/* The program cannot restart itself: it ends, and its parent starts it again. */
void xs_life_restart(xsMachine* the)
{
	expectRestart(true);
	puts("restart");
	fflush(stdout);
	endLife(RESET_SOFTWARE, "");
	quitProgram();
}

void xs_life_reject(xsMachine* the)
{
	xs_life_restart(the);
}

/* Each value is a file: no set-up needed. */
void xs_life_storeState(xsMachine* the)
{
	xsmcSetInteger(xsResult, 0);
}

/* Each value is a file: nothing of what was deleted is left in it. */
void xs_life_eraseStore(xsMachine* the)
{
	xsmcSetBoolean(xsResult, 1);
}

void xs_life_release(xsMachine* the)
{
}

/* Standard error, where the SDK's trace writes too. */
void xs_life_say(xsMachine* the)
{
	fputs(xsmcToString(xsArg(0)), stderr);
}

/* The range of the retained memory for the bytes of xsArg(0) at xsArg(1). */
static uint8_t* keptPart(xsMachine* the, void** bytes, xsUnsignedValue* length)
{
	xsIntegerValue at = xsmcToInteger(xsArg(1));
	xsmcGetBufferWritable(xsArg(0), bytes, length);
	if (at < 0 || *length > KEPT_BYTES || at > (xsIntegerValue)(KEPT_BYTES - *length))
		xsRangeError("beyond the end");
	return life->kept + at;
}

/* recall(bytes, at) */
void xs_life_recall(xsMachine* the)
{
	void* bytes;
	xsUnsignedValue length;
	uint8_t* part = keptPart(the, &bytes, &length);
	memcpy(bytes, part, length);
}

/* keep(bytes, at) */
void xs_life_keep(xsMachine* the)
{
	void* bytes;
	xsUnsignedValue length;
	uint8_t* part = keptPart(the, &bytes, &length);
	memcpy(part, bytes, length);
}

/* setHeap(free, least, block): simulated heap figures, bytes. */
void xs_linux_setHeap(xsMachine* the)
{
	for (int what = 0; what < HEAP_FIGURES; what++)
		heap[what] = xsmcToInteger(xsArg(what));
	hasHeap = 1;
}

/* heap(what): one of these figures; undefined until set. */
void xs_life_heap(xsMachine* the)
{
	xsIntegerValue what = xsmcToInteger(xsArg(0));
	if (hasHeap && what >= 0 && what < HEAP_FIGURES)
		xsmcSetInteger(xsResult, heap[what]);
}

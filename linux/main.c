// SPDX-License-Identifier: MIT
/*
 * Main program of the Linux build (mcconfig -p x-cli-lin): clones the machine from the preloaded modules, runs the module "run" and then
 * glib's main loop, which drives the SDK's timers and sockets. The rest are the natives of the modules in this folder.
 */
#include "xsAll.h"
#include "mc.xs.h"
#include "xs.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>
#include "../boards/esp32/retained.h"
#include "life.h"

#define PAINT 0xA5

/* linux/clock.c */
extern void openClock(void);
extern void serialWritten(uint32_t bytes);
extern void serialRead(uint32_t bytes);

static GMainLoop* loop;

/* Does what the SDK's does on the chip with MODDEF_XS_ABORTHOOK (xs/platforms/esp/xsPlatform.c): reads and calls the global "abort" unless a stack overflowed. */
void fxAbort(xsMachine* the, int status)
{
	fprintf(stderr, "XS abort %d\n", status);
	if (status != XS_JAVASCRIPT_STACK_OVERFLOW_EXIT && status != XS_NATIVE_STACK_OVERFLOW_EXIT) {
		fxBeginHost(the);
		mxPush(mxException);
		txSlot* exception = the->stack;
		mxException.kind = XS_UNDEFINED_KIND;
		mxTry(the) {
			txID id = fxFindName(the, "abort");
			mxOverflow(-8);
			mxPush(mxGlobal);
			if (fxHasID(the, id)) {
				mxPush(mxGlobal);
				fxCallID(the, id);
				mxPushStringC(fxAbortString(status));
				mxPushSlot(exception);
				fxRunCount(the, 2);
				mxPop();
			}
		}
		mxCatch(the) {
		}
		fxEndHost(the);
	}
	/* Of the exception that has just been cleared. */
	if (status == XS_UNHANDLED_EXCEPTION_EXIT) {
		mxPush(mxException);
		mxGetID(mxID(_message));
	}
	restartAborted();
}

/* Memory sizes of the manifest, or of BMS_MEMORY: "slots,bytes of chunks,slots of stack". */
static xsCreation creation(void)
{
	xsCreation sizes = ((txPreparation*)xsPreparation())->creation;
	const char* wanted = getenv("BMS_MEMORY");
	if (wanted && *wanted && sscanf(wanted, "%d,%d,%d", &sizes.initialHeapCount, &sizes.initialChunkSize, &sizes.stackCount) != 3) {
		fprintf(stderr, "BMS_MEMORY: three numbers are wanted\n");
		exit(EXIT_ABORT);
	}
	return sizes;
}

int main(void)
{
	int failed = 0;
	xsCreation sizes = creation();
	/* The SDK's sockets may write to connections reset by the peer. */
	signal(SIGPIPE, SIG_IGN);
	openLife();
	openClock();
	loop = g_main_loop_new(NULL, FALSE);
	xsMachine* machine = fxPrepareMachine(&sizes, xsPreparation(), "firmware", NULL, NULL);
	/* Fills the stack with a pattern to measure its use (xs_linux_stack). */
	memset(machine->stackBottom, PAINT, (char*)machine->stack - (char*)machine->stackBottom);
	xsBeginHost(machine);
	{
		xsTry {
			xsResult = xsAwaitImport("run", XS_IMPORT_DEFAULT);
			xsCallFunction0(xsResult, xsGlobal);
		}
		xsCatch {
			fprintf(stderr, "%s\n", xsToString(xsException));
			failed = 1;
		}
	}
	xsEndHost(machine);
	if (!failed)
		g_main_loop_run(loop);
	xsDeleteMachine(machine);
	return failed;
}

static void throwErrno(xsMachine* the)
{
	xsUnknownError(strerror(errno));
}

/* environment(name): the variable's text, or undefined. */
void xs_linux_environment(xsMachine* the)
{
	const char* value = getenv(xsToString(xsArg(0)));
	if (value)
		xsResult = xsString(value);
}

/* random(length): that many bytes from the kernel's RNG. */
void xs_linux_random(xsMachine* the)
{
	xsIntegerValue length = xsToInteger(xsArg(0));
	xsResult = xsArrayBuffer(NULL, length);
	if (getrandom(xsToArrayBuffer(xsResult), length, 0) != length)
		throwErrno(the);
}

/* load(path): the file's text, or undefined if it does not exist. */
void xs_linux_load(xsMachine* the)
{
	gchar* text;
	gsize length;
	GError* error = NULL;
	if (g_file_get_contents(xsToString(xsArg(0)), &text, &length, &error)) {
		xsResult = xsStringBuffer(text, length);
		g_free(text);
		return;
	}
	gboolean absent = g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
	g_error_free(error);
	if (!absent)
		xsUnknownError("cannot be read");
}

/* store(path, text): replaces the file atomically. */
void xs_linux_store(xsMachine* the)
{
	const char* text = xsToString(xsArg(1));
	if (!g_file_set_contents_full(xsToString(xsArg(0)), text, -1,
			G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, NULL))
		xsUnknownError("cannot be written");
}

/* remove(path) */
void xs_linux_remove(xsMachine* the)
{
	if (unlink(xsToString(xsArg(0))) && errno != ENOENT)
		throwErrno(the);
}

/* say(text): to standard output. */
void xs_linux_say(xsMachine* the)
{
	fputs(xsToString(xsArg(0)), stdout);
	fflush(stdout);
}

#define PINS 64

/* Pin state. Kept in C because preloaded modules are read-only, as on the device. */
static struct {
	int driven, level, counts;
} pins[PINS];

static int pinOf(xsMachine* the)
{
	xsIntegerValue pin = xsToInteger(xsArg(0));
	if (pin < 0 || pin >= PINS)
		xsRangeError("no such pin");
	return pin;
}

/* level(pin): an undriven input is pulled up. */
void xs_linux_level(xsMachine* the)
{
	int pin = pinOf(the);
	xsResult = xsInteger(pins[pin].driven ? pins[pin].level : 1);
}

/* setLevel(pin, value) */
void xs_linux_setLevel(xsMachine* the)
{
	int pin = pinOf(the);
	pins[pin].driven = 1;
	pins[pin].level = xsToInteger(xsArg(1));
}

/* counts(pin): 0 to 4095. */
void xs_linux_counts(xsMachine* the)
{
	xsResult = xsInteger(pins[pinOf(the)].counts);
}

/* setCounts(pin, value) */
void xs_linux_setCounts(xsMachine* the)
{
	int pin = pinOf(the);
	pins[pin].counts = xsToInteger(xsArg(1));
}

typedef struct {
	xsMachine* the;
	xsSlot callback;
} Listening;

static gboolean hear(GIOChannel* channel, GIOCondition condition, gpointer data)
{
	Listening* listening = data;
	gchar* line = NULL;
	if (g_io_channel_read_line(channel, &line, NULL, NULL, NULL) != G_IO_STATUS_NORMAL) {
		/* The parent process has closed standard input. */
		endLife(RESET_POWER_ON, "");
		g_main_loop_quit(loop);
		return FALSE;
	}
	xsBeginHost(listening->the);
	xsCallFunction1(listening->callback, xsGlobal, xsString(line));
	xsEndHost(listening->the);
	g_free(line);
	return TRUE;
}

/* onLine(callback): called with each line of standard input; its end ends the program. */
void xs_linux_onLine(xsMachine* the)
{
	Listening* listening = malloc(sizeof(Listening));
	listening->the = the;
	listening->callback = xsArg(0);
	xsRemember(listening->callback);
	g_io_add_watch(g_io_channel_unix_new(STDIN_FILENO), G_IO_IN | G_IO_HUP, hear, listening);
}

/* serialWritten(bytes), serialRead(bytes): for linux/clock.c. */
void xs_linux_serialWritten(xsMachine* the)
{
	serialWritten(xsToInteger(xsArg(0)));
}

void xs_linux_serialRead(xsMachine* the)
{
	serialRead(xsToInteger(xsArg(0)));
}

void quitProgram(void)
{
	g_main_loop_quit(loop);
}

/* slots(), chunks(): live after a garbage collection. stack(): peak stack slots. cpu(): CPU time of this process, microseconds. */
void xs_linux_slots(xsMachine* the)
{
	xsCollectGarbage();
	xsResult = xsInteger(the->currentHeapCount);
}

void xs_linux_chunks(xsMachine* the)
{
	xsCollectGarbage();
	xsResult = xsInteger(the->currentChunksSize);
}

void xs_linux_stack(xsMachine* the)
{
	unsigned char* used = (unsigned char*)the->stackBottom;
	while (used < (unsigned char*)the->stack && *used == PAINT)
		used++;
	xsResult = xsInteger(the->stackTop - (txSlot*)used);
}

void xs_linux_cpu(xsMachine* the)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	xsResult = xsNumber((usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

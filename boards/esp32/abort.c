/*
 * Keeps over the restart why XS ended the script: an exception that nothing catches, memory exhausted. The SDK's fxAbort
 * (xs/platforms/esp/xsPlatform.c, MODDEF_XS_ABORTHOOK) reads the global property "abort" and calls its value with its reason and the exception,
 * then restarts the chip; application.js makes that property. Two things the SDK does not do:
 * - Its reason is a new string. If there is no memory for it, fxAbort aborts in fxAbort without end: reading the property a second time
 *   restarts the chip.
 * - After an uncaught exception it reads the message of the exception that it has just cleared, which throws, without end: the hook does not
 *   return but restarts the chip.
 * After a stack overflow the hook is skipped; the chip's shutdown handler is what notices it.
 */
#include <string.h>
#include "xsmc.h"
#include "mc.xs.h"
#include "retained.h"

#define TEXT_AT 1
#define MAX_TEXT (ABORT_BYTES - TEXT_AT - 2)
#define MAX_REASON 32
#define MEMORY_FULL "memory full"

static bool isHooked, isNoted, isExpected;

/* CRC-16/MODBUS, low byte first: modules/modbus/crc.ts. */
static void appendCrc(uint8_t *bytes, uint32_t length)
{
	uint16_t crc = 0xffff;
	for (uint32_t at = 0; at < length; at++) {
		crc ^= bytes[at];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
	}
	bytes[length] = crc & 0xff;
	bytes[length + 1] = crc >> 8;
}

/* Line breaks and indents, as between the lines of a stack, become one space each. */
static void append(uint8_t *record, const char *text)
{
	for (; *text && record[0] < MAX_TEXT; text++) {
		uint8_t *next = record + TEXT_AT + record[0];
		uint8_t character = (uint8_t)*text;
		if (character <= ' ' && (!record[0] || next[-1] == ' '))
			continue;
		*next = character <= ' ' ? ' ' : character < 0x7f ? character : '?';
		record[0]++;
	}
}

static void noteAbort(const char *reason, const char *text)
{
	uint8_t *record = retained() + ABORT_AT;
	memset(record, 0, ABORT_BYTES);
	append(record, reason);
	if (*text) {
		append(record, ": ");
		append(record, text);
	}
	appendCrc(record, ABORT_BYTES - 2);
	isNoted = true;
}

static void end(void)
{
	char text[MAX_TEXT + 1];
	const uint8_t *record = retained() + ABORT_AT;
	memcpy(text, record + TEXT_AT, record[0]);
	text[record[0]] = 0;
	sayAbort(text);
	restartAborted();
}

void expectRestart(bool expected)
{
	isExpected = expected;
}

void noteRestart(void)
{
	if (isExpected || isNoted)
		return;
	noteAbort("stack overflow", "");
	sayAbort("stack overflow");
}

/* The getter of "abort": fxAbort has begun. */
void xs_abort_begin(xsMachine *the)
{
	if (isHooked) {
		if (!isNoted)
			noteAbort(MEMORY_FULL, "");
		end();
	}
	isHooked = true;
}

/* (reason, exception) */
void xs_abort_end(xsMachine *the)
{
	char reason[MAX_REASON] = "";
	strncpy(reason, xsmcToString(xsArg(0)), MAX_REASON - 1);
	/* At once: what follows may abort again. */
	noteAbort(reason, "");
	if (strcmp(reason, MEMORY_FULL)) {
		xsmcVars(1);
		xsVar(0) = xsArg(1);
		if (xsmcTypeOf(xsArg(1)) == xsReferenceType && xsmcHas(xsArg(1), xsID_stack))
			xsmcGet(xsVar(0), xsArg(1), xsID_stack);
		if (xsmcTypeOf(xsVar(0)) != xsUndefinedType)
			noteAbort(reason, xsmcToString(xsVar(0)));
	}
	end();
}

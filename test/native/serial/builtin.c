/* As the SDK's modules/io/common/builtinCommon.c. */
#include "xsmc.h"
#include "xsHost.h"
#include "mc.xs.h"
#include "builtinCommon.h"

#include <string.h>

#define PINS 40

static const char* const formats[] = {"number", "buffer", "string"};
static uint8_t isUsed[PINS];

static uint8_t formatOf(xsMachine* the, const char* name)
{
	for (uint8_t at = 0; at < sizeof(formats) / sizeof(*formats); at++)
		if (!strcmp(formats[at], name))
			return at + 1;
	xsRangeError("unknown");
	return 0;
}

void builtinGetFormat(xsMachine* the, uint8_t format)
{
	xsmcSetString(xsResult, (char*)formats[format - 1]);
}

uint8_t builtinSetFormat(xsMachine* the)
{
	return formatOf(the, xsmcToString(xsArg(0)));
}

void builtinInitializeTarget(xsMachine* the)
{
	xsSlot target;
	if (!xsmcHas(xsArg(0), xsID_target))
		return;
	xsmcGet(target, xsArg(0), xsID_target);
	xsmcSet(xsThis, xsID_target, target);
}

uint8_t builtinInitializeFormat(xsMachine* the, uint8_t format)
{
	xsSlot wanted;
	xsmcGet(wanted, xsArg(0), xsID_format);
	return xsmcTest(wanted) ? formatOf(the, xsmcToString(wanted)) : format;
}

int32_t builtinGetSignedInteger(xsMachine* the, xsSlot* slot)
{
	if (xsmcTypeOf(*slot) == xsUndefinedType)
		xsUnknownError("invalid");
	return xsmcToInteger(*slot);
}

uint32_t builtinGetPin(xsMachine* the, xsSlot* slot)
{
	int32_t pin = builtinGetSignedInteger(the, slot);
	if (pin < 0)
		xsRangeError("negative");
	return (uint32_t)pin;
}

xsSlot* builtinGetCallback(xsMachine* the, xsIdentifier name)
{
	xsSlot slot;
	xsmcGet(slot, xsArg(0), name);
	if (!xsmcTest(slot))
		return NULL;
	if (!xsmcIsCallable(slot))
		xsUnknownError("not a function");
	return fxToReference(the, &slot);
}

uint8_t builtinIsPinFree(uint32_t pin)
{
	return pin < PINS && !isUsed[pin];
}

uint8_t builtinUsePin(uint32_t pin)
{
	if (!builtinIsPinFree(pin))
		return 0;
	return isUsed[pin] = 1;
}

void builtinFreePin(uint32_t pin)
{
	if (pin < PINS)
		isUsed[pin] = 0;
}

/* Of the SDK's modules/io/common/builtinCommon.h, what boards/esp32/serial uses. */
#ifndef __BUILTINCOMMON_H__
#define __BUILTINCOMMON_H__

enum { kIOFormatNumber = 1, kIOFormatBuffer = 2, kIOFormatString = 3 };

void builtinGetFormat(xsMachine* the, uint8_t format);
uint8_t builtinSetFormat(xsMachine* the);
void builtinInitializeTarget(xsMachine* the);
uint8_t builtinInitializeFormat(xsMachine* the, uint8_t format);
int32_t builtinGetSignedInteger(xsMachine* the, xsSlot* slot);
uint32_t builtinGetPin(xsMachine* the, xsSlot* slot);
xsSlot* builtinGetCallback(xsMachine* the, xsIdentifier name);
uint8_t builtinIsPinFree(uint32_t pin);
uint8_t builtinUsePin(uint32_t pin);
void builtinFreePin(uint32_t pin);

#endif

/* Of the SDK's xsHost.h for the ESP32, what the product's C uses: allocation and messages to the machine's task. */
#ifndef __HARNESS_XSHOST__
#define __HARNESS_XSHOST__

#include <stddef.h>
#include <stdint.h>

#include "xs.h"

/* They fail when the test wants it. */
extern void* harnessCalloc(size_t count, size_t size);
#undef c_calloc
#define c_calloc harnessCalloc
#undef c_free
#define c_free free

typedef void (*modMessageDeliver)(void* the, void* refcon, uint8_t* message, uint16_t messageLength);
extern int modMessagePostToMachine(xsMachine* the, uint8_t* message, uint16_t messageLength, modMessageDeliver callback, void* refcon);

#endif

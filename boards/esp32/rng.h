/* See rng.c. */
#ifndef __RNG__
#define __RNG__

#include <stddef.h>
#include <stdint.h>

/* Fills `bytes`. Returns 0, or mbedTLS's error: `bytes` must not be used then. From any task, not from an interrupt. */
int rngFill(uint8_t* bytes, size_t length);

#endif

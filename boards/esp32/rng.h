/* See rng.c. */
#ifndef __RNG__
#define __RNG__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills `bytes`. False: there was no memory, and `bytes` must not be used. From any task, not from an interrupt. */
bool rngFill(uint8_t* bytes, size_t length);

#endif

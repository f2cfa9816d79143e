/*
 * The retained memory as far as C knows it, and what a script's abort leaves in it. The map is that of src/runtime/retained.ts; a test compares
 * them.
 */
#ifndef __RETAINED__
#define __RETAINED__

#include <stdbool.h>
#include <stdint.h>

#define KEPT_BYTES 6550
#define ABORT_AT 16
#define ABORT_BYTES 128

/* life.c: the retained memory; the console; the restart after an abort, which must not return. */
extern uint8_t *retained(void);
extern void sayAbort(const char *text);
extern void restartAborted(void) __attribute__((noreturn));

/* abort.c: whether the firmware is about to restart the chip by itself. */
extern void expectRestart(bool expected);
/* The chip is about to restart: unless that was expected, XS has ended the script. */
extern void noteRestart(void);

#endif

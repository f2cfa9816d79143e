// SPDX-License-Identifier: MIT
#ifndef __LIFE__
#define __LIFE__

#include <stdint.h>

/* Out of memory or stack, an uncaught exception, or a signal: the device would restart. */
#define EXIT_ABORT 70

/* Values of esp_reset_reason_t. */
enum { RESET_POWER_ON = 1, RESET_SOFTWARE = 3, RESET_PANIC = 4, RESET_TASK_WATCHDOG = 6, RESET_BROWN_OUT = 9 };

extern void openLife(void);
/* Sets the next run's reset reason, and where this run crashed. */
extern void endLife(int32_t next, const char* crash);

/* Ends the main loop (main.c). */
extern void quitProgram(void);

#endif

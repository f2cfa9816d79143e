/* For the natives of a test: what the loop of harness.c watches. */
#ifndef __HARNESS__
#define __HARNESS__

#include <poll.h>
#include <stdbool.h>

#include "xs.h"

#define MAX_WATCHED 8

/* `ready` is called when poll(2) tells of `events` on the descriptor; its index is for `unwatch`. */
typedef void (*Ready)(xsMachine* the, void* data, short events);
extern int watch(int descriptor, short events, Ready ready, void* data);
extern void rewatch(int index, short events);
extern void unwatch(int index);

/* If set by `startPart`, messages wait until `deliverMessages`, this is called when there are some, and orders are not lines of the input. */
extern void (*messagesWait)(void);
extern void deliverMessages(xsMachine* the);
extern void runPromiseJobs(xsMachine* the);

/* Whether a task waits for room in the queue. Only the script's task makes room. */
extern bool postsWait(void);

/* Leaves the loop: the program ends with that status. */
extern void endProgram(int status);

/* Called once before the script runs, by the part that is linked in. */
extern void startPart(void);

#endif

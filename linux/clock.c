/*
 * The program's time, told from outside: where BMS_CLOCK names two descriptors, "steps,reports", the monotonic clock and the time of day
 * stand still until a step comes in. A test that plays the BMS in the same time depends on no machine's speed. Without it they are the
 * system's; glib's timers and the SDK's Time ask these functions.
 *
 * A step: how late it is, microseconds since the start; how many bytes are on the way to the serial port or have arrived, since the start;
 * its number. A report, whenever no timer is due, every byte has been read and something of it has changed: when the next timer is due, microseconds since the
 * start or -1; how many bytes have gone out of the serial port; the number of the last step.
 */
#define _GNU_SOURCE
#include <glib.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MAX_POLLED 64
#define MICROSECONDS 1000000
/* What was sent to a port that was closed meanwhile may never be read: waited for so long, ms. */
#define LOST_AFTER 2000

typedef struct {
	int64_t now;
	uint32_t sent, number;
} Step;

typedef struct {
	int64_t due;
	uint32_t written, number;
} Report;

static int steps = -1, reports;
static struct timespec begun, begunAt;
static Step step;
static Report last = { -2, 0, 0 };
static uint32_t written, taken;

void serialWritten(uint32_t bytes)
{
	written += bytes;
}

void serialRead(uint32_t bytes)
{
	taken += bytes;
}

static struct timespec later(struct timespec time)
{
	int64_t nanoseconds = time.tv_nsec + step.now % MICROSECONDS * 1000;
	time.tv_sec += step.now / MICROSECONDS + nanoseconds / 1000000000;
	time.tv_nsec = nanoseconds % 1000000000;
	return time;
}

int clock_gettime(clockid_t clock, struct timespec* time)
{
	if (steps >= 0 && (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME)) {
		*time = later(clock == CLOCK_MONOTONIC ? begun : begunAt);
		return 0;
	}
	return syscall(SYS_clock_gettime, clock, time);
}

int gettimeofday(struct timeval* restrict time, void* restrict zone)
{
	struct timespec now;
	int result = clock_gettime(CLOCK_REALTIME, &now);
	(void)zone;
	time->tv_sec = now.tv_sec;
	time->tv_usec = now.tv_nsec / 1000;
	return result;
}

static void tell(int64_t due)
{
	Report report = { due, written, step.number };
	if (!memcmp(&report, &last, sizeof report))
		return;
	last = report;
	if (write(reports, &report, sizeof report) != sizeof report)
		exit(1);
}

/*
 * glib's poll: `timeout` is the time to its next timer, in ms. It waits for a descriptor or for a step, however long that takes. Sockets that
 * always have something hold no time up: they are of the world outside.
 */
static gint pollStepped(GPollFD* polled, guint count, gint timeout)
{
	struct pollfd all[MAX_POLLED + 1];
	if (count > MAX_POLLED)
		abort();
	for (guint i = 0; i < count; i++)
		all[i] = (struct pollfd){ polled[i].fd, polled[i].events, 0 };
	all[count] = (struct pollfd){ steps, POLLIN, 0 };
	int64_t due = timeout < 0 ? -1 : step.now + timeout * 1000;
	int ready;
	if (!timeout)
		ready = poll(all, count, 0);
	else {
		bool waits = (int32_t)(taken - step.sent) < 0;
		if (!waits)
			tell(due);
		ready = poll(all, count + 1, waits ? LOST_AFTER : -1);
		if (!ready)
			tell(due);
		if (all[count].revents) {
			if (read(steps, &step, sizeof step) != sizeof step)
				exit(0);
			ready--;
		}
	}
	for (guint i = 0; i < count; i++)
		polled[i].revents = all[i].revents;
	return ready;
}

void openClock(void)
{
	const char* wanted = getenv("BMS_CLOCK");
	int first;
	if (!wanted || sscanf(wanted, "%d,%d", &first, &reports) != 2)
		return;
	clock_gettime(CLOCK_MONOTONIC, &begun);
	clock_gettime(CLOCK_REALTIME, &begunAt);
	steps = first;
	g_main_context_set_poll_func(NULL, pollStepped);
}

// SPDX-License-Identifier: MIT
/*
 * Overrides the program's clocks. If BMS_CLOCK names two descriptors, "steps,reports", the monotonic and real-time clocks stand still
 * until a step arrives, so a test that simulates the BMS on the same time does not depend on the machine's speed. Otherwise they are
 * the system's. glib's timers and the SDK's Time call these functions.
 *
 * A step: the time, microseconds since the start; bytes sent towards the serial port since the start; the step's number.
 * A report, sent when no timer is due, every byte has been read and a value has changed: when the next timer is due, microseconds
 * since the start, or -1; bytes written to the serial port; the number of the last step.
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
/* Bytes sent to a port that has since closed may never be read: stop waiting after this time, ms. */
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
 * glib's poll function: `timeout` is the time to its next timer, in ms. Waits for a descriptor or a step without a limit. Busy sockets do
 * not hold up time: they belong to the outside world.
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

/*
 * Debian's lwIP runs a call in the caller's thread, under a lock. ESP-IDF v6.0.2 has that off (CONFIG_LWIP_TCPIP_CORE_LOCKING): the call
 * runs in lwIP's task while the caller waits, and aborts before there is one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lwip/dns.h"
#include "lwip/priv/tcpip_priv.h"
#include "lwip/tcpip.h"
#include "harness.h"
#include "idf.h"

typedef struct {
	tcpip_api_call_fn function;
	struct tcpip_api_call_data* call;
	err_t result;
	sem_t isDone;
} Errand;

static pthread_t lwipTask, scriptTask;
static bool isRunning;

static void fail(const char* words)
{
	fprintf(stderr, "%s\n", words);
	abort();
}

static void hasStarted(void* data)
{
	lwipTask = pthread_self();
	sem_post(data);
}

void startStack(void)
{
	sem_t started;
	sem_init(&started, 0, 0);
	scriptTask = pthread_self();
	tcpip_init(hasStarted, &started);
	sem_wait(&started);
	sem_destroy(&started);
	isRunning = true;
}

bool sys_thread_tcpip(sys_thread_core_lock_t type)
{
	if (type != LWIP_CORE_IS_TCPIP_INITIALIZED)
		fail("only asked by lwIP itself");
	return isRunning;
}

/* In the place of lwIP's own, whose functions call it (LWIP_ASSERT_CORE_LOCKED). */
void sys_check_core_locking(void)
{
	void (*own)(void) = (void (*)(void))dlsym(RTLD_NEXT, "sys_check_core_locking");
	if (isRunning && pthread_equal(pthread_self(), scriptTask))
		fail("Required to run in TCPIP context!");
	own();
}

/* lwIP's table has as many for DHCP, and one to fall back on (DNS_MAX_SERVERS). */
#define MAX_SERVERS 3
static ip_addr_t servers[MAX_SERVERS];

void dns_setserver(u8_t index, const ip_addr_t* address)
{
	sys_check_core_locking();
	servers[index] = address ? *address : *IP_ADDR_ANY;
}

const ip_addr_t* dns_getserver(u8_t index)
{
	sys_check_core_locking();
	return index < MAX_SERVERS ? &servers[index] : IP_ADDR_ANY;
}

static void run(void* data)
{
	Errand* errand = data;
	errand->result = errand->function(errand->call);
	sem_post(&errand->isDone);
}

/* How often it is asked whether both tasks wait, ns. */
#define LOOK_INTERVAL 10000000

/* Until lwIP's task has done it. That never happens if that task waits for room in the queue that only this one empties. */
static void waitFor(sem_t* isDone)
{
	for (struct timespec until;;) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += LOOK_INTERVAL;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		if (!sem_timedwait(isDone, &until))
			return;
		if (pthread_equal(pthread_self(), scriptTask) && postsWait()) {
			if (!sem_trywait(isDone))
				return;
			fail("XS's task waits for lwIP's, which waits for room in XS's queue");
		}
	}
}

err_t tcpip_api_call(tcpip_api_call_fn function, struct tcpip_api_call_data* call)
{
	Errand errand = {.function = function, .call = call};
	if (!isRunning)
		fail("Invalid mbox");
	if (pthread_equal(pthread_self(), lwipTask))
		fail("lwIP's task would wait for itself");
	sem_init(&errand.isDone, 0, 0);
	struct tcpip_callback_msg* message = tcpip_callbackmsg_new(run, &errand);
	if (!message)
		fail("no memory for the stand-in");
	while (tcpip_callbackmsg_trycallback(message) != ERR_OK)
		sched_yield();
	waitFor(&errand.isDone);
	tcpip_callbackmsg_delete(message);
	sem_destroy(&errand.isDone);
	return errand.result;
}

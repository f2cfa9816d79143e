/*
 * Debian's lwIP with one interface, 10.0.0.1, whose other end the script is: it puts IPv4 packets of TCP and UDP on the wire byte by byte as
 * it likes, and sees what lwIP answers. lwIP's own timers run in its own thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lwip/ip4.h"
#include "lwip/memp.h"
#include "lwip/netif.h"
#include "lwip/priv/tcpip_priv.h"
#include "lwip/tcpip.h"
#include "lwip/udp.h"

#include "xsmc.h"
#include "harness.h"
#include "idf.h"
#include "packets.h"

/* Of 10.0.0.0: the script's end. */
#define PEER 2
#define MAX_SEEN 65536

static struct netif wire;
static struct {
	uint8_t bytes[64];
	uint16_t length;
} *seen;
static int seenCount;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Allocations of lwIP until one fails; below zero: none does. */
static int allocationsLeft = -1;

static bool isRefused(void)
{
	int left = __atomic_load_n(&allocationsLeft, __ATOMIC_SEQ_CST);
	if (left > 0)
		__atomic_sub_fetch(&allocationsLeft, 1, __ATOMIC_SEQ_CST);
	return left == 0;
}

/* Without its timers lwIP ends the program by itself; the messages are idf.c's, and ESP-IDF allocates none. */
static __thread bool isSpared;

/* In the place of lwIP's own, the first of which calls the second. */
void* memp_malloc(memp_t type)
{
	void* (*own)(memp_t) = (void* (*)(memp_t))dlsym(RTLD_NEXT, "memp_malloc");
	isSpared = type == MEMP_SYS_TIMEOUT || type == MEMP_TCPIP_MSG_API;
	void* bytes = own(type);
	isSpared = false;
	return bytes;
}

void* mem_malloc(mem_size_t size)
{
	void* (*own)(mem_size_t) = (void* (*)(mem_size_t))dlsym(RTLD_NEXT, "mem_malloc");
	return !isSpared && isRefused() ? NULL : own(size);
}

static err_t output(struct netif* netif, struct pbuf* packet, const ip4_addr_t* address)
{
	(void)netif, (void)address;
	pthread_mutex_lock(&lock);
	if (seenCount < MAX_SEEN) {
		seen[seenCount].length = packet->tot_len;
		pbuf_copy_partial(packet, seen[seenCount++].bytes, sizeof(seen->bytes), 0);
	}
	pthread_mutex_unlock(&lock);
	return ERR_OK;
}

static err_t addWire(struct tcpip_api_call_data* call)
{
	(void)call;
	addInterface(&wire, 1, PEER, output);
	netif_set_addr(&wire, IP4_ADDR_ANY4, IP4_ADDR_ANY4, IP4_ADDR_ANY4);
	return ERR_OK;
}

/* An address by DHCP makes the interface ESP-IDF's default. */
static err_t lease(struct tcpip_api_call_data* call)
{
	ip4_addr_t address, mask, router;
	(void)call;
	IP4_ADDR(&address, 10, 0, 0, 1);
	IP4_ADDR(&mask, 255, 255, 255, 0);
	IP4_ADDR(&router, 10, 0, 0, PEER);
	netif_set_addr(&wire, &address, &mask, &router);
	netif_set_default(&wire);
	return ERR_OK;
}

static err_t lose(struct tcpip_api_call_data* call)
{
	(void)call;
	netif_set_default(NULL);
	netif_set_addr(&wire, IP4_ADDR_ANY4, IP4_ADDR_ANY4, IP4_ADDR_ANY4);
	return ERR_OK;
}

void startPart(void)
{
	seen = calloc(MAX_SEEN, sizeof(*seen));
}

/* start(): lwIP's task, with an interface without an address. */
void xs_wire_start(xsMachine* the)
{
	struct tcpip_api_call_data call;
	(void)the;
	startStack();
	tcpip_api_call(addWire, &call);
}

/* lease(has): the interface's address comes or goes. */
void xs_wire_lease(xsMachine* the)
{
	struct tcpip_api_call_data call;
	tcpip_api_call(xsmcToBoolean(xsArg(0)) ? lease : lose, &call);
}

/* held(): receive buffers in use. */
void xs_wire_held(xsMachine* the)
{
	xsmcSetInteger(xsResult, heldPackets());
}

/* raw(): calls lwIP from the script's task. */
void xs_wire_raw(xsMachine* the)
{
	(void)the;
	udp_remove(udp_new());
}

/* tcp(from, to, flags, sequence, acknowledged, window, content) */
void xs_wire_tcp(xsMachine* the)
{
	Segment segment = {
		.from = xsmcToInteger(xsArg(0)),
		.to = xsmcToInteger(xsArg(1)),
		.flags = xsmcToInteger(xsArg(2)),
		.sequence = xsmcToNumber(xsArg(3)),
		.acknowledged = xsmcToNumber(xsArg(4)),
		.window = xsmcToInteger(xsArg(5)),
	};
	void* content;
	xsUnsignedValue length;
	xsmcGetBufferReadable(xsArg(6), &content, &length);
	sendSegment(&wire, PEER, &segment, content, length);
}

/* udp(from, to, content) */
void xs_wire_udp(xsMachine* the)
{
	void* content;
	xsUnsignedValue length;
	xsmcGetBufferReadable(xsArg(2), &content, &length);
	sendDatagram(&wire, PEER, xsmcToInteger(xsArg(0)), xsmcToInteger(xsArg(1)), content, length);
}

/* take(): the oldest packet of lwIP that has not been taken, its first 64 bytes and then its length; undefined: none. */
void xs_wire_take(xsMachine* the)
{
	uint8_t bytes[sizeof(seen->bytes) + 2];
	pthread_mutex_lock(&lock);
	bool hasOne = seenCount > 0;
	if (hasOne) {
		memcpy(bytes, seen[0].bytes, sizeof(seen->bytes));
		put16(bytes + sizeof(seen->bytes), seen[0].length);
		memmove(seen, seen + 1, --seenCount * sizeof(*seen));
	}
	pthread_mutex_unlock(&lock);
	if (hasOne)
		xsmcSetArrayBuffer(xsResult, bytes, sizeof(bytes));
}

/* fail(after): lwIP's allocations fail after so many; below zero: never. */
void xs_wire_fail(xsMachine* the)
{
	__atomic_store_n(&allocationsLeft, xsmcToInteger(xsArg(0)), __ATOMIC_SEQ_CST);
}

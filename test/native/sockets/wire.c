/*
 * Debian's lwIP with one interface, 10.0.0.1, whose other end the script is: it puts IPv4 packets of TCP and UDP on the wire byte by byte as
 * it likes, and sees what lwIP answers. lwIP's own timers run in its own thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lwip/dns.h"
#include "lwip/ip4.h"
#include "lwip/memp.h"
#include "lwip/netif.h"
#include "lwip/priv/tcpip_priv.h"
#include "lwip/tcpip.h"
#include "lwip/udp.h"

#include "xsmc.h"
#include "xsHost.h"
#include "harness.h"
#include "idf.h"
#include "packets.h"

/* Of 10.0.0.0: the script's end. */
#define PEER 2
#define MAX_SEEN 65536

typedef struct {
	struct tcpip_api_call_data call;
	ip_addr_t addresses[2];
	int count;
} Servers;

static struct netif wire;
static struct {
	uint8_t bytes[64];
	uint16_t length;
} *seen;
static int seenCount;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Allocations of lwIP until one fails; below zero: none does. */
static int allocationsLeft = -1;
/* A heap that the script has made, with what is received and what the script takes: bytes, and allocations refused. 0 bytes: none. */
static int heapSize, heapUsed, heapMost, heapRefused;

/* CONFIG_LWIP_MAX_ACTIVE_TCP; 0: any number. In lwIP's task. */
static int maxPcbs, pcbs;

static bool takeHeap(int bytes)
{
	if (!heapSize)
		return true;
	int used = __atomic_add_fetch(&heapUsed, bytes, __ATOMIC_SEQ_CST);
	if (bytes > 0 && used > heapSize) {
		__atomic_sub_fetch(&heapUsed, bytes, __ATOMIC_SEQ_CST);
		__atomic_add_fetch(&heapRefused, 1, __ATOMIC_SEQ_CST);
		return false;
	}
	if (used > heapMost)
		heapMost = used;
	return true;
}

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
	if (type == MEMP_TCP_PCB && maxPcbs && pcbs >= maxPcbs)
		return NULL;
	pcbs += type == MEMP_TCP_PCB;
	isSpared = type == MEMP_SYS_TIMEOUT || type == MEMP_TCPIP_MSG_API;
	void* bytes = own(type);
	isSpared = false;
	return bytes;
}

void memp_free(memp_t type, void* bytes)
{
	void (*own)(memp_t, void*) = (void (*)(memp_t, void*))dlsym(RTLD_NEXT, "memp_free");
	pcbs -= type == MEMP_TCP_PCB;
	own(type, bytes);
}

void* mem_malloc(mem_size_t size)
{
	void* (*own)(mem_size_t) = (void* (*)(mem_size_t))dlsym(RTLD_NEXT, "mem_malloc");
	if (isSpared)
		__atomic_add_fetch(&heapUsed, (int)size, __ATOMIC_SEQ_CST);
	else if (isRefused() || !takeHeap(size))
		return NULL;
	return own(size);
}

void mem_free(void* bytes)
{
	void (*own)(void*) = (void (*)(void*))dlsym(RTLD_NEXT, "mem_free");
	takeHeap(-(int)malloc_usable_size(bytes));
	own(bytes);
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
	IP4_ADDR(&address, 10, 0, 0, deviceHost);
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

/* lease(host): the interface's address 10.0.0.<host> comes; with 0 it goes. */
void xs_wire_lease(xsMachine* the)
{
	struct tcpip_api_call_data call;
	xsIntegerValue host = xsmcToInteger(xsArg(0));
	if (host)
		deviceHost = host;
	tcpip_api_call(host ? lease : lose, &call);
}

/* held(): receive buffers in use. */
void xs_wire_held(xsMachine* the)
{
	xsmcSetInteger(xsResult, heldPackets());
}

static void receiveNothing(void* the, void* refcon, uint8_t* message, uint16_t messageLength)
{
	(void)the, (void)refcon, (void)message, (void)messageLength;
}

static void post(void* the)
{
	modMessagePostToMachine(the, NULL, 0, receiveNothing, NULL);
}

/* raw(what): calls lwIP from the script's task: for a PCB, for its name servers, or while its task posts to the script's. */
void xs_wire_raw(xsMachine* the)
{
	struct tcpip_api_call_data call;
	switch (xsmcToInteger(xsArg(0))) {
		case 0:
			udp_remove(udp_new());
			break;
		case 1:
			dns_getserver(0);
			break;
		case 2:
			tcpip_callback(post, the);
			tcpip_api_call(lose, &call);
			break;
	}
}

static err_t serve(struct tcpip_api_call_data* call)
{
	Servers* servers = (Servers*)call;
	for (int at = 0; at < 2; at++)
		dns_setserver(at, at < servers->count ? &servers->addresses[at] : NULL);
	return ERR_OK;
}

/* serve(...addresses): the name servers of a lease. */
void xs_wire_serve(xsMachine* the)
{
	Servers servers = {.count = xsmcArgc};
	for (int at = 0; at < servers.count; at++)
		ipaddr_aton(xsmcToString(xsArg(at)), &servers.addresses[at]);
	tcpip_api_call(serve, &servers.call);
}

/* boards/esp32/sockets/dns.c. Debian's lwIP is built without DHCP: the harness calls what ESP-IDF's DHCP calls. */
extern void dhcp_set_ntp_servers(u8_t count, const ip4_addr_t* servers);

static err_t offer(struct tcpip_api_call_data* call)
{
	Servers* servers = (Servers*)call;
	ip4_addr_t addresses[2];
	for (int at = 0; at < servers->count; at++)
		ip4_addr_copy(addresses[at], *ip_2_ip4(&servers->addresses[at]));
	dhcp_set_ntp_servers(servers->count, addresses);
	return ERR_OK;
}

/* offer(...addresses): the time servers of a lease. */
void xs_wire_offer(xsMachine* the)
{
	Servers servers = {.count = xsmcArgc};
	for (int at = 0; at < servers.count; at++)
		ipaddr_aton(xsmcToString(xsArg(at)), &servers.addresses[at]);
	tcpip_api_call(offer, &servers.call);
}

/* heap(bytes, connections): all that lwIP takes from now on is of so many bytes, and it has so many PCBs. */
void xs_wire_heap(xsMachine* the)
{
	heapSize = xsmcToInteger(xsArg(0));
	maxPcbs = xsmcToInteger(xsArg(1));
	heapUsed = heapMost = heapRefused = 0;
	takesHeap = takeHeap;
}

void xs_wire_heapUsed(xsMachine* the)
{
	xsmcSetInteger(xsResult, heapUsed);
}

void xs_wire_heapMost(xsMachine* the)
{
	xsmcSetInteger(xsResult, heapMost);
}

void xs_wire_heapRefused(xsMachine* the)
{
	xsmcSetInteger(xsResult, heapRefused);
}

/* take(bytes): of the heap; below zero: gives back. Whether there were so many. */
void xs_wire_takeHeap(xsMachine* the)
{
	xsmcSetBoolean(xsResult, takeHeap(xsmcToInteger(xsArg(0))));
}

/* tcp(from, to, flags, sequence, acknowledged, window, content, host = PEER) */
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
	sendSegment(&wire, xsmcArgc > 7 ? xsmcToInteger(xsArg(7)) : PEER, &segment, content, length);
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

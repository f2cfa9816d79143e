/*
 * Interfaces of lwIP in 10.0.0.0/24, and raw IPv4 packets as any peer may send them: from 10.0.0.<from> to 10.0.0.1. At most MAX_CONTENT
 * bytes.
 */
#ifndef __PACKETS__
#define __PACKETS__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lwip/netif.h"

#define MAX_CONTENT 2000

typedef struct {
	uint16_t from, to;
	uint8_t flags;
	uint32_t sequence, acknowledged;
	uint16_t window;
} Segment;

/* If set: takes (below zero: gives back) so many bytes for a received packet; false: there are none, and the packet is lost. */
extern bool (*takesHeap)(int bytes);

/* In lwIP's task: adds 10.0.0.<host>, whose packets `output` takes, and brings it up. */
extern void addInterface(struct netif* interface, uint8_t host, uint8_t gateway, netif_output_fn output);
/* The device's address is 10.0.0.<deviceHost>: packets are sent there. */
extern uint8_t deviceHost;
/* Network byte order. */
extern void put16(uint8_t* at, uint16_t value);
/* Of the packets sent, as a driver's receive buffers: how many lwIP and the device's sockets hold. */
extern int heldPackets(void);
extern void sendSegment(struct netif* to, uint8_t from, const Segment* segment, const void* content, size_t length);
extern void sendDatagram(struct netif* to, uint8_t from, uint16_t fromPort, uint16_t toPort, const void* content, size_t length);

#endif

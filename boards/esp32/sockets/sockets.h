// SPDX-License-Identifier: MIT
/*
 * Shared by the classes of this folder. One rule: data that lwIP's callbacks use is accessed in lwIP's task only. XS reaches it through
 * tcpip_api_call, which blocks until the call has run there, so no locks are needed. Hence lwIP's task must never wait for XS's: it posts
 * to XS's queue only if there is room, and tries again later if there is none. A socket has at most one message there.
 */
#ifndef __SOCKETS__
#define __SOCKETS__

#include <stdbool.h>
#include <stdint.h>

#include "lwip/opt.h"
#include "lwip/ip_addr.h"
#include "lwip/pbuf.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/priv/tcpip_priv.h"
#include "lwip/sys.h"
#include "lwip/tcp.h"

#include "xsmc.h"
#include "xsHost.h"
#include "modInstrumentation.h"
#include "mc.xs.h"

/*
 * Whether lwIP's task runs; before it does, tcpip_api_call aborts (ESP-IDF v6.0.2: esp_netif_init starts it, and itself asks this first). A
 * default interface is no condition: ESP-IDF has none until there is an address, and none again once the lease is lost.
 */
#define STACK_RUNS() sys_thread_tcpip(LWIP_CORE_IS_TCPIP_INITIALIZED)

#define MAX_PORT 65535
/*
 * The memory of all windows together (docs/performance.md). In lwIP each pbuf to be sent has the size of a full segment, however little is
 * in it (LWIP_NETIF_TX_SINGLE_PBUF, which ESP-IDF sets).
 *
 * MAX_QUEUED: pbufs that a connection may have to send. MAX_ORPHANED: those of all connections that were closed with bytes still to send;
 * with more, and what is left after ORPHAN_TIME (of 500 ms), is given up by a reset. MAX_RECEIVED: bytes that a connection has received and
 * not yet read, the receive window. MAX_UNREAD: those of all connections; beyond it the client with the most is reset.
 */
#define MAX_QUEUED 6
#define MAX_ORPHANED 4
#define ORPHAN_TIME 10
#define MAX_RECEIVED 2872
#define MAX_UNREAD 8616

/* Without a free PCB lwIP resets a connection of lower priority: a closed one first, then, for what the device opens, a client's. */
#define PRIORITY_CLIENT (TCP_PRIO_NORMAL - 1)
#define PRIORITY_CLOSED TCP_PRIO_MIN

/* Room in XS's queue that sockets leave to others, and how often a message that found none is tried again, ms. */
#define QUEUE_RESERVE 4
#define RETRY_INTERVAL 10

/* An address as text, with the NUL. */
#define ADDRESS_LENGTH 40

/* The XS object's side of a socket, the first member of its host data; written by XS's task only. */
typedef struct {
	xsMachine* the;
	xsSlot object;
	xsSlot* onReadable;
	xsSlot* onWritable;
	xsSlot* onError;
	/* Closed; freed by its last user: the running callback or the message in flight. */
	bool isClosed;
	bool isDelivering;
	bool isExpected;
} Owner;

/* The message in flight and its events; written by lwIP's task only. */
typedef struct Signal {
	uint8_t events;
	/* In XS's queue; or late: there was no room for it. */
	bool isPosted, isLate;
	/* Of the late ones. */
	struct Signal* next;
	modMessageDeliver deliver;
	Owner* owner;
} Signal;

/* In lwIP's task: posts `event` to XS, to `deliver` with `owner`; later if XS's queue is full. Not while no object is attached. */
void signalEvent(Signal* signal, uint8_t event, modMessageDeliver deliver, Owner* owner);
/* In lwIP's task: nothing more is posted. Whether a message is in flight. */
bool endSignal(Signal* signal);
/* Messages that still fit XS's queue. */
int queueRoom(xsMachine* the);

/* Reads the callbacks and the target in xsArg(0). */
void readCallbacks(xsMachine* the, Owner* owner);
/* Hook of the host data: marks the owner's callbacks. */
void markOwner(xsMachine* the, void* owner, xsMarkRoot markRoot);
/* The host data of xsThis; throws once it is closed. */
void* openData(xsMachine* the, const xsHostHooks* hooks);
/* Protects the owner's object from garbage collection until it is released. */
void keepObject(xsMachine* the, Owner* owner);
void releaseObject(xsMachine* the, Owner* owner);
void callBack(Owner* owner, xsSlot* callback, int32_t count, bool hasCount);
/* Reads the property `port` of xsArg(0); 0 if optional and absent. */
uint16_t readPort(xsMachine* the, bool isOptional);
/* Throws unless `format` of xsArg(0) is absent or equal to this. */
void checkFormat(xsMachine* the, const char* format);

/* A TCP connection, created by TCP or, for an incoming one, by the listener. */
typedef struct Connection Connection;
struct Connection {
	Owner owner;
	/* From here on: lwIP's task only. */
	Signal signal;
	/* NULL once reset. */
	struct tcp_pcb* pcb;
	/* Received, not yet read. */
	struct pbuf* received;
	/* Closed or reset by the peer. */
	bool hasEnded;
	/* The device has opened it. */
	bool isOwn;
	/* While pending: the listener's queue, and the next in it. */
	Connection** queue;
	Connection* next;
	/* XS's task. */
	bool isReady;
	bool isEndReported;
	/* Set on creation, read-only afterwards. */
	uint16_t remotePort;
	ip_addr_t remoteAddress;
};

/* In lwIP's task: creates a connection for `pcb` without an owner; NULL: no memory. */
Connection* newConnection(struct tcp_pcb* pcb);
/* In lwIP's task: closes it (resets it if `isAborted`) and frees its buffers, but not the struct. */
void dropConnection(Connection* connection, bool isAborted);
/* In lwIP's task: takes a pending connection out of its queue, resets it unless it is, and frees it. */
void forgetPending(Connection* connection);
/* Attaches the connection to `object`, a TCP object without one. */
void adoptConnection(xsMachine* the, xsSlot* object, Connection* connection);

#endif

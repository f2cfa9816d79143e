/*
 * What the classes of this folder share. They keep to one rule: what lwIP's callbacks touch is touched in lwIP's task alone. XS gets at it by
 * tcpip_api_call, which waits until it is done there; so nothing needs a lock. Towards XS there is never more than one message on its way
 * for each socket: the queue of messages cannot fill up, and lwIP does not wait for XS.
 */
#ifndef __SOCKETS__
#define __SOCKETS__

#include <stdbool.h>
#include <stdint.h>

#include "lwip/opt.h"
#include "lwip/ip_addr.h"
#include "lwip/pbuf.h"
#include "lwip/priv/tcpip_priv.h"
#include "lwip/tcp.h"

#include "xsmc.h"
#include "xsHost.h"
#include "modInstrumentation.h"
#include "mc.xs.h"

#if ESP32
	#include "esp_netif.h"
	/* Without an interface ESP-IDF ends the program. */
	#define HAS_NETWORK() (esp_netif_get_default_netif() != NULL)
#else
	#define HAS_NETWORK() true
#endif

#define MAX_PORT 65535
/* Of an address as text, with its end. */
#define ADDRESS_LENGTH 40

/* Of an object of XS, for its side of a socket; written by XS's task alone. */
typedef struct {
	xsMachine* the;
	xsSlot object;
	xsSlot* onReadable;
	xsSlot* onWritable;
	xsSlot* onError;
	/* Closed, and freed by who has it last: a callback that is running, or the message that is expected. */
	bool isClosed;
	bool isDelivering;
	bool isExpected;
} Owner;

/* A message that is on its way, and what it is about; written by lwIP's task alone. */
typedef struct {
	uint8_t events;
	bool isPosted;
} Signal;

/* In lwIP's task: tells XS of `event`. `the`: NULL while nobody wants to know. */
void signalEvent(Signal* signal, uint8_t event, xsMachine* the, modMessageDeliver deliver, void* refcon);

/* The callbacks and the target in xsArg(0). */
void readCallbacks(xsMachine* the, Owner* owner);
void markCallbacks(xsMachine* the, Owner* owner, xsMarkRoot markRoot);
/* xsArg(0) as the object that XS is not to collect until it is released. */
void keepObject(xsMachine* the, Owner* owner);
void releaseObject(xsMachine* the, Owner* owner);
void callBack(Owner* owner, xsSlot* callback, int32_t count, bool hasCount);
/* A port in the property `port` of xsArg(0), 0 when it is optional and not there. */
uint16_t readPort(xsMachine* the, bool isOptional);
/* Throws unless `format` of xsArg(0) is absent or this one. */
void checkFormat(xsMachine* the, const char* format);

/* A TCP connection. Made by TCP or, when somebody connects, by the listener. */
typedef struct Connection Connection;
struct Connection {
	Owner owner;
	/* lwIP's task alone, from here on. */
	Signal signal;
	/* NULL once it was reset. */
	struct tcp_pcb* pcb;
	/* Not read yet. */
	struct pbuf* received;
	/* The other side has ended or reset it. */
	bool hasEnded;
	/* The listener that nobody has taken it from yet, and the next in its queue. */
	struct Listener* listener;
	Connection* next;
	/* Of XS's task again. */
	bool isReady;
	bool isEndTold;
	/* Set before anybody has it. */
	uint16_t remotePort;
	ip_addr_t remoteAddress;
};

/* In lwIP's task: a connection of `pcb` without an owner; NULL: no memory. */
Connection* newConnection(struct tcp_pcb* pcb);
/* In lwIP's task: ends it, with a reset when `isAborted`, and frees what it holds but not itself. */
void dropConnection(Connection* connection, bool isAborted);
/* xsThis, which is a TCP object without one, gets the connection. */
void adoptConnection(xsMachine* the, xsSlot* object, Connection* connection);

/* In lwIP's task: a connection that nobody has taken was reset. */
void forgetPending(struct Listener* listener, Connection* connection);

#endif

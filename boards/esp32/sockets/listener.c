// SPDX-License-Identifier: MIT
/* embedded:io/socket/listener (ECMA-419, TCP listener class) on lwIP's raw API: the natives of listener.js. */
#include "sockets.h"

/*
 * Limits of accepted connections not yet read, beyond which a client is reset, and of those in their handshake. As many may be pending as
 * lwIP has PCBs (CONFIG_LWIP_MAX_ACTIVE_TCP): while the script is busy, those that will reset theirs must not turn away others.
 */
#define MAX_PENDING 16
#define MAX_HANDSHAKES 8
/* Limit of those reported at a time: each that is read posts messages, for which XS's queue must have room. */
#define MAX_REPORTED 4

enum { READABLE = 1 };

typedef struct Listener {
	Owner owner;
	/* From here on: lwIP's task only. */
	Signal signal;
	struct tcp_pcb* pcb;
	/* Oldest first. */
	Connection* pending;
	/* XS's task. */
	uint16_t port;
} Listener;

typedef struct {
	struct tcpip_api_call_data call;
	Listener* listener;
	Connection* connection;
	uint16_t port;
	int count;
	bool isPending;
	err_t result;
} Call;

static void deliver(void* the, void* refcon, uint8_t* message, uint16_t messageLength);

static int countOf(const Listener* listener)
{
	int count = 0;
	for (const Connection* pending = listener->pending; pending; pending = pending->next)
		count++;
	return count;
}

/* lwIP's callbacks */

static err_t hasAccepted(void* argument, struct tcp_pcb* pcb, err_t error)
{
	Listener* listener = argument;
	Connection** last;
	Connection* connection;
	/* lwIP passes no connection when it is out of memory. Any result but ERR_OK resets the connection. */
	if (error != ERR_OK || !pcb)
		return ERR_VAL;
	if (!listener || countOf(listener) >= MAX_PENDING)
		return ERR_MEM;
	connection = newConnection(pcb);
	if (!connection)
		return ERR_MEM;
	connection->queue = &listener->pending;
	for (last = &listener->pending; *last; last = &(*last)->next)
		;
	*last = connection;
	signalEvent(&listener->signal, READABLE, deliver, &listener->owner);
	return ERR_OK;
}

/* In lwIP's task */

static err_t callListen(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	struct tcp_pcb* listening;
	struct tcp_pcb* pcb = tcp_new();
	if (!pcb)
		return ERR_OK;
	ip_set_option(pcb, SOF_REUSEADDR);
	tcp_setprio(pcb, PRIORITY_CLIENT);
	call->result = tcp_bind(pcb, IP_ADDR_ANY, call->port);
	listening = call->result == ERR_OK ? tcp_listen_with_backlog(pcb, MAX_HANDSHAKES) : NULL;
	if (!listening) {
		/* tcp_abort is only for connected PCBs. */
		tcp_close(pcb);
		if (call->result == ERR_OK)
			call->result = ERR_MEM;
		return ERR_OK;
	}
	call->listener->pcb = listening;
	call->listener->port = listening->local_port;
	tcp_arg(listening, call->listener);
	tcp_accept(listening, hasAccepted);
	return ERR_OK;
}

static err_t callCollect(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	call->listener->signal.events = 0;
	call->listener->signal.isPosted = false;
	call->count = countOf(call->listener);
	if (call->count > MAX_REPORTED)
		call->count = MAX_REPORTED;
	return ERR_OK;
}

static err_t callTake(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Connection* connection = call->listener->pending;
	if (connection) {
		call->listener->pending = connection->next;
		if (connection->next)
			signalEvent(&call->listener->signal, READABLE, deliver, &call->listener->owner);
		connection->next = NULL;
		connection->queue = NULL;
	}
	call->connection = connection;
	return ERR_OK;
}

static err_t callClose(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Listener* listener = call->listener;
	tcp_arg(listener->pcb, NULL);
	tcp_accept(listener->pcb, NULL);
	tcp_close(listener->pcb);
	listener->owner.the = NULL;
	while (listener->pending)
		forgetPending(listener->pending);
	call->isPending = endSignal(&listener->signal);
	call->result = ERR_OK;
	return ERR_OK;
}

/* In XS's task */

static void closeListener(Listener* listener)
{
	Call call = {.listener = listener, .result = ERR_MEM};
	listener->owner.isClosed = true;
	tcpip_api_call(callClose, &call.call);
	listener->owner.isExpected = call.result != ERR_OK || call.isPending;
	if (!listener->owner.isExpected && !listener->owner.isDelivering)
		c_free(listener);
}

void xs_listener_destructor(void* data)
{
	if (data)
		closeListener(data);
}

static const xsHostHooks hooks = {xs_listener_destructor, markOwner, NULL};

static Listener* listenerOf(xsMachine* the)
{
	return openData(the, &hooks);
}

/* Listener(options) */
void xs_listener_constructor(xsMachine* the)
{
	Call call = {.result = ERR_MEM};
	Owner callbacks = {0};
	xsSetHostHooks(xsThis, (xsHostHooks*)&hooks);
	checkFormat(the, "socket/tcp");
	call.port = readPort(the, true);
	readCallbacks(the, &callbacks);
	if (!STACK_RUNS())
		xsUnknownError("no network");
	call.listener = c_calloc(1, sizeof(Listener));
	if (!call.listener)
		xsUnknownError("no memory");
	call.listener->owner = callbacks;
	call.listener->owner.the = the;
	call.listener->owner.object = xsThis;
	tcpip_api_call(callListen, &call.call);
	if (call.result != ERR_OK) {
		c_free(call.listener);
		xsUnknownError(call.result == ERR_USE ? "port in use" : "no memory");
	}
	xsmcSetHostData(xsThis, call.listener);
	keepObject(the, &call.listener->owner);
}

void xs_listener_close(xsMachine* the)
{
	Listener* listener = xsmcGetHostDataValidate(xsThis, (void*)&hooks);
	if (!listener)
		return;
	xsmcSetHostData(xsThis, NULL);
	releaseObject(the, &listener->owner);
	closeListener(listener);
}

/* read(tcp): attaches the oldest pending connection to the empty TCP object and returns it; undefined if none is pending. */
void xs_listener_read(xsMachine* the)
{
	Call call = {.listener = listenerOf(the)};
	tcpip_api_call(callTake, &call.call);
	if (!call.connection)
		return;
	xsResult = xsArg(0);
	adoptConnection(the, &xsResult, call.connection);
}

void xs_listener_get_port(xsMachine* the)
{
	xsmcSetInteger(xsResult, listenerOf(the)->port);
}

static void deliver(void* the, void* refcon, uint8_t* message, uint16_t messageLength)
{
	Listener* listener = refcon;
	Owner* owner = &listener->owner;
	Call call = {.listener = listener};
	(void)the, (void)message, (void)messageLength;
	if (!owner->isClosed) {
		tcpip_api_call(callCollect, &call.call);
		owner->isDelivering = true;
		if (call.count && owner->onReadable)
			callBack(owner, owner->onReadable, call.count, true);
		owner->isDelivering = false;
		if (!owner->isClosed || owner->isExpected)
			return;
	}
	c_free(listener);
}

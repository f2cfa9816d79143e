// SPDX-License-Identifier: MIT
/* embedded:io/socket/udp (ECMA-419, UDP socket class) on lwIP's raw API: the natives of udp.js. */
#include "lwip/igmp.h"
#include "lwip/udp.h"
#include "sockets.h"

/* Receive queue limits, datagrams and bytes; further datagrams are dropped. */
#define MAX_PACKETS 8
#define MAX_BYTES 6144
#define MAX_TTL 255

enum { READABLE = 1 };

typedef struct {
	struct pbuf* bytes;
	ip_addr_t address;
	uint16_t port;
} Packet;

typedef struct {
	Owner owner;
	/* From here on: lwIP's task only. */
	Signal signal;
	struct udp_pcb* pcb;
	Packet packets[MAX_PACKETS];
	int first, count;
	uint32_t length;
} Socket;

typedef struct {
	struct tcpip_api_call_data call;
	Socket* socket;
	void* bytes;
	uint16_t length;
	ip_addr_t address;
	uint16_t port;
	int ttl, count;
	bool isPending;
	err_t result;
} Call;

static void deliver(void* the, void* refcon, uint8_t* message, uint16_t messageLength);

/* lwIP's callback; takes ownership of the datagram. */
static void hasReceived(void* argument, struct udp_pcb* pcb, struct pbuf* bytes, const ip_addr_t* address, u16_t port)
{
	Socket* socket = argument;
	(void)pcb;
	if (socket->count == MAX_PACKETS || socket->length + bytes->tot_len > MAX_BYTES) {
		pbuf_free(bytes);
		return;
	}
	socket->packets[(socket->first + socket->count++) % MAX_PACKETS] = (Packet){bytes, *address, port};
	socket->length += bytes->tot_len;
	modInstrumentationAdjust(NetworkBytesRead, bytes->tot_len);
	signalEvent(&socket->signal, READABLE, deliver, &socket->owner);
}

/* In lwIP's task */

static err_t callOpen(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	struct udp_pcb* pcb = udp_new();
	if (!pcb)
		return ERR_OK;
	call->result = udp_bind(pcb, IP_ADDR_ANY, call->port);
	if (call->result != ERR_OK) {
		udp_remove(pcb);
		return ERR_OK;
	}
	if (call->ttl)
		pcb->ttl = (u8_t)call->ttl;
	call->socket->pcb = pcb;
	udp_recv(pcb, hasReceived, call->socket);
	return ERR_OK;
}

static err_t callCollect(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	call->socket->signal.events = 0;
	call->socket->signal.isPosted = false;
	call->count = call->socket->count;
	return ERR_OK;
}

/* Takes the oldest datagram; without a buffer only reports its length. */
static err_t callRead(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Socket* socket = call->socket;
	Packet* packet = &socket->packets[socket->first];
	call->count = socket->count;
	if (!socket->count)
		return ERR_OK;
	call->length = packet->bytes->tot_len;
	call->address = packet->address;
	call->port = packet->port;
	if (!call->bytes)
		return ERR_OK;
	pbuf_copy_partial(packet->bytes, call->bytes, call->length, 0);
	pbuf_free(packet->bytes);
	socket->first = (socket->first + 1) % MAX_PACKETS;
	socket->count--;
	socket->length -= call->length;
	return ERR_OK;
}

static err_t callWrite(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	struct pbuf* bytes = pbuf_alloc(PBUF_TRANSPORT, call->length, PBUF_RAM);
	if (!bytes)
		return ERR_OK;
	pbuf_take(bytes, call->bytes, call->length);
	call->result = udp_sendto(call->socket->pcb, bytes, &call->address, call->port);
	pbuf_free(bytes);
	return ERR_OK;
}

static err_t callJoin(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	call->result = igmp_joingroup(IP4_ADDR_ANY4, ip_2_ip4(&call->address));
	return ERR_OK;
}

static err_t callLeave(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	call->result = igmp_leavegroup(IP4_ADDR_ANY4, ip_2_ip4(&call->address));
	return ERR_OK;
}

static err_t callClose(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Socket* socket = call->socket;
	udp_remove(socket->pcb);
	socket->owner.the = NULL;
	for (; socket->count; socket->count--, socket->first = (socket->first + 1) % MAX_PACKETS)
		pbuf_free(socket->packets[socket->first].bytes);
	call->isPending = endSignal(&socket->signal);
	call->result = ERR_OK;
	return ERR_OK;
}

/* In XS's task */

static err_t run(tcpip_api_call_fn function, Call* call)
{
	call->result = ERR_MEM;
	err_t error = tcpip_api_call(function, &call->call);
	return error == ERR_OK ? call->result : error;
}

static void closeSocket(Socket* socket)
{
	Call call = {.socket = socket};
	socket->owner.isClosed = true;
	socket->owner.isExpected = run(callClose, &call) != ERR_OK || call.isPending;
	if (!socket->owner.isExpected && !socket->owner.isDelivering)
		c_free(socket);
}

void xs_udp_destructor(void* data)
{
	if (data)
		closeSocket(data);
}

static const xsHostHooks hooks = {xs_udp_destructor, markOwner, NULL};

static Socket* socketOf(xsMachine* the)
{
	return openData(the, &hooks);
}

static void readAddress(xsMachine* the, xsSlot* slot, ip_addr_t* address)
{
	char text[ADDRESS_LENGTH];
	xsmcToStringBuffer(*slot, text, sizeof(text));
	if (!ipaddr_aton(text, address) || !IP_IS_V4(address))
		xsRangeError("invalid IP address");
}

/* UDP(options) */
void xs_udp_constructor(xsMachine* the)
{
	Call call = {0};
	Owner callbacks = {0};
	xsmcVars(1);
	xsSetHostHooks(xsThis, (xsHostHooks*)&hooks);
	checkFormat(the, "buffer");
	call.port = readPort(the, true);
	if (xsmcHas(xsArg(0), xsID_timeToLive)) {
		xsmcGet(xsVar(0), xsArg(0), xsID_timeToLive);
		call.ttl = xsmcToInteger(xsVar(0));
		if (call.ttl <= 0 || call.ttl > MAX_TTL)
			xsRangeError("invalid timeToLive");
	}
	readCallbacks(the, &callbacks);
	if (!STACK_RUNS())
		xsUnknownError("no network");
	call.socket = c_calloc(1, sizeof(Socket));
	if (!call.socket)
		xsUnknownError("no memory");
	call.socket->owner = callbacks;
	call.socket->owner.the = the;
	call.socket->owner.object = xsThis;
	err_t error = run(callOpen, &call);
	if (error != ERR_OK) {
		c_free(call.socket);
		xsUnknownError(error == ERR_USE ? "port in use" : "no memory");
	}
	xsmcSetHostData(xsThis, call.socket);
	keepObject(the, &call.socket->owner);
}

void xs_udp_close(xsMachine* the)
{
	Socket* socket = xsmcGetHostDataValidate(xsThis, (void*)&hooks);
	if (!socket)
		return;
	xsmcSetHostData(xsThis, NULL);
	releaseObject(the, &socket->owner);
	closeSocket(socket);
}

/* read(): an ArrayBuffer with the sender's `address` and `port`; undefined if the queue is empty. */
void xs_udp_read(xsMachine* the)
{
	Call call = {.socket = socketOf(the)};
	char text[ADDRESS_LENGTH];
	xsmcVars(1);
	tcpip_api_call(callRead, &call.call);
	if (!call.count)
		return;
	/* Never NULL, even for an empty datagram: without a buffer callRead only reports the length. */
	uint8_t none;
	void* bytes = xsmcSetArrayBuffer(xsResult, NULL, call.length);
	call.bytes = call.length ? bytes : &none;
	tcpip_api_call(callRead, &call.call);
	xsmcSetInteger(xsVar(0), call.port);
	xsmcSet(xsResult, xsID_port, xsVar(0));
	ipaddr_ntoa_r(&call.address, text, sizeof(text));
	xsmcSetString(xsVar(0), text);
	xsmcSet(xsResult, xsID_address, xsVar(0));
}

/* write(bytes, address, port) */
void xs_udp_write(xsMachine* the)
{
	Call call = {.socket = socketOf(the)};
	xsUnsignedValue length;
	readAddress(the, &xsArg(1), &call.address);
	int32_t port = xsmcToInteger(xsArg(2));
	if (port < 0 || port > MAX_PORT)
		xsRangeError("invalid port");
	call.port = (uint16_t)port;
	xsmcGetBufferReadable(xsArg(0), &call.bytes, &length);
	if (length > UINT16_MAX)
		xsRangeError("too long");
	call.length = (uint16_t)length;
	if (run(callWrite, &call) != ERR_OK)
		xsUnknownError("UDP send failed");
	modInstrumentationAdjust(NetworkBytesWritten, length);
}

static void callGroup(xsMachine* the, tcpip_api_call_fn function)
{
	Call call = {.socket = socketOf(the)};
	readAddress(the, &xsArg(0), &call.address);
	if (!ip_addr_ismulticast(&call.address))
		xsRangeError("not a multicast address");
	if (run(function, &call) != ERR_OK)
		xsUnknownError("no such interface");
}

/* add(group): joins it on all interfaces. */
void xs_udp_add(xsMachine* the)
{
	callGroup(the, callJoin);
}

/* remove(group) */
void xs_udp_remove(xsMachine* the)
{
	callGroup(the, callLeave);
}

static void deliver(void* the, void* refcon, uint8_t* message, uint16_t messageLength)
{
	Socket* socket = refcon;
	Owner* owner = &socket->owner;
	Call call = {.socket = socket};
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
	c_free(socket);
}

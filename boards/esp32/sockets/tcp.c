// SPDX-License-Identifier: MIT
/* embedded:io/socket/tcp (ECMA-419, TCP socket class) on lwIP's raw API: the natives of tcp.js. */
#include "sockets.h"

/*
 * Limit of pbufs in the receive chain; more are merged into one. A peer that sends byte by byte would take one for each byte, and where the
 * driver's buffers are not copied, each pbuf is one of the few of them that all traffic needs.
 */
#define MAX_FRAGMENTS 2

enum { READABLE = 1, WRITABLE = 2, ENDED = 4, OUTPUT = 8 };

typedef struct {
	struct tcpip_api_call_data call;
	Connection* connection;
	xsMachine* the;
	void* bytes;
	uint16_t length;
	bool isPending;
	uint8_t events;
	uint32_t readable, room;
	ip_addr_t address;
	uint16_t port;
	int noDelay;
	err_t result;
} Call;

static void deliver(void* the, void* refcon, uint8_t* message, uint16_t messageLength);

static void report(Connection* connection, uint8_t event)
{
	signalEvent(&connection->signal, event, deliver, &connection->owner);
}

static uint32_t readableOf(const Connection* connection)
{
	return connection->received ? connection->received->tot_len : 0;
}

/* Bytes that may be written, limited by the send buffer and MAX_QUEUED. */
static uint32_t roomOf(const struct tcp_pcb* pcb)
{
	int segments = MAX_QUEUED - tcp_sndqueuelen(pcb);
	uint32_t bytes = segments > 0 ? (uint32_t)segments * tcp_mss(pcb) : 0;
	return bytes < tcp_sndbuf(pcb) ? bytes : tcp_sndbuf(pcb);
}

static void end(Connection* connection)
{
	connection->hasEnded = true;
	report(connection, ENDED);
}

/* lwIP's callbacks */

static err_t hasConnected(void* argument, struct tcp_pcb* pcb, err_t error)
{
	(void)pcb, (void)error;
	report(argument, WRITABLE);
	return ERR_OK;
}

static err_t hasReceived(void* argument, struct tcp_pcb* pcb, struct pbuf* bytes, err_t error);

/* With `length` more unread bytes it would be the client with the most, and all together have too many. */
static bool takesTooMuch(const Connection* connection, uint32_t length)
{
	uint32_t own = readableOf(connection) + length;
	uint32_t all = own;
	uint32_t most = 0;
	if (connection->isOwn)
		return false;
	for (const struct tcp_pcb* pcb = tcp_active_pcbs; pcb; pcb = pcb->next)
		if (pcb->recv == hasReceived && pcb->callback_arg != connection) {
			const Connection* other = pcb->callback_arg;
			uint32_t unread = readableOf(other);
			all += unread;
			if (!other->isOwn && unread > most)
				most = unread;
		}
	return all > MAX_UNREAD && own >= most;
}

static err_t hasReceived(void* argument, struct tcp_pcb* pcb, struct pbuf* bytes, err_t error)
{
	Connection* connection = argument;
	(void)error;
	if (!bytes) {
		end(connection);
		return ERR_OK;
	}
	/* lwIP keeps refused data and delivers it again. */
	if (readableOf(connection) + bytes->tot_len > MAX_RECEIVED)
		return ERR_MEM;
	if (takesTooMuch(connection, bytes->tot_len)) {
		pbuf_free(bytes);
		/* Calls hasFailed. */
		tcp_abort(pcb);
		return ERR_ABRT;
	}
	if (connection->received) {
		if (pbuf_clen(connection->received) >= MAX_FRAGMENTS)
			connection->received = pbuf_coalesce(connection->received, PBUF_RAW);
		if (pbuf_clen(connection->received) >= MAX_FRAGMENTS)
			return ERR_MEM;
		pbuf_cat(connection->received, bytes);
	} else
		connection->received = bytes;
	modInstrumentationAdjust(NetworkBytesRead, bytes->tot_len);
	report(connection, READABLE);
	return ERR_OK;
}

static err_t hasSent(void* argument, struct tcp_pcb* pcb, u16_t length)
{
	(void)pcb, (void)length;
	report(argument, WRITABLE);
	return ERR_OK;
}

static void hasFailed(void* argument, err_t error)
{
	Connection* connection = argument;
	(void)error;
	/* lwIP has freed the PCB. */
	connection->pcb = NULL;
	if (connection->queue)
		forgetPending(connection);
	else
		end(connection);
}

/* Of a closed connection. */
static err_t hasWaited(void* argument, struct tcp_pcb* pcb)
{
	(void)argument;
	tcp_abort(pcb);
	return ERR_ABRT;
}

/* In lwIP's task */

/* Those with data: a FIN takes little. */
static int segmentsIn(const struct tcp_seg* segment)
{
	int count = 0;
	for (; segment; segment = segment->next)
		count += segment->len > 0;
	return count;
}

/* The oldest connection that was closed with bytes still to send; NULL unless all of them together have more than they may. */
static struct tcp_pcb* findOrphan(void)
{
	struct tcp_pcb* oldest = NULL;
	int queued = 0;
	for (struct tcp_pcb* pcb = tcp_active_pcbs; pcb; pcb = pcb->next)
		if (pcb->poll == hasWaited) {
			int segments = segmentsIn(pcb->unsent) + segmentsIn(pcb->unacked);
			queued += segments;
			if (segments)
				oldest = pcb;
		}
	return queued > MAX_ORPHANED ? oldest : NULL;
}

static void setCallbacks(struct tcp_pcb* pcb, Connection* connection)
{
	tcp_arg(pcb, connection);
	tcp_recv(pcb, connection ? hasReceived : NULL);
	tcp_sent(pcb, connection ? hasSent : NULL);
	tcp_err(pcb, connection ? hasFailed : NULL);
}

Connection* newConnection(struct tcp_pcb* pcb)
{
	Connection* connection = c_calloc(1, sizeof(Connection));
	if (!connection)
		return NULL;
	connection->pcb = pcb;
	connection->remotePort = pcb->remote_port;
	connection->remoteAddress = pcb->remote_ip;
	setCallbacks(pcb, connection);
	return connection;
}

void dropConnection(Connection* connection, bool isAborted)
{
	struct tcp_pcb* pcb = connection->pcb;
	if (pcb) {
		setCallbacks(pcb, NULL);
		tcp_poll(pcb, hasWaited, ORPHAN_TIME);
		tcp_setprio(pcb, PRIORITY_CLOSED);
		if (isAborted || tcp_close(pcb) != ERR_OK)
			tcp_abort(pcb);
		while ((pcb = findOrphan()))
			tcp_abort(pcb);
	}
	if (connection->received)
		pbuf_free(connection->received);
	connection->pcb = NULL;
	connection->received = NULL;
	connection->owner.the = NULL;
}

void forgetPending(Connection* connection)
{
	Connection** at = connection->queue;
	while (*at != connection)
		at = &(*at)->next;
	*at = connection->next;
	dropConnection(connection, true);
	c_free(connection);
}

static err_t callConnect(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	struct tcp_pcb* pcb = tcp_new();
	Connection* connection = pcb ? newConnection(pcb) : NULL;
	if (connection) {
		connection->isOwn = true;
		connection->remoteAddress = call->address;
		connection->remotePort = call->port;
		call->result = tcp_connect(pcb, &call->address, call->port, hasConnected);
		if (call->result == ERR_OK) {
			call->connection = connection;
			return ERR_OK;
		}
		dropConnection(connection, true);
		c_free(connection);
	} else if (pcb)
		tcp_abort(pcb);
	return ERR_OK;
}

/* Attaches an owner and posts the events so far. */
static err_t callAttach(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Connection* connection = call->connection;
	connection->owner.the = call->the;
	if (call->noDelay >= 0 && connection->pcb) {
		if (call->noDelay)
			tcp_nagle_disable(connection->pcb);
		else
			tcp_nagle_enable(connection->pcb);
	}
	uint8_t events = (connection->received ? READABLE : 0) | (connection->hasEnded ? ENDED : 0);
	if (connection->isReady && connection->pcb)
		events |= WRITABLE;
	if (events)
		report(connection, events);
	call->result = ERR_OK;
	return ERR_OK;
}

static err_t callMeasure(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	struct tcp_pcb* pcb = call->connection->pcb;
	call->room = pcb ? roomOf(pcb) : 0;
	return ERR_OK;
}

static err_t callCollect(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Connection* connection = call->connection;
	call->events = connection->signal.events;
	connection->signal.events = 0;
	connection->signal.isPosted = false;
	if (connection->pcb && call->events & OUTPUT)
		tcp_output(connection->pcb);
	call->readable = readableOf(connection);
	return callMeasure(data);
}

static err_t callRead(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Connection* connection = call->connection;
	call->readable = readableOf(connection);
	if (!call->bytes)
		return ERR_OK;
	if (!call->length || call->length > call->readable) {
		call->result = ERR_VAL;
		return ERR_OK;
	}
	pbuf_copy_partial(connection->received, call->bytes, call->length, 0);
	connection->received = pbuf_free_header(connection->received, call->length);
	if (connection->pcb)
		tcp_recved(connection->pcb, call->length);
	if (!connection->received && connection->hasEnded)
		report(connection, ENDED);
	call->result = ERR_OK;
	return ERR_OK;
}

static err_t callWrite(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	Connection* connection = call->connection;
	struct tcp_pcb* pcb = connection->pcb;
	call->result = ERR_CLSD;
	if (!pcb)
		return ERR_OK;
	call->result = ERR_WOULDBLOCK;
	if (call->length > roomOf(pcb))
		return ERR_OK;
	call->result = tcp_write(pcb, call->bytes, call->length, TCP_WRITE_FLAG_COPY);
	if (call->result != ERR_OK) {
		/* There was room, so lwIP is out of memory. Abort: the stream cannot continue without these bytes. */
		setCallbacks(pcb, NULL);
		tcp_abort(pcb);
		connection->pcb = NULL;
		end(connection);
		return ERR_OK;
	}
	/* Output is deferred, so that further writes in this turn of XS go out together. */
	report(connection, OUTPUT);
	call->room = roomOf(pcb);
	return ERR_OK;
}

static err_t callClose(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	/* Flushes the last writes. */
	if (call->connection->pcb && call->connection->signal.events & OUTPUT)
		tcp_output(call->connection->pcb);
	dropConnection(call->connection, false);
	call->isPending = endSignal(&call->connection->signal);
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

static void closeConnection(Connection* connection)
{
	Call call = {.connection = connection};
	connection->owner.isClosed = true;
	/* If lwIP cannot be reached, the connection is never freed. */
	connection->owner.isExpected = run(callClose, &call) != ERR_OK || call.isPending;
	if (!connection->owner.isExpected && !connection->owner.isDelivering)
		c_free(connection);
}

void xs_tcp_destructor(void* data)
{
	if (data)
		closeConnection(data);
}

static const xsHostHooks hooks = {xs_tcp_destructor, markOwner, NULL};

static Connection* connectionOf(xsMachine* the)
{
	return openData(the, &hooks);
}

static void attach(xsMachine* the, xsSlot* object, Connection* connection, int noDelay)
{
	Call call = {.connection = connection, .the = the, .noDelay = noDelay};
	xsmcSetHostData(*object, connection);
	xsSetHostHooks(*object, (xsHostHooks*)&hooks);
	connection->owner.object = *object;
	keepObject(the, &connection->owner);
	run(callAttach, &call);
}

void adoptConnection(xsMachine* the, xsSlot* object, Connection* connection)
{
	connection->isReady = true;
	attach(the, object, connection, -1);
}

/* Detaches and returns the connection of the TCP object in `from`. */
static Connection* takeOver(xsMachine* the, xsSlot* from)
{
	Connection* connection = xsmcGetHostDataValidate(*from, (void*)&hooks);
	if (!connection)
		xsTypeError("invalid from");
	xsmcSetHostData(*from, NULL);
	releaseObject(the, &connection->owner);
	connection->owner.isClosed = false;
	connection->isEndReported = false;
	return connection;
}

static Connection* openConnection(xsMachine* the)
{
	char text[ADDRESS_LENGTH];
	Call call = {0};
	call.port = readPort(the, false);
	xsmcGet(xsVar(0), xsArg(0), xsID_address);
	xsmcToStringBuffer(xsVar(0), text, sizeof(text));
	if (!ipaddr_aton(text, &call.address))
		xsRangeError("invalid address");
	if (!STACK_RUNS())
		xsUnknownError("no network");
	if (run(callConnect, &call) != ERR_OK)
		xsUnknownError("no connection");
	return call.connection;
}

/* TCP(): empty, for the listener to attach a connection. TCP(options): a new connection, or one taken over from `options.from`. */
void xs_tcp_constructor(xsMachine* the)
{
	Owner callbacks = {0};
	int noDelay = -1;
	Connection* connection;
	xsmcVars(1);
	xsSetHostHooks(xsThis, (xsHostHooks*)&hooks);
	if (!xsmcArgc || !xsmcTest(xsArg(0)))
		return;
	checkFormat(the, "buffer");
	readCallbacks(the, &callbacks);
	if (xsmcHas(xsArg(0), xsID_nodelay)) {
		xsmcGet(xsVar(0), xsArg(0), xsID_nodelay);
		noDelay = xsmcToBoolean(xsVar(0));
	}
	xsmcGet(xsVar(0), xsArg(0), xsID_from);
	connection = xsmcTest(xsVar(0)) ? takeOver(the, &xsVar(0)) : openConnection(the);
	connection->owner.onReadable = callbacks.onReadable;
	connection->owner.onWritable = callbacks.onWritable;
	connection->owner.onError = callbacks.onError;
	attach(the, &xsThis, connection, noDelay);
}

void xs_tcp_close(xsMachine* the)
{
	Connection* connection = xsmcGetHostDataValidate(xsThis, (void*)&hooks);
	if (!connection)
		return;
	xsmcSetHostData(xsThis, NULL);
	releaseObject(the, &connection->owner);
	closeConnection(connection);
}

/* read(): all available bytes. read(count): that many. read(buffer): fills it. Throws if fewer are available; undefined if none are. */
void xs_tcp_read(xsMachine* the)
{
	Call call = {.connection = connectionOf(the)};
	void* bytes;
	xsUnsignedValue length;
	bool hasBuffer = xsmcArgc && xsmcTypeOf(xsArg(0)) == xsReferenceType;
	tcpip_api_call(callRead, &call.call);
	if (!call.readable)
		return;
	if (hasBuffer)
		xsmcGetBufferWritable(xsArg(0), &bytes, &length);
	else {
		int32_t count = xsmcArgc ? xsmcToInteger(xsArg(0)) : (int32_t)call.readable;
		length = count > 0 ? (xsUnsignedValue)count : 0;
	}
	if (!length || length > call.readable)
		xsUnknownError("invalid");
	if (hasBuffer)
		xsmcSetInteger(xsResult, (xsIntegerValue)length);
	else
		bytes = xsmcSetArrayBuffer(xsResult, NULL, (xsIntegerValue)length);
	call.bytes = bytes;
	call.length = (uint16_t)length;
	if (run(callRead, &call) != ERR_OK)
		xsUnknownError("invalid");
}

/* write(bytes): returns the room left, bytes; undefined if the connection was reset. Throws if not all of it fits. */
void xs_tcp_write(xsMachine* the)
{
	Call call = {.connection = connectionOf(the)};
	xsUnsignedValue length;
	if (!call.connection->isReady)
		xsUnknownError("not ready");
	xsmcGetBufferReadable(xsArg(0), &call.bytes, &length);
	call.length = (uint16_t)length;
	err_t error = length > UINT16_MAX ? ERR_WOULDBLOCK : run(callWrite, &call);
	if (error == ERR_WOULDBLOCK)
		xsUnknownError("would block");
	if (error != ERR_OK)
		return;
	modInstrumentationAdjust(NetworkBytesWritten, length);
	xsmcSetInteger(xsResult, (xsIntegerValue)call.room);
}

void xs_tcp_get_remoteAddress(xsMachine* the)
{
	char text[ADDRESS_LENGTH];
	ipaddr_ntoa_r(&connectionOf(the)->remoteAddress, text, sizeof(text));
	xsmcSetString(xsResult, text);
}

void xs_tcp_get_remotePort(xsMachine* the)
{
	xsmcSetInteger(xsResult, connectionOf(the)->remotePort);
}

static void callBacks(Connection* connection, Call* call)
{
	Owner* owner = &connection->owner;
	if (call->events & ENDED)
		connection->isReady = false;
	else if (call->events & WRITABLE)
		connection->isReady = true;
	if (call->events & READABLE && call->readable && owner->onReadable)
		callBack(owner, owner->onReadable, (int32_t)call->readable, true);
	if (owner->isClosed)
		return;
	if (call->events & ENDED) {
		/* Data received before the end is delivered first. */
		if (call->readable || connection->isEndReported)
			return;
		connection->isEndReported = true;
		if (owner->onError)
			callBack(owner, owner->onError, 0, false);
	} else if (call->events & WRITABLE && owner->onWritable) {
		/* The room was measured before the bytes were delivered, and onReadable may have written since. */
		if (call->events & READABLE)
			tcpip_api_call(callMeasure, &call->call);
		if (call->room)
			callBack(owner, owner->onWritable, (int32_t)call->room, true);
	}
}

static void deliver(void* the, void* refcon, uint8_t* message, uint16_t messageLength)
{
	Connection* connection = refcon;
	Call call = {.connection = connection};
	(void)the, (void)message, (void)messageLength;
	if (!connection->owner.isClosed) {
		tcpip_api_call(callCollect, &call.call);
		connection->owner.isDelivering = true;
		callBacks(connection, &call);
		connection->owner.isDelivering = false;
		if (!connection->owner.isClosed || connection->owner.isExpected)
			return;
	}
	c_free(connection);
}

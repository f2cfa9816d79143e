/*
 * Lets the harness stand in for the simulator's XS worker (host-sim/xs/worker.ts): netstrings on descriptors 3 and 4. The platform is the
 * simulator's, except for the sockets, which are here. Their messages wait until the simulator wants them (command "m"), so that the
 * firmware has one thread and one clock; a byte on descriptor 5 tells the simulator that there are some.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xsAll.h"
#include "xs.h"
#include "harness.h"
#include "gateway.h"

enum { COMMANDS = 3, REPLIES, BELL };

typedef struct {
	char* bytes;
	size_t length;
} Netstring;

static void ring(void)
{
	if (write(BELL, "m", 1) != 1)
		endProgram(1);
}

static bool readAll(char* bytes, size_t length)
{
	while (length) {
		ssize_t count = read(COMMANDS, bytes, length);
		if (count <= 0)
			return false;
		bytes += count;
		length -= count;
	}
	return true;
}

/* The bytes are the caller's, with a NUL behind them; none at the end of the input. */
static Netstring readNetstring(void)
{
	Netstring message = {NULL, 0};
	size_t length = 0;
	for (char digit; readAll(&digit, 1) && digit != ':';)
		length = length * 10 + digit - '0';
	if (!length)
		return message;
	message.bytes = malloc(length + 1);
	if (!readAll(message.bytes, length + 1)) {
		free(message.bytes);
		message.bytes = NULL;
		return message;
	}
	message.bytes[length] = '\0';
	message.length = length;
	return message;
}

static void writeAll(const char* bytes, size_t length)
{
	while (length) {
		ssize_t count = write(REPLIES, bytes, length);
		if (count <= 0)
			exit(0);
		bytes += count;
		length -= count;
	}
}

static void writeNetstring(const char* head, const void* bytes, size_t length)
{
	char prefix[48];
	int count = snprintf(prefix, sizeof(prefix), "%zu:%s", strlen(head) + length, head);
	writeAll(prefix, count);
	writeAll(bytes, length);
	writeAll(",", 1);
}

/* issueCommand(request, bytes?, from?, length?): the simulator's answer to the request with these bytes behind it. */
void xs_worker_issueCommand(xsMachine* the)
{
	int more = xsToInteger(xsArgc) > 3;
	size_t length = xsGetArrayBufferLength(xsArg(0));
	size_t from = more ? xsToInteger(xsArg(2)) : 0;
	size_t count = more ? xsToInteger(xsArg(3)) : 0;
	char* request = malloc(length + count);
	xsGetArrayBufferData(xsArg(0), 0, request, length);
	if (count)
		xsGetArrayBufferData(xsArg(1), from, request + length, count);
	writeNetstring("?", request, length + count);
	free(request);
	Netstring answer = readNetstring();
	if (!answer.bytes)
		exit(0);
	xsResult = xsArrayBuffer(answer.bytes + 1, answer.length - 1);
	free(answer.bytes);
}

/* textDecoder(): the engine's class, without its methods. */
extern void xs_textdecoder(xsMachine* the);
extern void xs_textdecoder_destructor(void* data);

void xs_worker_textDecoder(xsMachine* the)
{
	xsVars(1);
	xsVar(0) = xsNewHostObject(xs_textdecoder_destructor);
	xsResult = xsNewHostConstructor(xs_textdecoder, 0, xsVar(0));
}

static void obey(xsMachine* the, void* data, short events)
{
	(void)data, (void)events;
	Netstring order = readNetstring();
	if (!order.bytes) {
		/* The board has no power any more. */
		closeGateway();
		endProgram(0);
		return;
	}
	xsBeginHost(the);
	xsVars(1);
	xsTry {
		switch (order.bytes[0]) {
			case 'e':
				xsCall1(xsGlobal, xsID("eval"), xsString(order.bytes + 1));
				break;
			case '?':
				xsVar(0) = xsArrayBuffer(order.bytes + 1, order.length - 1);
				xsResult = xsCall1(xsGlobal, xsID("handleCommand"), xsVar(0));
				break;
			case 'm':
				deliverMessages(the);
				break;
		}
		runPromiseJobs(the);
		if (order.bytes[0] == '?')
			writeNetstring(".\1", xsToArrayBuffer(xsResult), xsGetArrayBufferLength(xsResult));
		else
			writeNetstring(".\1", "", 0);
	}
	xsCatch {
		char* text = xsToString(xsException);
		writeNetstring("!", text, strlen(text));
	}
	xsEndHost(the);
	free(order.bytes);
}

void startPart(void)
{
	messagesWait = ring;
	openGateway();
	watch(COMMANDS, POLLIN, obey, NULL);
}

/* A TCP client of POSIX for scripts of harness.c: posix-tcp.js makes a socket of ECMA-419 of it. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "xsmc.h"
#include "harness.h"

typedef struct {
	int socket, watched;
	xsIntegerValue size, room;
	xsSlot self;
	bool isOpen;
} Tcp;

void startPart(void) {}

void xs_posix_destructor(void* data)
{
	Tcp* tcp = data;
	if (!tcp)
		return;
	unwatch(tcp->watched);
	close(tcp->socket);
	free(tcp);
}

static void tell(xsMachine* the, Tcp* tcp, char* what, xsIntegerValue count)
{
	xsBeginHost(the);
	xsCall1(tcp->self, xsID(what), xsInteger(count));
	xsEndHost(the);
}

static void ready(xsMachine* the, void* data, short events)
{
	Tcp* tcp = data;
	int count = 0;
	ioctl(tcp->socket, FIONREAD, &count);
	if (events & POLLIN && count) {
		/* Until that is read. */
		rewatch(tcp->watched, tcp->room < tcp->size ? POLLOUT : 0);
		tell(the, tcp, "readable", count);
	} else if (events & (POLLIN | POLLERR | POLLHUP)) {
		rewatch(tcp->watched, 0);
		tell(the, tcp, "ended", 0);
	} else if (events & POLLOUT) {
		tcp->room = tcp->size;
		rewatch(tcp->watched, POLLIN);
		tell(the, tcp, "writable", tcp->room);
	}
}

static Tcp* tcpOf(xsMachine* the)
{
	return xsmcGetHostDataValidate(xsThis, (void*)xs_posix_destructor);
}

/* (port, room): to this host; there is never more room than this. */
void xs_posix_constructor(xsMachine* the)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(xsmcToInteger(xsArg(0)))};
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	Tcp* tcp = calloc(1, sizeof(Tcp));
	tcp->socket = socket(AF_INET, SOCK_STREAM, 0);
	tcp->size = xsmcToInteger(xsArg(1));
	xsmcSetHostData(xsThis, tcp);
	tcp->self = xsThis;
	xsRemember(tcp->self);
	fcntl(tcp->socket, F_SETFL, O_NONBLOCK);
	connect(tcp->socket, (struct sockaddr*)&address, sizeof(address));
	tcp->watched = watch(tcp->socket, POLLOUT, ready, tcp);
}

void xs_posix_close(xsMachine* the)
{
	Tcp* tcp = tcpOf(the);
	if (!tcp)
		return;
	xsForget(tcp->self);
	xsmcSetHostData(xsThis, NULL);
	xs_posix_destructor(tcp);
}

/* read(view): all of it. */
void xs_posix_read(xsMachine* the)
{
	Tcp* tcp = tcpOf(the);
	void* bytes;
	xsUnsignedValue length;
	xsmcGetBufferWritable(xsArg(0), &bytes, &length);
	if (recv(tcp->socket, bytes, length, 0) != (ssize_t)length)
		xsUnknownError("invalid");
	rewatch(tcp->watched, POLLIN | (tcp->room < tcp->size ? POLLOUT : 0));
	xsmcSetInteger(xsResult, (xsIntegerValue)length);
}

/* write(bytes): the room that is left. */
void xs_posix_write(xsMachine* the)
{
	Tcp* tcp = tcpOf(the);
	void* bytes;
	xsUnsignedValue length;
	xsmcGetBufferReadable(xsArg(0), &bytes, &length);
	if ((xsIntegerValue)length > tcp->room)
		xsUnknownError("would block");
	send(tcp->socket, bytes, length, MSG_NOSIGNAL);
	tcp->room -= length;
	rewatch(tcp->watched, POLLIN | POLLOUT);
	xsmcSetInteger(xsResult, tcp->room);
}

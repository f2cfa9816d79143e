/*
 * Peers of the device are lwIP's own sockets at other addresses of the same lwIP, each of which passes on what a socket of the host sends:
 * 127.0.0.<n> of the host is 10.0.0.<FIRST_CLIENT + n - 1> for the device, and 10.0.0.<SERVER> is the host's 127.0.0.1. Every segment goes
 * through lwIP on both sides; an end, a reset and a window that fills up arrive as what they are. One thread for each direction.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lwip/api.h"
#include "lwip/netif.h"
#include "lwip/priv/sockets_priv.h"
#include "lwip/priv/tcpip_priv.h"
#include "lwip/prot/tcp.h"
#include "lwip/sockets.h"
#include "lwip/tcp.h"
#include "lwip/tcpip.h"

#include "xsmc.h"
#include "gateway.h"
#include "idf.h"
#include "packets.h"

#define NETWORK 0x0a000000
#define DEVICE 1
#define DEVICE_PORT 80
#define SERVER 100
#define FIRST_CLIENT 101
#define LAST_CLIENT 108
#define INTERFACES (2 + LAST_CLIENT - FIRST_CLIENT + 1)
/* Of the storm: nobody is there. */
#define STORM 200
#define BACKLOG 128

typedef struct {
	int host, inside, left;
} Link;

typedef struct {
	uint16_t inside, host;
} Forward;

typedef struct {
	struct tcpip_api_call_data call;
	int socket;
} Abortion;

static struct netif interfaces[INTERFACES];
static int hostListener;

/* To the interface with that address; to any other there is no way. */
static err_t output(struct netif* netif, struct pbuf* packet, const ip4_addr_t* address)
{
	(void)netif;
	for (int at = 0; at < INTERFACES; at++)
		if (ip4_addr_cmp(address, netif_ip4_addr(&interfaces[at])))
			return netif_loop_output(&interfaces[at], packet);
	return ERR_OK;
}

static err_t addInterfaces(struct tcpip_api_call_data* call)
{
	(void)call;
	for (int at = 0; at < INTERFACES; at++)
		addInterface(&interfaces[at], at ? SERVER + at - 1 : DEVICE, SERVER, output);
	netif_set_default(&interfaces[0]);
	return ERR_OK;
}

static err_t abortConnection(struct tcpip_api_call_data* call)
{
	struct lwip_sock* socket = lwip_socket_dbg_get_socket(((Abortion*)call)->socket);
	if (socket && socket->conn && socket->conn->pcb.tcp)
		tcp_abort(socket->conn->pcb.tcp);
	return ERR_OK;
}

static void resetInside(int socket)
{
	Abortion abortion = {.socket = socket};
	tcpip_api_call(abortConnection, &abortion.call);
}

/* close(2) sends a reset. */
static void resetHost(int socket)
{
	struct linger none = {1, 0};
	setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	shutdown(socket, SHUT_RD);
}

static void finish(Link* link)
{
	if (__atomic_sub_fetch(&link->left, 1, __ATOMIC_SEQ_CST))
		return;
	lwip_close(link->inside);
	close(link->host);
	free(link);
}

static void* passInwards(void* data)
{
	Link* link = data;
	char bytes[4096];
	ssize_t count, sent = 0;
	while ((count = recv(link->host, bytes, sizeof(bytes), 0)) > 0 && sent >= 0)
		for (ssize_t at = 0; at < count && (sent = lwip_send(link->inside, bytes + at, count - at, 0)) >= 0; at += sent);
	if (count)
		resetInside(link->inside);
	else
		lwip_shutdown(link->inside, SHUT_WR);
	finish(link);
	return NULL;
}

static void* passOutwards(void* data)
{
	Link* link = data;
	char bytes[4096];
	ssize_t count, sent = 0;
	while (sent >= 0 && (count = lwip_recv(link->inside, bytes, sizeof(bytes), 0)) > 0)
		for (ssize_t at = 0; at < count && (sent = send(link->host, bytes + at, count - at, MSG_NOSIGNAL)) >= 0; at += sent);
	if (sent < 0)
		resetInside(link->inside);
	else if (count)
		resetHost(link->host);
	else
		shutdown(link->host, SHUT_WR);
	finish(link);
	return NULL;
}

static void begin(void* (*run)(void*), void* data)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, run, data))
		abort();
	pthread_detach(thread);
}

static void passBothWays(int host, int inside)
{
	int on = 1;
	Link* link = calloc(1, sizeof(Link));
	*link = (Link){host, inside, 2};
	setsockopt(host, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	lwip_setsockopt(inside, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	begin(passOutwards, link);
	begin(passInwards, link);
}

static struct sockaddr_in addressOf(uint32_t address, uint16_t port)
{
	struct sockaddr_in result = {.sin_family = AF_INET, .sin_port = htons(port)};
	result.sin_addr.s_addr = htonl(address);
	return result;
}

/* A client of the host's is connected to the device, from the address that it has there. */
static void* connectInwards(void* data)
{
	int host = (int)(intptr_t)data;
	struct sockaddr_in peer;
	socklen_t length = sizeof(peer);
	getpeername(host, (struct sockaddr*)&peer, &length);
	uint8_t client = FIRST_CLIENT - 1 + (ntohl(peer.sin_addr.s_addr) & 0xff);
	struct sockaddr_in from = addressOf(NETWORK | client, 0), to = addressOf(NETWORK | DEVICE, DEVICE_PORT);
	int inside = lwip_socket(AF_INET, SOCK_STREAM, 0);
	if (lwip_bind(inside, (struct sockaddr*)&from, sizeof(from)) || lwip_connect(inside, (struct sockaddr*)&to, sizeof(to))) {
		resetHost(host);
		close(host);
		lwip_close(inside);
	} else
		passBothWays(host, inside);
	return NULL;
}

static void* acceptFromHost(void* data)
{
	(void)data;
	for (int host; (host = accept(hostListener, NULL, NULL)) >= 0;)
		begin(connectInwards, (void*)(intptr_t)host);
	return NULL;
}

static void* acceptFromDevice(void* data)
{
	Forward* forward = data;
	struct sockaddr_in here = addressOf(NETWORK | SERVER, forward->inside), to = addressOf(INADDR_LOOPBACK, forward->host);
	int listener = lwip_socket(AF_INET, SOCK_STREAM, 0);
	if (lwip_bind(listener, (struct sockaddr*)&here, sizeof(here)) || lwip_listen(listener, BACKLOG))
		abort();
	for (int inside; (inside = lwip_accept(listener, NULL, NULL)) >= 0;) {
		int host = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(host, (struct sockaddr*)&to, sizeof(to))) {
			resetInside(inside);
			lwip_close(inside);
			close(host);
		} else
			passBothWays(host, inside);
	}
	free(forward);
	return NULL;
}

void openGateway(void)
{
	struct tcpip_api_call_data call;
	struct sockaddr_in address = addressOf(INADDR_LOOPBACK, 0);
	startStack();
	tcpip_api_call(addInterfaces, &call);
	hostListener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(hostListener, (struct sockaddr*)&address, sizeof(address)) || listen(hostListener, BACKLOG))
		abort();
	begin(acceptFromHost, NULL);
}

void closeGateway(void)
{
	shutdown(hostListener, SHUT_RDWR);
}

/* port(): of the host, that is the device's. */
void xs_gateway_port(xsMachine* the)
{
	struct sockaddr_in address;
	socklen_t length = sizeof(address);
	getsockname(hostListener, (struct sockaddr*)&address, &length);
	xsmcSetInteger(xsResult, ntohs(address.sin_port));
}

/* forward(inside, host): a port of 10.0.0.<SERVER> is that port of the host. */
void xs_gateway_forward(xsMachine* the)
{
	Forward* forward = malloc(sizeof(Forward));
	*forward = (Forward){xsmcToInteger(xsArg(0)), xsmcToInteger(xsArg(1))};
	begin(acceptFromDevice, forward);
}

/* storm(count): so many segments of every kind to the device's port, from nobody, that fit nothing or open what is never completed. */
void xs_gateway_storm(xsMachine* the)
{
	static const uint8_t FLAGS[] = {TCP_SYN, TCP_SYN, TCP_SYN, TCP_RST, TCP_RST | TCP_ACK, TCP_ACK, TCP_FIN | TCP_ACK, TCP_SYN | TCP_FIN, 0};
	static uint32_t state = 1;
	static const uint8_t content[64];
	for (xsIntegerValue count = xsmcToInteger(xsArg(0)); count > 0; count--) {
		state = state * 1664525 + 1013904223;
		uint32_t random = state >> 8;
		Segment segment = {
			.from = 1024 + random % 60,
			.to = DEVICE_PORT,
			.flags = FLAGS[random / 64 % sizeof(FLAGS)],
			.sequence = random,
			.acknowledged = random * 7,
			.window = random,
		};
		sendSegment(&interfaces[0], STORM, &segment, content, segment.flags == TCP_SYN ? 0 : random % sizeof(content));
	}
}

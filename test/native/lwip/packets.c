#include <stdlib.h>
#include <string.h>

#include "lwip/inet_chksum.h"
#include "lwip/ip4.h"
#include "lwip/priv/tcpip_priv.h"
#include "packets.h"

#define IP_HEADER 20
#define TCP_HEADER 20
#define UDP_HEADER 8
/* What a received frame takes of the heap beside its IP packet: header, pbuf, and the heap's own (docs/performance.md). */
#define FRAME (14 + 16 + 4)
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17
#define TCP_CHECKSUM_AT 16
#define UDP_CHECKSUM_AT 6
#define NETWORK 0x0a000000

typedef struct {
	struct tcpip_api_call_data call;
	struct netif* to;
	struct pbuf* packet;
} Injection;

/* A driver's receive buffer: it is free again once nobody holds its pbuf. */
typedef struct {
	struct pbuf_custom pbuf;
	int frame;
	uint8_t bytes[IP_HEADER + TCP_HEADER + MAX_CONTENT];
} Buffer;

static int held;

bool (*takesHeap)(int bytes);

static void release(struct pbuf* packet)
{
	__atomic_sub_fetch(&held, 1, __ATOMIC_SEQ_CST);
	if (takesHeap)
		takesHeap(-((Buffer*)packet)->frame);
	free(packet);
}

int heldPackets(void)
{
	return __atomic_load_n(&held, __ATOMIC_SEQ_CST);
}

static struct pbuf* receive(size_t length)
{
	Buffer* buffer = calloc(1, sizeof(Buffer));
	buffer->pbuf.custom_free_function = release;
	buffer->frame = length + FRAME;
	if (takesHeap && !takesHeap(buffer->frame)) {
		free(buffer);
		return NULL;
	}
	__atomic_add_fetch(&held, 1, __ATOMIC_SEQ_CST);
	return pbuf_alloced_custom(PBUF_RAW, length, PBUF_REF, &buffer->pbuf, buffer->bytes, sizeof(buffer->bytes));
}

static err_t inject(struct tcpip_api_call_data* call)
{
	Injection* injection = (Injection*)call;
	if (injection->to->input(injection->packet, injection->to) != ERR_OK)
		pbuf_free(injection->packet);
	return ERR_OK;
}

static err_t initialise(struct netif* interface)
{
	interface->name[0] = 'w';
	interface->mtu = 1500;
	interface->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_IGMP;
	return ERR_OK;
}

void addInterface(struct netif* interface, uint8_t host, uint8_t gateway, netif_output_fn output)
{
	ip4_addr_t address, mask, router;
	IP4_ADDR(&address, 10, 0, 0, host);
	IP4_ADDR(&mask, 255, 255, 255, 0);
	IP4_ADDR(&router, 10, 0, 0, gateway);
	netif_add(interface, &address, &mask, &router, NULL, initialise, ip4_input);
	interface->output = output;
	netif_set_link_up(interface);
	netif_set_up(interface);
}

uint8_t deviceHost = 1;

void put16(uint8_t* at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value & 0xff;
}

static void put32(uint8_t* at, uint32_t value)
{
	put16(at, value >> 16);
	put16(at + 2, value & 0xffff);
}

/* `bytes` begins with room for the IP header. */
static void sendPacket(struct netif* netif, uint8_t from, uint8_t* bytes, size_t length, uint8_t protocol, int checksumAt)
{
	static uint16_t identification;
	Injection injection = {.to = netif};
	ip4_addr_t source, destination;
	struct pbuf* packet = receive(length);
	if (!packet)
		return;
	bytes[0] = 0x45;
	put16(bytes + 2, length);
	put16(bytes + 4, ++identification);
	bytes[8] = 64;
	bytes[9] = protocol;
	put32(bytes + 12, NETWORK | from);
	put32(bytes + 16, NETWORK | deviceHost);
	uint16_t sum = inet_chksum(bytes, IP_HEADER);
	memcpy(bytes + 10, &sum, sizeof(sum));
	IP4_ADDR(&source, 10, 0, 0, from);
	IP4_ADDR(&destination, 10, 0, 0, deviceHost);
	pbuf_take(packet, bytes, length);
	pbuf_remove_header(packet, IP_HEADER);
	sum = inet_chksum_pseudo(packet, protocol, length - IP_HEADER, &source, &destination);
	pbuf_add_header_force(packet, IP_HEADER);
	memcpy(bytes + IP_HEADER + checksumAt, &sum, sizeof(sum));
	pbuf_take(packet, bytes, length);
	injection.packet = packet;
	tcpip_api_call(inject, &injection.call);
}

void sendSegment(struct netif* to, uint8_t from, const Segment* segment, const void* content, size_t length)
{
	uint8_t bytes[IP_HEADER + TCP_HEADER + MAX_CONTENT] = {0};
	uint8_t* header = bytes + IP_HEADER;
	memcpy(header + TCP_HEADER, content, length);
	put16(header, segment->from);
	put16(header + 2, segment->to);
	put32(header + 4, segment->sequence);
	put32(header + 8, segment->acknowledged);
	header[12] = TCP_HEADER / 4 << 4;
	header[13] = segment->flags;
	put16(header + 14, segment->window);
	sendPacket(to, from, bytes, IP_HEADER + TCP_HEADER + length, PROTOCOL_TCP, TCP_CHECKSUM_AT);
}

void sendDatagram(struct netif* to, uint8_t from, uint16_t fromPort, uint16_t toPort, const void* content, size_t length)
{
	uint8_t bytes[IP_HEADER + UDP_HEADER + MAX_CONTENT] = {0};
	uint8_t* header = bytes + IP_HEADER;
	memcpy(header + UDP_HEADER, content, length);
	put16(header, fromPort);
	put16(header + 2, toPort);
	put16(header + 4, UDP_HEADER + length);
	sendPacket(to, from, bytes, IP_HEADER + UDP_HEADER + length, PROTOCOL_UDP, UDP_CHECKSUM_AT);
}

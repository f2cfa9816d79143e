// SPDX-License-Identifier: MIT
/*
 * For ../net.js: the name servers in use, lwIP's table, which DHCP changes in lwIP's task (the SDK's C reads it from XS's), the time server of
 * the lease, and the network mask, which the SDK's C does not have.
 */
#include "lwip/dns.h"
#include "lwip/netif.h"
#include "sockets.h"

typedef struct {
	struct tcpip_api_call_data call;
	uint8_t index;
	ip_addr_t address;
} Call;

/* Indexes beyond lwIP's table. */
#define TIME_SERVER 255
#define MASK 254

/* In lwIP's task */
static ip_addr_t timeServer;

/*
 * DHCP's option 42 (CONFIG_LWIP_DHCP_GET_NTP_SRV): lwIP's DHCP calls it in its task at each lease, without servers if there is no such option.
 * In the place of that of lwIP's own SNTP client, which is not linked.
 */
void dhcp_set_ntp_servers(u8_t count, const ip4_addr_t* servers)
{
	if (count)
		ip_addr_copy_from_ip4(timeServer, servers[0]);
	else
		ip_addr_set_zero(&timeServer);
}

/* In lwIP's task */
static err_t callRead(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	if (call->index != MASK)
		call->address = call->index == TIME_SERVER ? timeServer : *dns_getserver(call->index);
	else if (netif_default)
		ip_addr_copy_from_ip4(call->address, *netif_ip4_netmask(netif_default));
	return ERR_OK;
}

/*
 * (index): address of the name server; at TIME_SERVER that of the time server, at MASK the mask of the default interface. Undefined if there is
 * none.
 */
void xs_dns_server(xsMachine* the)
{
	char text[ADDRESS_LENGTH];
	Call call = {.index = (uint8_t)xsmcToInteger(xsArg(0))};
	if (!STACK_RUNS())
		return;
	tcpip_api_call(callRead, &call.call);
	if (!ip_addr_isany(&call.address))
		xsmcSetString(xsResult, ipaddr_ntoa_r(&call.address, text, sizeof(text)));
}

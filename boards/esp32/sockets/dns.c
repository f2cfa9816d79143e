// SPDX-License-Identifier: MIT
/* The name servers in use, for ../net.js: lwIP's table, which DHCP changes in lwIP's task. The SDK's C reads it from XS's task. */
#include "lwip/dns.h"
#include "sockets.h"

typedef struct {
	struct tcpip_api_call_data call;
	uint8_t index;
	ip_addr_t address;
} Call;

/* In lwIP's task */
static err_t callRead(struct tcpip_api_call_data* data)
{
	Call* call = (Call*)data;
	call->address = *dns_getserver(call->index);
	return ERR_OK;
}

/* (index): its address; undefined if there is none. */
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

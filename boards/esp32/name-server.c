/* name-server.js: the DNS server of an interface with a static address. */
#include "xsmc.h"
#include "mc.xs.h"
#include "esp_netif.h"

#define TEXT_BYTES 16

/* (ESP-IDF's key of the interface, 0 or 1, IPv4 address). Ignored while the interface does not exist. */
void xs_name_server_set(xsMachine *the)
{
	char key[TEXT_BYTES], address[TEXT_BYTES];
	esp_netif_dns_info_t info = {0};
	xsmcToStringBuffer(xsArg(0), key, sizeof key);
	xsmcToStringBuffer(xsArg(2), address, sizeof address);
	esp_netif_t *interface = esp_netif_get_handle_from_ifkey(key);
	if (!interface)
		return;
	info.ip.type = ESP_IPADDR_TYPE_V4;
	info.ip.u_addr.ip4.addr = esp_ip4addr_aton(address);
	esp_netif_set_dns_info(interface, xsmcToInteger(xsArg(1)), &info);
}

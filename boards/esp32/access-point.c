// SPDX-License-Identifier: MIT
/*
 * The only access point that the station joins. The SDK's `connect` has no member for it and makes its own configuration: what XS's sources, its
 * own among them, call esp_wifi_set_config is setWiFiConfig (C_FLAGS_SUBPLATFORM of the manifest), which adds it.
 */
#undef esp_wifi_set_config
#include <stdbool.h>
#include <string.h>
#include "esp_wifi.h"
#include "xsmc.h"
#include "xsHost.h"
#include "mc.xs.h"

#define TEXT_BYTES 18

static uint8_t bssid[6];
static bool isChosen;

/* The prototype that the SDK's sources have by that name. */
esp_err_t setWiFiConfig(wifi_interface_t interface, wifi_config_t *config);

esp_err_t setWiFiConfig(wifi_interface_t interface, wifi_config_t *config)
{
	if (interface == WIFI_IF_STA && isChosen && config->sta.ssid[0]) {
		memcpy(config->sta.bssid, bssid, sizeof bssid);
		config->sta.bssid_set = true;
	}
	return esp_wifi_set_config(interface, config);
}

/* A digit as src/settings/text-rules.ts lets it through: 0 to 9, a to f. */
static uint8_t digit(char code)
{
	return (uint8_t)(code <= '9' ? code - '0' : code - 'a' + 10);
}

/* (bssid): aa:bb:cc:dd:ee:ff, or empty. */
void xs_wifi_choose(xsMachine *the)
{
	char text[TEXT_BYTES];
	xsmcToStringBuffer(xsArg(0), text, sizeof text);
	isChosen = strlen(text) == TEXT_BYTES - 1;
	for (size_t at = 0; isChosen && at < sizeof bssid; at++)
		bssid[at] = (uint8_t)(digit(text[3 * at]) << 4 | digit(text[3 * at + 1]));
}

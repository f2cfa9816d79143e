/*
 * The SDK's Ethernet class (modules/io/ethernet/esp32 of Moddable SDK 8.2.3), with its driver started in a task of its own.
 *
 * The SDK starts the driver in the constructor of the first object. There ESP-IDF resets the PHY and waits for auto-negotiation (0.5 s and
 * up to 4 s: esp_eth_phy_generic.c, esp_eth_phy_802_3.c of ESP-IDF 6.0.2), while the script stands still; and DHCP sends its first request
 * before that returns, with ESP-IDF's default host name. The function that does this is private to the SDK's file, hence the include.
 */
#include <string.h>

#include "mc.defines.h"
#include "esp_eth_mac_esp.h"

#ifdef MODDEF_ETHERNET_INTERNAL_MAC_CLOCK
/* The chip clocks the PHY, at this pin: the SDK leaves ESP-IDF's default, a clock from outside. */
static esp_eth_mac_t *newClockingMAC(const eth_esp32_emac_config_t *chip, const eth_mac_config_t *common)
{
	eth_esp32_emac_config_t clocking = *chip;
	clocking.clock_config.rmii.clock_mode = EMAC_CLK_OUT;
	clocking.clock_config.rmii.clock_gpio = MODDEF_ETHERNET_INTERNAL_MAC_CLOCK;
	return esp_eth_mac_new_esp32(&clocking, common);
}

#define esp_eth_mac_new_esp32 newClockingMAC
#endif

#include "ethernet-esp32.c"

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

/* ESP_NETIF_HOSTNAME_MAX_SIZE, with the NUL. */
#define NAME_BYTES 33
/* The driver's calls need less than half of it; the log of a failure the most. */
#define STACK_BYTES 4096
/* Above XS's task (4), below ESP-IDF's event task (20) and lwIP's (18). */
#define PRIORITY 5

enum { NEVER_STARTED, STARTING, STARTED, FAILED };

static char name[NAME_BYTES];
/* Written by XS's task to start, then by the driver's to end. */
static uint8_t state = NEVER_STARTED;
static bool isNaming;

/* The driver has started, and DHCP has not: this handler is registered before ESP-IDF's own. */
static void nameInterface(void *unused, esp_event_base_t base, int32_t event, void *data)
{
	(void)unused, (void)base, (void)event, (void)data;
	esp_netif_set_hostname(gNetif, name);
}

static void startInTask(void *unused)
{
	(void)unused;
	initEthernet();
	__atomic_store_n(&state, gNetif ? STARTED : FAILED, __ATOMIC_RELEASE);
	vTaskDelete(NULL);
}

/* (hostname) */
void xs_ethernet_start(xsMachine *the)
{
	if (STARTING == __atomic_load_n(&state, __ATOMIC_ACQUIRE))
		xsUnknownError("already starting");
	xsmcToStringBuffer(xsArg(0), name, sizeof(name));
	/* As the SDK does, whose calls then find it done. */
	if (ESP_OK != esp_netif_init())
		xsUnknownError("no memory");
	esp_err_t err = esp_event_loop_create_default();
	if (ESP_OK != err && ESP_ERR_INVALID_STATE != err)
		xsUnknownError("no memory");
	if (!isNaming && ESP_OK != esp_event_handler_register(ETH_EVENT, ETHERNET_EVENT_START, nameInterface, NULL))
		xsUnknownError("no memory");
	isNaming = true;
	__atomic_store_n(&state, STARTING, __ATOMIC_RELEASE);
	if (pdPASS != xTaskCreate(startInTask, "ethernet", STACK_BYTES, NULL, PRIORITY, NULL)) {
		__atomic_store_n(&state, FAILED, __ATOMIC_RELEASE);
		xsUnknownError("no memory");
	}
}

/* True: started; false: failed; undefined: neither yet. */
void xs_ethernet_is_started(xsMachine *the)
{
	switch (__atomic_load_n(&state, __ATOMIC_ACQUIRE)) {
		case STARTED: xsmcSetTrue(xsResult); break;
		case FAILED: xsmcSetFalse(xsResult); break;
	}
}

void xs_ethernet_read_mac(xsMachine *the)
{
	uint8_t mac[6];
	char text[18];
	if (ESP_OK != esp_read_mac(mac, ESP_MAC_ETH))
		xsUnknownError("no MAC address");
	formatMAC(mac, text);
	xsmcSetString(xsResult, text);
}

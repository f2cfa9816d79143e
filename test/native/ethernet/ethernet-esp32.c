/*
 * Under the name of the SDK's file, which boards/esp32/ethernet/ethernet.c includes: its driver's start, and of ESP-IDF 6.0.2 and FreeRTOS what
 * the two use. The start stands still until the test lets it go on, and events are handled in the order of registration (esp_event.c).
 * DHCP begins with the event of the start: no later than on the chip, where it waits for the link.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "xsmc.h"
#include "mc.xs.h"

typedef int esp_err_t;
#define ESP_OK 0
#define ESP_FAIL -1
#define ESP_ERR_NO_MEM 0x101
#define ESP_ERR_INVALID_STATE 0x103

typedef struct {
	char hostname[33];
} esp_netif_t;

typedef const char* esp_event_base_t;
typedef void (*esp_event_handler_t)(void* argument, esp_event_base_t base, int32_t event, void* data);
#define ETH_EVENT "ETH_EVENT"
enum { ETHERNET_EVENT_START, ETHERNET_EVENT_STOP };
#define ESP_MAC_ETH 3
#define pdPASS 1
#define pdFAIL 0
#define MAX_HANDLERS 8

/* What fails, by its name in `xs_chip_fail`. */
static struct {
	bool netif, loop, handler, task, driver, mac;
} fails;
static bool isStackUp, hasLoop;
static esp_netif_t interface;
static esp_event_handler_t handlers[MAX_HANDLERS];
static int handlerCount;
static sem_t released;
static char requested[256];

static esp_netif_t* gNetif;
/* The MAC's configuration: MDC, MDIO, the common flags, clock mode and clock pin. */
static char mac[64];

static esp_err_t esp_netif_init(void)
{
	if (fails.netif)
		return ESP_ERR_NO_MEM;
	isStackUp = true;
	return ESP_OK;
}

static esp_err_t esp_event_loop_create_default(void)
{
	if (hasLoop)
		return ESP_ERR_INVALID_STATE;
	if (fails.loop)
		return ESP_ERR_NO_MEM;
	hasLoop = true;
	return ESP_OK;
}

static esp_err_t esp_event_handler_register(esp_event_base_t base, int32_t event, esp_event_handler_t handler, void* argument)
{
	(void)argument;
	if (!hasLoop || fails.handler || strcmp(base, ETH_EVENT) || event != ETHERNET_EVENT_START || handlerCount == MAX_HANDLERS)
		return ESP_FAIL;
	handlers[handlerCount++] = handler;
	return ESP_OK;
}

static esp_err_t esp_netif_set_hostname(esp_netif_t* netif, const char* name)
{
	if (!netif || !isStackUp)
		return ESP_FAIL;
	snprintf(netif->hostname, sizeof(netif->hostname), "%s", name);
	return ESP_OK;
}

static esp_err_t esp_read_mac(uint8_t* mac, int type)
{
	static const uint8_t own[] = {0x24, 0x6f, 0x28, 0x01, 0x02, 0x06};
	if (fails.mac || type != ESP_MAC_ETH)
		return ESP_FAIL;
	memcpy(mac, own, sizeof(own));
	return ESP_OK;
}

static void formatMAC(const uint8_t* mac, char* text)
{
	sprintf(text, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

/* ESP-IDF's own handler: DHCP. */
static void requestAddress(void* argument, esp_event_base_t base, int32_t event, void* data)
{
	(void)argument, (void)base, (void)event, (void)data;
	strcat(strcat(requested, interface.hostname), " ");
}

static void initEthernet(void)
{
	if (gNetif)
		return;
	esp_netif_init();
	esp_event_loop_create_default();
	strcpy(interface.hostname, "espressif");
	gNetif = &interface;
	/* ESP-IDF's default: a clock from outside, at GPIO 0. */
	const eth_esp32_emac_config_t chip = {.smi_gpio = {23, 18}};
	const eth_mac_config_t common = {7};
	if (esp_eth_mac_new_esp32(&chip, &common) != (esp_eth_mac_t*)mac)
		abort();
	/* PHY reset and auto-negotiation. */
	sem_wait(&released);
	if (fails.driver) {
		gNetif = NULL;
		return;
	}
	esp_event_handler_register(ETH_EVENT, ETHERNET_EVENT_START, requestAddress, NULL);
	for (int at = 0; at < handlerCount; at++)
		handlers[at](NULL, ETH_EVENT, ETHERNET_EVENT_START, NULL);
}

static int xTaskCreate(void* (*task)(void*), const char* name, uint32_t stack, void* argument, int priority, void* handle)
{
	pthread_t thread;
	(void)name, (void)stack, (void)priority, (void)handle;
	if (fails.task || pthread_create(&thread, NULL, task, argument))
		return pdFAIL;
	pthread_detach(thread);
	return pdPASS;
}
/* A task of FreeRTOS returns nothing, a thread does. */
#define xTaskCreate(task, ...) xTaskCreate((void* (*)(void*))(void*)task, __VA_ARGS__)
#define vTaskDelete(task) pthread_exit(task)

/* (name, isFailing) */
void xs_chip_fail(xsMachine* the)
{
	const char* name = xsmcToString(xsArg(0));
	bool is = xsmcToBoolean(xsArg(1));
	if (!strcmp(name, "netif")) fails.netif = is;
	if (!strcmp(name, "loop")) fails.loop = is;
	if (!strcmp(name, "handler")) fails.handler = is;
	if (!strcmp(name, "task")) fails.task = is;
	if (!strcmp(name, "driver")) fails.driver = is;
	if (!strcmp(name, "mac")) fails.mac = is;
}

/* The driver's start goes on. */
void xs_chip_release(xsMachine* the)
{
	(void)the;
	sem_post(&released);
}

void xs_chip_configured(xsMachine* the)
{
	xsmcSetString(xsResult, mac);
}

/* The host names in DHCP's requests. */
void xs_chip_requested(xsMachine* the)
{
	xsmcSetString(xsResult, requested);
}

void xs_chip_is_stack_up(xsMachine* the)
{
	xsmcSetBoolean(xsResult, isStackUp);
}

#undef esp_eth_mac_new_esp32
esp_eth_mac_t* esp_eth_mac_new_esp32(const eth_esp32_emac_config_t* chip, const eth_mac_config_t* common)
{
	snprintf(mac, sizeof(mac), "%d %d %u %s %d", chip->smi_gpio.mdc_num, chip->smi_gpio.mdio_num, common->flags,
		chip->clock_config.rmii.clock_mode == EMAC_CLK_OUT ? "out" : "in", chip->clock_config.rmii.clock_gpio);
	return (esp_eth_mac_t*)mac;
}

void startPart(void)
{
	sem_init(&released, 0, 0);
}

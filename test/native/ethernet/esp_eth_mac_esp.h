/* Of ESP-IDF 6.0.2: the configuration of the chip's MAC, as far as it is looked at. */
#pragma once

typedef enum { EMAC_CLK_EXT_IN, EMAC_CLK_OUT } emac_rmii_clock_mode_t;

typedef struct {
	struct {
		int mdc_num, mdio_num;
	} smi_gpio;
	union {
		struct {
			emac_rmii_clock_mode_t clock_mode;
			int clock_gpio;
		} rmii;
	} clock_config;
} eth_esp32_emac_config_t;

typedef struct {
	unsigned flags;
} eth_mac_config_t;

typedef struct esp_eth_mac_s esp_eth_mac_t;

esp_eth_mac_t* esp_eth_mac_new_esp32(const eth_esp32_emac_config_t* chip, const eth_mac_config_t* common);

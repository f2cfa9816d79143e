/* What boards/esp32/store.c uses of ESP-IDF's header of this name; by flash.c. */
#ifndef __NVS_FLASH__
#define __NVS_FLASH__

#include "esp_partition.h"

#define NVS_DEFAULT_PART_NAME "nvs"

esp_err_t nvs_flash_init(void);
esp_err_t nvs_flash_init_partition_ptr(const esp_partition_t *partition);
esp_err_t nvs_flash_erase(void);
esp_err_t nvs_flash_deinit(void);

#endif

/* What the SDK's flash-esp32.c uses of ESP-IDF's header of this name; by ../../esp_partition.c. */
#ifndef __ESP_OTA_OPS__
#define __ESP_OTA_OPS__

#include "esp_partition.h"

const esp_partition_t *esp_ota_get_running_partition(void);
const esp_partition_t *esp_ota_get_next_update_partition(const esp_partition_t *from);

#endif

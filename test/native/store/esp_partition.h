/* What boards/esp32/store.c uses of ESP-IDF's header of this name; by flash.c. */
#ifndef __ESP_PARTITION__
#define __ESP_PARTITION__

#include <stddef.h>
#include <stdint.h>

typedef int esp_err_t;
#define ESP_OK 0
#define ESP_FAIL (-1)

typedef enum { ESP_PARTITION_TYPE_DATA = 1 } esp_partition_type_t;
typedef enum { ESP_PARTITION_SUBTYPE_DATA_NVS = 2, ESP_PARTITION_SUBTYPE_ANY = 0xff } esp_partition_subtype_t;

typedef struct {
	void *flash_chip;
	uint32_t address;
	uint32_t size;
	char label[17];
} esp_partition_t;

const esp_partition_t *esp_partition_find_first(esp_partition_type_t type, esp_partition_subtype_t subtype, const char *label);
esp_err_t esp_partition_read(const esp_partition_t *partition, size_t at, void *bytes, size_t length);
esp_err_t esp_partition_write(const esp_partition_t *partition, size_t at, const void *bytes, size_t length);
esp_err_t esp_partition_erase_range(const esp_partition_t *partition, size_t at, size_t length);

#endif

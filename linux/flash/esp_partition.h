/* What the SDK's flash-esp32.c uses of ESP-IDF's header of this name; by esp_partition.c. */
#ifndef __ESP_PARTITION__
#define __ESP_PARTITION__

#include <stddef.h>
#include <stdint.h>

typedef int esp_err_t;
#define ESP_OK 0
#define ESP_ERR_INVALID_ARG 0x102
#define ESP_ERR_INVALID_SIZE 0x104

typedef enum { ESP_PARTITION_TYPE_DATA = 1, ESP_PARTITION_TYPE_ANY = 0xff } esp_partition_type_t;
typedef enum { ESP_PARTITION_SUBTYPE_ANY = 0xff } esp_partition_subtype_t;

typedef struct {
	uint32_t address;
	uint32_t size;
	uint32_t erase_size;
	char label[17];
} esp_partition_t;

typedef const esp_partition_t *esp_partition_iterator_t;

esp_partition_iterator_t esp_partition_find(esp_partition_type_t type, esp_partition_subtype_t subtype, const char *label);
esp_partition_iterator_t esp_partition_next(esp_partition_iterator_t iterator);
const esp_partition_t *esp_partition_get(esp_partition_iterator_t iterator);
void esp_partition_iterator_release(esp_partition_iterator_t iterator);
const esp_partition_t *esp_partition_find_first(esp_partition_type_t type, esp_partition_subtype_t subtype, const char *label);
esp_err_t esp_partition_read(const esp_partition_t *partition, size_t at, void *bytes, size_t length);
esp_err_t esp_partition_write(const esp_partition_t *partition, size_t at, const void *bytes, size_t length);
esp_err_t esp_partition_erase_range(const esp_partition_t *partition, size_t at, size_t length);

#endif

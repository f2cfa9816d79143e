/*
 * One start of the chip: boards/esp32/store.c on a flash that is a file, then what the SDK's app_main asks of NVS.
 *
 *   store FILE NAME=START,SIZE … [bad=START,END] … [unread=N] [cut=N] [reset=1]
 *
 * Partitions by name; sectors that can be neither erased nor written; the first N settings-up of NVS fail; the power goes instead of the
 * change N + 1 of the flash. Says a line of JSON: how NVS was set up, whether app_main goes on, where its store is, and how many changes there were; after a factory reset also whether
 * all was erased.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "nvs_flash/include/nvs_flash.h"

#define SECTOR 0x1000
#define MAX_PARTITIONS 4
#define MAX_BAD 4
#define EXIT_CUT 3
/* The first word of a page in use. */
#define PAGE_MARK 0x5053564e

extern uint32_t storeOpen(void);
extern int32_t storeState(void);
extern bool storeErase(void);

static uint8_t *flash;
static uint32_t flashSize;
static esp_partition_t partitions[MAX_PARTITIONS];
static int partitionCount;
static struct { uint32_t start, end; } bad[MAX_BAD];
static int badCount;
static long unread, cut = -1, changes;
static bool resets;
static const esp_partition_t *store;

static bool isBad(uint32_t at)
{
	for (int i = 0; i < badCount; i++)
		if (at >= bad[i].start && at < bad[i].end)
			return true;
	return false;
}

static void change(void)
{
	if (changes++ == cut)
		_exit(EXIT_CUT);
}

const esp_partition_t *esp_partition_find_first(esp_partition_type_t type, esp_partition_subtype_t subtype, const char *label)
{
	(void)type;
	(void)subtype;
	for (int i = 0; i < partitionCount; i++)
		if (!strcmp(partitions[i].label, label))
			return &partitions[i];
	return NULL;
}

static bool isInside(const esp_partition_t *partition, size_t at, size_t length)
{
	return at <= partition->size && length <= partition->size - at;
}

esp_err_t esp_partition_read(const esp_partition_t *partition, size_t at, void *bytes, size_t length)
{
	if (!isInside(partition, at, length))
		return ESP_FAIL;
	memcpy(bytes, flash + partition->address + at, length);
	return ESP_OK;
}

/* Clears bits, and sets none. */
esp_err_t esp_partition_write(const esp_partition_t *partition, size_t at, const void *bytes, size_t length)
{
	uint32_t address = partition->address + at;
	if (!isInside(partition, at, length) || isBad(address))
		return ESP_FAIL;
	change();
	for (size_t i = 0; i < length; i++)
		flash[address + i] &= ((const uint8_t *)bytes)[i];
	return ESP_OK;
}

esp_err_t esp_partition_erase_range(const esp_partition_t *partition, size_t at, size_t length)
{
	if (!isInside(partition, at, length) || at % SECTOR || length % SECTOR)
		return ESP_FAIL;
	for (; length; at += SECTOR, length -= SECTOR) {
		if (isBad(partition->address + at))
			return ESP_FAIL;
		change();
		memset(flash + partition->address + at, 0xff, SECTOR);
	}
	return ESP_OK;
}

static uint32_t mark(const esp_partition_t *partition, uint32_t at)
{
	uint32_t word;
	memcpy(&word, flash + partition->address + at, sizeof word);
	return word;
}

/* As ESP-IDF's own goes about it: what has been set up under the label is not set up again. */
esp_err_t nvs_flash_init_partition_ptr(const esp_partition_t *partition)
{
	const uint32_t used = PAGE_MARK;
	if (store && !strcmp(store->label, partition->label))
		return ESP_OK;
	if (unread-- > 0)
		return ESP_FAIL;
	for (uint32_t at = 0; at < partition->size; at += SECTOR)
		if (mark(partition, at) != PAGE_MARK && mark(partition, at) != 0xffffffff)
			return ESP_FAIL;
	if (mark(partition, 0) != PAGE_MARK && ESP_OK != esp_partition_write(partition, 0, &used, sizeof used))
		return ESP_FAIL;
	store = partition;
	return ESP_OK;
}

esp_err_t nvs_flash_deinit(void)
{
	store = NULL;
	return ESP_OK;
}

esp_err_t nvs_flash_init(void)
{
	const esp_partition_t *partition = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_DATA_NVS, NVS_DEFAULT_PART_NAME);
	return partition ? nvs_flash_init_partition_ptr(partition) : ESP_FAIL;
}

/* Sets it down first, as ESP-IDF's. */
esp_err_t nvs_flash_erase(void)
{
	nvs_flash_deinit();
	const esp_partition_t *partition = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_DATA_NVS, NVS_DEFAULT_PART_NAME);
	return partition ? esp_partition_erase_range(partition, 0, partition->size) : ESP_FAIL;
}

static void take(char *option)
{
	char *value = strchr(option, '=');
	*value++ = 0;
	char *rest;
	uint32_t first = strtoul(value, &rest, 0);
	uint32_t second = *rest ? strtoul(rest + 1, NULL, 0) : 0;
	if (!strcmp(option, "unread"))
		unread = first;
	else if (!strcmp(option, "reset"))
		resets = first;
	else if (!strcmp(option, "cut"))
		cut = first;
	else if (!strcmp(option, "bad")) {
		bad[badCount].start = first;
		bad[badCount++].end = second;
	}
	else {
		esp_partition_t *partition = &partitions[partitionCount++];
		partition->address = first;
		partition->size = second;
		strncpy(partition->label, option, sizeof partition->label - 1);
	}
}

int main(int count, char **options)
{
	int file = open(options[1], O_RDWR);
	flashSize = lseek(file, 0, SEEK_END);
	flash = mmap(NULL, flashSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (flash == MAP_FAILED)
		return 1;
	for (int i = 2; i < count; i++)
		take(options[i]);
	storeOpen();
	bool goesOn = ESP_OK == nvs_flash_init();
	const char *erased = "";
	if (resets) {
		erased = storeErase() ? ",\"erased\":true" : ",\"erased\":false";
		goesOn = ESP_OK == nvs_flash_init();
	}
	printf("{\"state\":%d,\"goesOn\":%s,\"at\":%u,\"changes\":%ld%s}\n", storeState(), goesOn ? "true" : "false",
		store ? store->address : 0, changes, erased);
	return 0;
}

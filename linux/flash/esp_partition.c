// SPDX-License-Identifier: MIT
/*
 * ESP-IDF's esp_partition for the SDK's flash class of the ESP32: the chip's flash as a file, BMS_STORAGE/flash, of which the firmware uses
 * the partition "history". It is NOR flash: a write clears bits, an erase of whole sectors sets them; checks as in ESP-IDF 6
 * (components/esp_partition/partition_target.c). What is written is in the file at once: the end of the process is a power cut between two
 * writes. An erase takes no time.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "esp_partition.h"
#include "app_update/include/esp_ota_ops.h"

#define FLASH_BYTES 0x400000
#define SECTOR 0x1000

/* As in boards/esp32/partitions.csv. */
static const esp_partition_t HISTORY = { .address = 0x3e0000, .size = 0x20000, .erase_size = SECTOR, .label = "history" };

static uint8_t *flash;

/* A new file is erased flash. */
static int isBlank(int file)
{
	uint8_t sector[SECTOR];
	memset(sector, 0xff, sizeof sector);
	for (off_t at = 0; at < FLASH_BYTES; at += SECTOR)
		if (pwrite(file, sector, SECTOR, at) != SECTOR)
			return 0;
	return 1;
}

/* False: there is no folder, or the file is not that of a flash. */
static int isThere(void)
{
	const char *folder = getenv("BMS_STORAGE");
	char path[4096];
	if (flash)
		return 1;
	if (!folder || snprintf(path, sizeof path, "%s/flash", folder) >= (int)sizeof path)
		return 0;
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0)
		return 0;
	off_t size = lseek(file, 0, SEEK_END);
	if (size == FLASH_BYTES || (size == 0 && isBlank(file))) {
		void *bytes = mmap(NULL, FLASH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		if (bytes != MAP_FAILED)
			flash = bytes;
	}
	close(file);
	return flash != NULL;
}

esp_partition_iterator_t esp_partition_find(esp_partition_type_t type, esp_partition_subtype_t subtype, const char *label)
{
	return esp_partition_find_first(type, subtype, label);
}

esp_partition_iterator_t esp_partition_next(esp_partition_iterator_t iterator)
{
	(void)iterator;
	return NULL;
}

const esp_partition_t *esp_partition_get(esp_partition_iterator_t iterator)
{
	return iterator;
}

void esp_partition_iterator_release(esp_partition_iterator_t iterator)
{
	(void)iterator;
}

const esp_partition_t *esp_partition_find_first(esp_partition_type_t type, esp_partition_subtype_t subtype, const char *label)
{
	(void)subtype;
	if ((type != ESP_PARTITION_TYPE_DATA && type != ESP_PARTITION_TYPE_ANY) || (label && strcmp(label, HISTORY.label)))
		return NULL;
	return isThere() ? &HISTORY : NULL;
}

/* There is no update slot. */
const esp_partition_t *esp_ota_get_running_partition(void)
{
	return NULL;
}

const esp_partition_t *esp_ota_get_next_update_partition(const esp_partition_t *from)
{
	(void)from;
	return NULL;
}

static esp_err_t checked(const esp_partition_t *partition, size_t at, size_t length)
{
	if (at > partition->size)
		return ESP_ERR_INVALID_ARG;
	return length > partition->size - at ? ESP_ERR_INVALID_SIZE : ESP_OK;
}

esp_err_t esp_partition_read(const esp_partition_t *partition, size_t at, void *bytes, size_t length)
{
	esp_err_t error = checked(partition, at, length);
	if (ESP_OK == error)
		memcpy(bytes, flash + partition->address + at, length);
	return error;
}

esp_err_t esp_partition_write(const esp_partition_t *partition, size_t at, const void *bytes, size_t length)
{
	esp_err_t error = checked(partition, at, length);
	if (ESP_OK == error)
		for (size_t i = 0; i < length; i++)
			flash[partition->address + at + i] &= ((const uint8_t *)bytes)[i];
	return error;
}

esp_err_t esp_partition_erase_range(const esp_partition_t *partition, size_t at, size_t length)
{
	esp_err_t error = checked(partition, at, length);
	if (ESP_OK == error && length % SECTOR)
		error = ESP_ERR_INVALID_SIZE;
	if (ESP_OK == error && at % SECTOR)
		error = ESP_ERR_INVALID_ARG;
	if (ESP_OK == error)
		memset(flash + partition->address + at, 0xff, length);
	return error;
}

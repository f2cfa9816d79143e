// SPDX-License-Identifier: MIT
/*
 * Initializes NVS before the SDK's app_main, which aborts on an NVS error: the board would boot-loop. An NVS that does not open is copied
 * to the partition of the core dump and erased; if its flash is bad, the partition "spare" stands in for it. modPrelaunch calls this
 * (`startup` in the manifest's defines), the first thing app_main does.
 */
#include <stdbool.h>
#include <stdint.h>
#include "esp_partition.h"
/* The SDK's makefile has the components folder as include path, but not this component's include folder. */
#include "nvs_flash/include/nvs_flash.h"

/* Values of `storeState` in types/application.d.ts. */
enum { AS_IT_WAS, SET_ASIDE, STOOD_IN, LOST };

#define SECTOR 0x1000
/* The note has the first sector of "history"; the rest belongs to the rings of src/history/layout.ts. */
#define RINGS_AT SECTOR

/* Values of the note. Each clears further bits of the one before, which flash allows without an erase. */
#define NOTE_COPIED 0xfffffffe
#define NOTE_DONE 0xfffffffc
#define NOTE_STANDS_IN 0xfffffff8

#define COPY_BYTES 256

static int32_t state = AS_IT_WAS;
static const esp_partition_t *nvs, *aside, *spare, *history;
/* Static: NVS keeps a pointer to it. */
static esp_partition_t standIn;

int32_t storeState(void)
{
	return state;
}

static const esp_partition_t *dataPartition(const char *label)
{
	return esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_ANY, label);
}

static bool isNoted(uint32_t note)
{
	uint32_t noted;
	return history && ESP_OK == esp_partition_read(history, 0, &noted, sizeof noted) && noted == note;
}

static bool note(uint32_t note)
{
	return history && ESP_OK == esp_partition_write(history, 0, &note, sizeof note);
}

static bool isErased(const esp_partition_t *partition, uint32_t size)
{
	return ESP_OK == esp_partition_erase_range(partition, 0, size);
}

static bool isCopied(void)
{
	uint8_t bytes[COPY_BYTES];
	if (!nvs || !aside || aside->size < nvs->size || !history)
		return false;
	if (!isErased(history, SECTOR) || !isErased(aside, aside->size))
		return false;
	for (uint32_t at = 0; at < nvs->size; at += COPY_BYTES)
		if (ESP_OK != esp_partition_read(nvs, at, bytes, COPY_BYTES) || ESP_OK != esp_partition_write(aside, at, bytes, COPY_BYTES))
			return false;
	return note(NOTE_COPIED);
}

static bool isBegunAnew(void)
{
	return ESP_OK == nvs_flash_erase() && ESP_OK == nvs_flash_init();
}

/* NVS looks partitions up by label: with NVS's own label, app_main and all later users open the stand-in. */
static bool standsIn(void)
{
	if (!nvs || !spare)
		return false;
	standIn = *nvs;
	standIn.flash_chip = spare->flash_chip;
	standIn.address = spare->address;
	standIn.size = spare->size;
	return ESP_OK == nvs_flash_init_partition_ptr(&standIn)
		|| (isErased(&standIn, standIn.size) && ESP_OK == nvs_flash_init_partition_ptr(&standIn));
}

/*
 * For a factory reset: erases the flash of NVS, of its copy and of its stand-in, since NVS leaves the bytes of what is deleted. What NVS holds open
 * fails from then on; it can be opened anew. True: nothing is left that could be read; false: a sector cannot be erased.
 */
bool storeErase(void)
{
	bool erased = !aside || isErased(aside, aside->size);
	if (state != STOOD_IN) {
		/* Without its note the stand-in would be forgotten. */
		erased = (!history || isErased(history, SECTOR)) && erased;
		return isBegunAnew() && erased;
	}
	/* The sectors that are good: the defective ones are the reason for the stand-in. */
	for (uint32_t at = 0; at < nvs->size; at += SECTOR)
		erased = ESP_OK == esp_partition_erase_range(nvs, at, SECTOR) && erased;
	nvs_flash_deinit();
	erased = isErased(&standIn, standIn.size) && erased;
	return ESP_OK == nvs_flash_init_partition_ptr(&standIn) && erased;
}

/* Returns the argument of modDelayMilliseconds: no delay. */
uint32_t storeOpen(void)
{
	nvs = dataPartition(NVS_DEFAULT_PART_NAME);
	aside = dataPartition("coredump");
	spare = dataPartition("spare");
	history = dataPartition("history");

	if (isNoted(NOTE_STANDS_IN) && standsIn()) {
		state = STOOD_IN;
		return 0;
	}
	/* Copied but not done: the power failed before NVS was erased and reinitialized. */
	bool copied = isNoted(NOTE_COPIED);
	/* Two attempts: a single read error does not mean a broken store. */
	if (!copied && (ESP_OK == nvs_flash_init() || ESP_OK == nvs_flash_init()))
		return 0;
	copied = copied || isCopied();
	if (copied && isBegunAnew()) {
		note(NOTE_DONE);
		state = SET_ASIDE;
	}
	else if (standsIn()) {
		note(NOTE_STANDS_IN);
		state = STOOD_IN;
	}
	else if (isBegunAnew())
		state = LOST;
	return 0;
}

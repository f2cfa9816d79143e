// SPDX-License-Identifier: MIT
/*
 * Initializes NVS before the SDK's app_main, which aborts on an NVS error: the board would boot-loop. An NVS that does not open is copied
 * to the partition "history" and erased; if its flash is bad, an area of "history" stands in for it. modPrelaunch calls this
 * (`startup` in the manifest's defines), the first thing app_main does.
 */
#include <stdbool.h>
#include <stdint.h>
#include "esp_partition.h"
/* The SDK's makefile has the components folder as include path, but not this component's include folder. */
#include "nvs_flash/include/nvs_flash.h"

/* Values of `storeState` in types/application.d.ts. */
enum { AS_IT_WAS, SET_ASIDE, STOOD_IN, LOST };

/* Layout of "history": the copy at 0, the note in its own sector, and the stand-in area. Copy and stand-in have the size of NVS. */
#define NOTE_AT 0x8000
#define STAND_IN_AT 0x9000
#define ROOM 0x8000
#define SECTOR 0x1000
/* The rest of the partition belongs to the rings of src/history/layout.ts. */
#define RINGS_AT 0x11000
#if STAND_IN_AT + ROOM > RINGS_AT
#error the stand-in lies in the rings
#endif

/* Values of the note. Each clears further bits of the one before, which flash allows without an erase. */
#define NOTE_COPIED 0xfffffffe
#define NOTE_DONE 0xfffffffc
#define NOTE_STANDS_IN 0xfffffff8

#define COPY_BYTES 256

static int32_t state = AS_IT_WAS;
/* Static: NVS keeps a pointer to it. */
static esp_partition_t standIn;

int32_t storeState(void)
{
	return state;
}

static bool isNoted(const esp_partition_t *history, uint32_t note)
{
	uint32_t noted;
	return history && ESP_OK == esp_partition_read(history, NOTE_AT, &noted, sizeof noted) && noted == note;
}

static bool note(const esp_partition_t *history, uint32_t note)
{
	return history && ESP_OK == esp_partition_write(history, NOTE_AT, &note, sizeof note);
}

static bool isCopied(const esp_partition_t *nvs, const esp_partition_t *history)
{
	uint8_t bytes[COPY_BYTES];
	if (!nvs || nvs->size != ROOM || !history || history->size < STAND_IN_AT + ROOM)
		return false;
	if (ESP_OK != esp_partition_erase_range(history, 0, STAND_IN_AT))
		return false;
	for (uint32_t at = 0; at < ROOM; at += COPY_BYTES)
		if (ESP_OK != esp_partition_read(nvs, at, bytes, COPY_BYTES) || ESP_OK != esp_partition_write(history, at, bytes, COPY_BYTES))
			return false;
	return note(history, NOTE_COPIED);
}

static bool isBegunAnew(void)
{
	return ESP_OK == nvs_flash_erase() && ESP_OK == nvs_flash_init();
}

/* NVS looks partitions up by label: with NVS's own label, app_main and all later users open the stand-in. */
static bool standsIn(const esp_partition_t *nvs, const esp_partition_t *history)
{
	if (!nvs || !history || history->size < STAND_IN_AT + ROOM)
		return false;
	standIn = *nvs;
	standIn.flash_chip = history->flash_chip;
	standIn.address = history->address + STAND_IN_AT;
	standIn.size = ROOM;
	return ESP_OK == nvs_flash_init_partition_ptr(&standIn)
		|| (ESP_OK == esp_partition_erase_range(&standIn, 0, ROOM) && ESP_OK == nvs_flash_init_partition_ptr(&standIn));
}

/*
 * For a factory reset: erases the flash of NVS, of its copy and of its stand-in, since NVS leaves the bytes of what is deleted. What NVS holds open
 * fails from then on; it can be opened anew. True: nothing is left that could be read; false: a sector cannot be erased.
 */
bool storeErase(void)
{
	const esp_partition_t *nvs = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_DATA_NVS, NVS_DEFAULT_PART_NAME);
	const esp_partition_t *history = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_ANY, "history");
	bool stoodIn = state == STOOD_IN;
	bool erased = true;
	if (history && history->size >= STAND_IN_AT + ROOM)
		/* Without its note the stand-in would be forgotten. */
		erased = ESP_OK == esp_partition_erase_range(history, 0, stoodIn ? NOTE_AT : STAND_IN_AT);
	if (!stoodIn)
		return isBegunAnew() && erased;
	/* The sectors that are good: the defective ones are the reason for the stand-in. */
	for (uint32_t at = 0; at < nvs->size; at += SECTOR)
		erased = ESP_OK == esp_partition_erase_range(nvs, at, SECTOR) && erased;
	nvs_flash_deinit();
	erased = ESP_OK == esp_partition_erase_range(&standIn, 0, ROOM) && erased;
	return ESP_OK == nvs_flash_init_partition_ptr(&standIn) && erased;
}

/* Returns the argument of modDelayMilliseconds: no delay. */
uint32_t storeOpen(void)
{
	const esp_partition_t *nvs = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_DATA_NVS, NVS_DEFAULT_PART_NAME);
	const esp_partition_t *history = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_ANY, "history");

	if (isNoted(history, NOTE_STANDS_IN)) {
		if (standsIn(nvs, history)) {
			state = STOOD_IN;
			return 0;
		}
	}
	/* Copied but not done: the power failed before NVS was erased and reinitialized. */
	bool copied = isNoted(history, NOTE_COPIED);
	/* Two attempts: a single read error does not mean a broken store. */
	if (!copied && (ESP_OK == nvs_flash_init() || ESP_OK == nvs_flash_init()))
		return 0;
	copied = copied || isCopied(nvs, history);
	if (copied && isBegunAnew()) {
		note(history, NOTE_DONE);
		state = SET_ASIDE;
	}
	else if (standsIn(nvs, history)) {
		note(history, NOTE_STANDS_IN);
		state = STOOD_IN;
	}
	else if (isBegunAnew())
		state = LOST;
	return 0;
}

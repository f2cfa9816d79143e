/*
 * NVS, set up before the SDK's app_main does it, which takes an error for the end of the program: the board would start again and again.
 * What would not open is set aside in the partition "history", and NVS begun anew; where its place in the flash is broken, another one
 * there stands in. The manifest has modPrelaunch call it (`startup` of its defines), first of all that app_main does.
 */
#include <stdbool.h>
#include <stdint.h>
#include "esp_partition.h"
/* The make file of the SDK knows the folder of all components, not that of this one's headers. */
#include "nvs_flash/include/nvs_flash.h"

/* `storeState` of types/application.d.ts. */
enum { AS_IT_WAS, SET_ASIDE, STOOD_IN, LOST };

/* In "history": the copy, what has become of it in a sector of its own, and the place that stands in. Each has the room of NVS. */
#define NOTE_AT 0x8000
#define STAND_IN_AT 0x9000
#define ROOM 0x8000

/* The note. Each further one clears bits of the one before, as flash can without being erased. */
#define NOTE_COPIED 0xfffffffe
#define NOTE_DONE 0xfffffffc
#define NOTE_STANDS_IN 0xfffffff8

#define COPY_BYTES 256

static int32_t state = AS_IT_WAS;
/* NVS keeps a pointer to it. */
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

/* NVS finds a store by its name: with that of NVS's own, app_main and everybody after it take this for it. */
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

/* For modDelayMilliseconds: no delay. */
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
	/* A copy without an end: the power went before NVS was erased and begun anew. */
	bool copied = isNoted(history, NOTE_COPIED);
	/* Twice: one bad reading is no broken store. */
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

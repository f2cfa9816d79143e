/*
 * ESP-IDF's NVS on a file in the folder BMS_STORAGE, for the SDK's storage-esp32.c. It has the limits of the device's partition (32 KB) and,
 * like ESP-IDF, writes a value when it is set: a commit that fails comes after that.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include "xs.h"
#include "nvs.h"

#define FILE_NAME "nvs"
/* A page has 126 entries of 32 bytes; one of the 8 pages stays empty. A value takes an entry, and its bytes take more. */
#define PAGE_ENTRIES 126
#define CAPACITY (7 * PAGE_ENTRIES)
#define ENTRY_BYTES 32
#define MAX_TEXT ((PAGE_ENTRIES - 1) * ENTRY_BYTES)
/* More handles open at a time than the firmware needs: one of the settings, one for each access. */
#define MAX_HANDLES 4

enum { NOTHING, WRITES, COMMITS };

/* The bytes follow it in the file. */
typedef struct {
	nvs_entry_info_t info;
	uint32_t length;
} Head;

typedef struct {
	Head head;
	void *bytes;
} Value;

typedef struct {
	char space[NVS_KEY_NAME_MAX_SIZE];
	nvs_open_mode_t mode;
} Handle;

struct nvs_opaque_iterator_t {
	nvs_handle handle;
	nvs_type_t type;
	uint32_t at;
};

static Value values[CAPACITY];
static uint32_t valueCount;
static Handle handles[MAX_HANDLES];
static gchar *path;
static uint32_t reserved;
static int failing = NOTHING;

const char *esp_err_to_name_r(esp_err_t error, char *text, size_t size)
{
	const char *name = "UNKNOWN ERROR";
#define NAME(known, number) \
	if (number == error) \
		name = #known;
	NVS_ERRORS(NAME)
#undef NAME
	g_strlcpy(text, name, size);
	return text;
}

static void load(void)
{
	gchar *file;
	gsize size, at = 0;
	if (!g_file_get_contents(path, &file, &size, NULL))
		return;
	while (at < size) {
		Value *value = &values[valueCount++];
		memcpy(&value->head, file + at, sizeof value->head);
		at += sizeof value->head;
		value->bytes = g_memdup2(file + at, value->head.length);
		at += value->head.length;
	}
	g_free(file);
}

/* Replaces the file: after a power cut there is the old one or the new one. */
static esp_err_t save(void)
{
	GByteArray *file = g_byte_array_new();
	for (uint32_t i = 0; i < valueCount; i++) {
		g_byte_array_append(file, (guint8 *)&values[i].head, sizeof values[i].head);
		g_byte_array_append(file, values[i].bytes, values[i].head.length);
	}
	gboolean saved = g_file_set_contents(path, (gchar *)file->data, file->len, NULL);
	g_byte_array_free(file, TRUE);
	return saved ? ESP_OK : ESP_ERR_FLASH_OP_FAIL;
}

static uint32_t entriesOf(nvs_type_t type, size_t length)
{
	if (NVS_TYPE_STR != type && NVS_TYPE_BLOB != type)
		return 1;
	// A blob has an index as well.
	return (NVS_TYPE_BLOB == type ? 2 : 1) + (length + ENTRY_BYTES - 1) / ENTRY_BYTES;
}

static bool hasSpace(const char *space, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(values[i].head.info.namespace_name, space))
			return true;
	return false;
}

static uint32_t used(void)
{
	uint32_t sum = reserved;
	for (uint32_t i = 0; i < valueCount; i++) {
		const Head *head = &values[i].head;
		sum += entriesOf(head->info.type, head->length) + !hasSpace(head->info.namespace_name, i);
	}
	return sum;
}

static Handle *handleOf(nvs_handle handle)
{
	return handle && handle <= MAX_HANDLES && *handles[handle - 1].space ? &handles[handle - 1] : NULL;
}

static Value *find(const Handle *handle, const char *key)
{
	for (uint32_t i = 0; i < valueCount; i++)
		if (!strcmp(values[i].head.info.namespace_name, handle->space) && !strcmp(values[i].head.info.key, key))
			return &values[i];
	return NULL;
}

esp_err_t nvs_open(const char *space, nvs_open_mode_t mode, nvs_handle *handle)
{
	if (!path) {
		const char *folder = getenv("BMS_STORAGE");
		if (!folder)
			return ESP_ERR_NVS_NOT_INITIALIZED;
		path = g_build_filename(folder, FILE_NAME, NULL);
		load();
	}
	if (!*space || strlen(space) >= NVS_KEY_NAME_MAX_SIZE)
		return ESP_ERR_NVS_INVALID_NAME;
	if (NVS_READONLY == mode && !hasSpace(space, valueCount))
		return ESP_ERR_NVS_NOT_FOUND;
	for (nvs_handle next = 1; next <= MAX_HANDLES; next++) {
		if (handleOf(next))
			continue;
		strcpy(handles[next - 1].space, space);
		handles[next - 1].mode = mode;
		*handle = next;
		return ESP_OK;
	}
	return ESP_ERR_NO_MEM;
}

void nvs_close(nvs_handle handle)
{
	Handle *open = handleOf(handle);
	if (open)
		*open->space = 0;
}

esp_err_t nvs_commit(nvs_handle handle)
{
	if (!handleOf(handle))
		return ESP_ERR_NVS_INVALID_HANDLE;
	return COMMITS == failing ? ESP_ERR_FLASH_OP_FAIL : ESP_OK;
}

/* What every access looks at first. */
static esp_err_t check(nvs_handle handle, const char *key, nvs_open_mode_t mode)
{
	const Handle *open = handleOf(handle);
	if (!open)
		return ESP_ERR_NVS_INVALID_HANDLE;
	if (NVS_READWRITE == mode && NVS_READONLY == open->mode)
		return ESP_ERR_NVS_READ_ONLY;
	if (!*key)
		return ESP_ERR_NVS_INVALID_NAME;
	return strlen(key) < NVS_KEY_NAME_MAX_SIZE ? ESP_OK : ESP_ERR_NVS_KEY_TOO_LONG;
}

esp_err_t nvs_find_key(nvs_handle handle, const char *key, nvs_type_t *type)
{
	esp_err_t error = check(handle, key, NVS_READONLY);
	if (error)
		return error;
	const Value *value = find(handleOf(handle), key);
	if (!value)
		return ESP_ERR_NVS_NOT_FOUND;
	*type = value->head.info.type;
	return ESP_OK;
}

esp_err_t nvs_erase_key(nvs_handle handle, const char *key)
{
	esp_err_t error = check(handle, key, NVS_READWRITE);
	if (error)
		return error;
	Value *value = find(handleOf(handle), key);
	if (!value)
		return ESP_ERR_NVS_NOT_FOUND;
	if (WRITES == failing)
		return ESP_ERR_FLASH_OP_FAIL;
	g_free(value->bytes);
	*value = values[--valueCount];
	return save();
}

/* Without `bytes` it tells the length. */
static esp_err_t get(nvs_handle handle, const char *key, nvs_type_t type, void *bytes, size_t *length)
{
	nvs_type_t found;
	esp_err_t error = nvs_find_key(handle, key, &found);
	if (error)
		return error;
	if (found != type)
		return ESP_ERR_NVS_TYPE_MISMATCH;
	const Value *value = find(handleOf(handle), key);
	if (bytes && *length < value->head.length)
		return ESP_ERR_NVS_INVALID_LENGTH;
	*length = value->head.length;
	if (bytes)
		memcpy(bytes, value->bytes, *length);
	return ESP_OK;
}

/* The old value goes when the new one is there: there must be room for both. */
static esp_err_t set(nvs_handle handle, const char *key, nvs_type_t type, const void *bytes, size_t length)
{
	esp_err_t error = check(handle, key, NVS_READWRITE);
	if (error)
		return error;
	if (NVS_TYPE_STR == type && length > MAX_TEXT)
		return ESP_ERR_NVS_VALUE_TOO_LONG;
	if (WRITES == failing)
		return ESP_ERR_FLASH_OP_FAIL;
	const Handle *open = handleOf(handle);
	if (used() + entriesOf(type, length) + !hasSpace(open->space, valueCount) > CAPACITY)
		return ESP_ERR_NVS_NOT_ENOUGH_SPACE;
	Value *value = find(open, key);
	if (value)
		g_free(value->bytes);
	else
		value = &values[valueCount++];
	memset(value, 0, sizeof *value);
	strcpy(value->head.info.namespace_name, open->space);
	strcpy(value->head.info.key, key);
	value->head.info.type = type;
	value->head.length = length;
	value->bytes = g_memdup2(bytes, length);
	return save();
}

esp_err_t nvs_get_str(nvs_handle handle, const char *key, char *text, size_t *length)
{
	return get(handle, key, NVS_TYPE_STR, text, length);
}

esp_err_t nvs_set_str(nvs_handle handle, const char *key, const char *text)
{
	return set(handle, key, NVS_TYPE_STR, text, strlen(text) + 1);
}

esp_err_t nvs_get_blob(nvs_handle handle, const char *key, void *bytes, size_t *length)
{
	return get(handle, key, NVS_TYPE_BLOB, bytes, length);
}

esp_err_t nvs_set_blob(nvs_handle handle, const char *key, const void *bytes, size_t length)
{
	return set(handle, key, NVS_TYPE_BLOB, bytes, length);
}

#define DEFINE(name, type, number) \
	esp_err_t nvs_get_##name(nvs_handle handle, const char *key, type *value) \
	{ \
		size_t length = sizeof *value; \
		return get(handle, key, number, value, &length); \
	} \
	esp_err_t nvs_set_##name(nvs_handle handle, const char *key, type value) \
	{ \
		return set(handle, key, number, &value, sizeof value); \
	}
NVS_NUMBERS(DEFINE)

/* The first value of the handle's namespace from `at` on; a NULL iterator if there is none. */
static esp_err_t seek(nvs_iterator_t *iterator)
{
	nvs_iterator_t it = *iterator;
	const Handle *open = handleOf(it->handle);
	for (; open && it->at < valueCount; it->at++) {
		const nvs_entry_info_t *info = &values[it->at].head.info;
		if (!strcmp(info->namespace_name, open->space) && (NVS_TYPE_ANY == it->type || info->type == it->type))
			return ESP_OK;
	}
	nvs_release_iterator(it);
	*iterator = NULL;
	return ESP_ERR_NVS_NOT_FOUND;
}

esp_err_t nvs_entry_find_in_handle(nvs_handle handle, nvs_type_t type, nvs_iterator_t *iterator)
{
	*iterator = g_new0(struct nvs_opaque_iterator_t, 1);
	(*iterator)->handle = handle;
	(*iterator)->type = type;
	return seek(iterator);
}

esp_err_t nvs_entry_next(nvs_iterator_t *iterator)
{
	(*iterator)->at++;
	return seek(iterator);
}

esp_err_t nvs_entry_info(nvs_iterator_t iterator, nvs_entry_info_t *info)
{
	*info = values[iterator->at].head.info;
	return ESP_OK;
}

void nvs_release_iterator(nvs_iterator_t iterator)
{
	g_free(iterator);
}

/* disturb(reserved, failing): see nvs.js. */
void xs_nvs_disturb(xsMachine *the)
{
	reserved = xsToInteger(xsArg(0));
	failing = xsToInteger(xsArg(1));
}

/* What the SDK's storage-esp32.c uses of ESP-IDF's headers nvs.h and esp_err.h; by nvs.c. */
#ifndef __NVS__
#define __NVS__

#include <stddef.h>
#include <stdint.h>

typedef int esp_err_t;
#define ESP_OK 0
#define NVS_ERRORS(ERROR) \
	ERROR(ESP_ERR_NO_MEM, 0x101) \
	ERROR(ESP_ERR_NVS_NOT_INITIALIZED, 0x1101) \
	ERROR(ESP_ERR_NVS_NOT_FOUND, 0x1102) \
	ERROR(ESP_ERR_NVS_TYPE_MISMATCH, 0x1103) \
	ERROR(ESP_ERR_NVS_READ_ONLY, 0x1104) \
	ERROR(ESP_ERR_NVS_NOT_ENOUGH_SPACE, 0x1105) \
	ERROR(ESP_ERR_NVS_INVALID_NAME, 0x1106) \
	ERROR(ESP_ERR_NVS_INVALID_HANDLE, 0x1107) \
	ERROR(ESP_ERR_NVS_KEY_TOO_LONG, 0x1109) \
	ERROR(ESP_ERR_NVS_INVALID_LENGTH, 0x110c) \
	ERROR(ESP_ERR_NVS_VALUE_TOO_LONG, 0x110e) \
	ERROR(ESP_ERR_FLASH_OP_FAIL, 0x6001)
enum {
#define NUMBER(name, number) name = number,
	NVS_ERRORS(NUMBER)
#undef NUMBER
};
const char *esp_err_to_name_r(esp_err_t error, char *text, size_t size);

/* With the NUL. */
#define NVS_KEY_NAME_MAX_SIZE 16

typedef enum { NVS_READONLY, NVS_READWRITE } nvs_open_mode_t;
typedef enum {
	NVS_TYPE_U8 = 0x01,
	NVS_TYPE_I8 = 0x11,
	NVS_TYPE_U16 = 0x02,
	NVS_TYPE_I16 = 0x12,
	NVS_TYPE_U32 = 0x04,
	NVS_TYPE_I32 = 0x14,
	NVS_TYPE_U64 = 0x08,
	NVS_TYPE_I64 = 0x18,
	NVS_TYPE_STR = 0x21,
	NVS_TYPE_BLOB = 0x42,
	NVS_TYPE_ANY = 0xff
} nvs_type_t;
typedef uint32_t nvs_handle;
typedef struct nvs_opaque_iterator_t *nvs_iterator_t;
typedef struct {
	char namespace_name[NVS_KEY_NAME_MAX_SIZE];
	char key[NVS_KEY_NAME_MAX_SIZE];
	nvs_type_t type;
} nvs_entry_info_t;

esp_err_t nvs_open(const char *space, nvs_open_mode_t mode, nvs_handle *handle);
void nvs_close(nvs_handle handle);
esp_err_t nvs_commit(nvs_handle handle);
esp_err_t nvs_find_key(nvs_handle handle, const char *key, nvs_type_t *type);
esp_err_t nvs_erase_key(nvs_handle handle, const char *key);
esp_err_t nvs_get_str(nvs_handle handle, const char *key, char *text, size_t *length);
esp_err_t nvs_set_str(nvs_handle handle, const char *key, const char *text);
esp_err_t nvs_get_blob(nvs_handle handle, const char *key, void *bytes, size_t *length);
esp_err_t nvs_set_blob(nvs_handle handle, const char *key, const void *bytes, size_t length);

#define NVS_NUMBERS(NUMBER) \
	NUMBER(u8, uint8_t, NVS_TYPE_U8) \
	NUMBER(i8, int8_t, NVS_TYPE_I8) \
	NUMBER(u16, uint16_t, NVS_TYPE_U16) \
	NUMBER(i16, int16_t, NVS_TYPE_I16) \
	NUMBER(u32, uint32_t, NVS_TYPE_U32) \
	NUMBER(i32, int32_t, NVS_TYPE_I32) \
	NUMBER(u64, uint64_t, NVS_TYPE_U64) \
	NUMBER(i64, int64_t, NVS_TYPE_I64)
#define DECLARE(name, type, number) \
	esp_err_t nvs_get_##name(nvs_handle handle, const char *key, type *value); \
	esp_err_t nvs_set_##name(nvs_handle handle, const char *key, type value);
NVS_NUMBERS(DECLARE)
#undef DECLARE

esp_err_t nvs_entry_find_in_handle(nvs_handle handle, nvs_type_t type, nvs_iterator_t *iterator);
esp_err_t nvs_entry_next(nvs_iterator_t *iterator);
esp_err_t nvs_entry_info(nvs_iterator_t iterator, nvs_entry_info_t *info);
void nvs_release_iterator(nvs_iterator_t iterator);

/* storage-esp32.c names it before it defines it; the SDK's tools declare it for the chip, not for Linux. */
extern void xs_directorystorage_destructor(void *data);

#endif

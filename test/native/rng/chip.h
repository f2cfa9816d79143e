/* Of ESP-IDF 6.0, what boards/esp32/rng.c uses: bootloader_random.h, esp_random.h and esp_rom_sys.h. */
#ifndef __CHIP__
#define __CHIP__

#include <stddef.h>
#include <stdint.h>

void bootloader_random_enable(void);
void bootloader_random_disable(void);
uint32_t esp_random(void);
void esp_fill_random(void* bytes, size_t length);
void esp_rom_delay_us(uint32_t duration);

#endif

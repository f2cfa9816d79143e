/*
 * The chip's hardware generator, as bad as it may be: without radio and without its noise source it returns the same bytes for ever. With
 * the source it returns them too, if less time has passed since the last word than the noise takes to gather.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>

#include "chip.h"
#include "harness.h"
#include "mbedtls/md.h"
#include "xsmc.h"
#include "mc.xs.h"
#include "rng.h"

#define CONSTANT 0x5a5a5a5a
/* Half of what ESP-IDF's boot loader waits (bootloader_random.c). */
#define WORD_GATHERS_US 32

extern void rngTakeNoise(void);
extern int32_t mbedtls_psa_external_get_random(void* context, uint8_t* output, size_t size, size_t* length);

static bool hasNoise = true, hasRadio, isOn;
/* What mbedTLS gets instead of a hash: an error; 0: nothing is amiss. */
static int hashError;
static uint32_t gathered, words;

void bootloader_random_enable(void)
{
	isOn = true;
	gathered = 0;
}

void bootloader_random_disable(void)
{
	isOn = false;
}

void esp_rom_delay_us(uint32_t duration)
{
	gathered += duration;
}

uint32_t esp_random(void)
{
	uint32_t word = CONSTANT;
	if (hasRadio || (isOn && hasNoise && gathered >= WORD_GATHERS_US))
		if (getrandom(&word, sizeof(word), 0) != sizeof(word))
			word = CONSTANT;
	words += isOn && gathered >= WORD_GATHERS_US;
	gathered = 0;
	return word;
}

void esp_fill_random(void* bytes, size_t length)
{
	for (size_t at = 0; at < length; at += sizeof(uint32_t)) {
		uint32_t word = esp_random();
		memcpy((uint8_t*)bytes + at, &word, length - at < sizeof(word) ? length - at : sizeof(word));
	}
}

/* mbedTLS allocates here when it seeds. */
int mbedtls_md_setup(mbedtls_md_context_t* context, const mbedtls_md_info_t* info, int isHmac)
{
	int (*original)(mbedtls_md_context_t*, const mbedtls_md_info_t*, int) = dlsym(RTLD_NEXT, "mbedtls_md_setup");
	return hashError ? hashError : original(context, info, isHmac);
}

/* (hasNoise): the start. Returns the words of noise taken, or -1 if the source was left on. */
void xs_chip_start(xsMachine* the)
{
	hasNoise = xsmcToBoolean(xsArg(0));
	rngTakeNoise();
	xsmcSetInteger(xsResult, isOn ? -1 : (int)words);
}

/* (hasRadio): whether the hardware generator is random from now on. */
void xs_chip_radio(xsMachine* the)
{
	hasRadio = xsmcToBoolean(xsArg(0));
}

/* (isShort): whether memory is short. */
void xs_chip_short(xsMachine* the)
{
	hashError = xsmcToBoolean(xsArg(0)) ? MBEDTLS_ERR_MD_ALLOC_FAILED : 0;
}

/* (isBroken): whether mbedTLS refuses the hash for another reason. */
void xs_chip_broken(xsMachine* the)
{
	hashError = xsmcToBoolean(xsArg(0)) ? MBEDTLS_ERR_MD_BAD_INPUT_DATA : 0;
}

/* (length): PSA's status, or an ArrayBuffer with its random bytes. */
void xs_chip_psa(xsMachine* the)
{
	uint8_t bytes[4096];
	size_t length = 0;
	int32_t status = mbedtls_psa_external_get_random(NULL, bytes, xsmcToInteger(xsArg(0)), &length);
	if (status)
		xsmcSetInteger(xsResult, status);
	else
		xsmcSetArrayBuffer(xsResult, bytes, length);
}

void startPart(void) {}

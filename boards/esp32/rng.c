/*
 * The device's random generator: HMAC_DRBG with SHA-256 (NIST SP 800-90A, section 10.1.2) of mbedTLS (2.28 on Debian 12, 4.x in ESP-IDF 6).
 *
 * The chip's hardware generator alone is not enough: without the radio it is only pseudo-random (esp_random.h of ESP-IDF 6.0), and with a
 * cable the radio is off. So noise is taken once, at the start, from the chip's internal noise source (bootloader_random.h), and is the
 * personalization string of the generator's seed. Before each request the generator is reseeded from the hardware generator, which adds
 * what is random there and removes nothing.
 */
#if ESP32
	/* The configuration ESP-IDF compiles mbedTLS with: it determines the layout of the structures. */
	#define MBEDTLS_CONFIG_FILE "mbedtls/esp_config.h"
	#define TF_PSA_CRYPTO_USER_CONFIG_FILE "mbedtls/esp_config.h"
#endif

#include <stdbool.h>
#include <string.h>
#include <sys/lock.h>

#include "mbedtls/version.h"
#if MBEDTLS_VERSION_MAJOR < 4
	#include "mbedtls/hmac_drbg.h"
#else
	#define MBEDTLS_DECLARE_PRIVATE_IDENTIFIERS
	#include "mbedtls/private/hmac_drbg.h"
#endif
#include "mbedtls/platform_util.h"

#include "bootloader_random.h"
#include "esp_random.h"
#include "esp_rom_sys.h"

#include "xsmc.h"
#include "mc.xs.h"
#include "rng.h"

/* Twice the strength of SHA-256. */
#define NOISE_WORDS 16
/*
 * Time for a word's noise to gather, microseconds: as long as ESP-IDF's boot loader waits, twice what its 32 bits take
 * (bootloader_random.c, RNG_CPU_WAIT_CYCLE_NUM). esp_random itself waits for 16 bus cycles only, enough for the radio's noise.
 */
#define GATHER_US 64

/* Has the linker take rng-psa.c before ESP-IDF's own function is looked for. */
extern int32_t mbedtls_psa_external_get_random(void* context, uint8_t* output, size_t size, size_t* length);
int32_t (*const rngOfPsa)(void*, uint8_t*, size_t, size_t*) = mbedtls_psa_external_get_random;

static uint32_t noise[NOISE_WORDS];
static _lock_t lock;
static bool isSeeded;
static mbedtls_hmac_drbg_context generator;

/* The first act of app_main (`startup` in the manifest's defines): the noise source must not run beside ADC, radio or I2S. */
void rngTakeNoise(void)
{
	bootloader_random_enable();
	for (int at = 0; at < NOISE_WORDS; at++) {
		esp_rom_delay_us(GATHER_US);
		noise[at] = esp_random();
	}
	bootloader_random_disable();
}

static int readHardware(void* unused, unsigned char* bytes, size_t length)
{
	(void)unused;
	esp_fill_random(bytes, length);
	return 0;
}

static int seed(void)
{
	const mbedtls_md_info_t* sha256 = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
	mbedtls_hmac_drbg_init(&generator);
	int error = mbedtls_hmac_drbg_seed(&generator, sha256, readHardware, NULL, (const unsigned char*)noise, sizeof(noise));
	if (error) {
		mbedtls_hmac_drbg_free(&generator);
		return error;
	}
	mbedtls_hmac_drbg_set_prediction_resistance(&generator, MBEDTLS_HMAC_DRBG_PR_ON);
	mbedtls_platform_zeroize(noise, sizeof(noise));
	isSeeded = true;
	return 0;
}

int rngFill(uint8_t* bytes, size_t length)
{
	int error;
	/* Wi-Fi's task asks too, through rng-psa.c. */
	_lock_acquire(&lock);
	error = isSeeded ? 0 : seed();
	while (!error && length) {
		size_t part = length < MBEDTLS_HMAC_DRBG_MAX_REQUEST ? length : MBEDTLS_HMAC_DRBG_MAX_REQUEST;
		error = mbedtls_hmac_drbg_random(&generator, bytes, part);
		bytes += part;
		length -= part;
	}
	_lock_release(&lock);
	return error;
}

/* (byteLength): an ArrayBuffer. */
void xs_random_get(xsMachine* the)
{
	xsIntegerValue length = xsmcToInteger(xsArg(0));
	if (length < 0)
		xsRangeError("invalid length");
	xsmcSetArrayBuffer(xsResult, NULL, length);
	/* Nothing of XS is allocated meanwhile, so the buffer does not move. */
	int error = length ? rngFill(xsmcToArrayBuffer(xsResult), length) : 0;
	if (error == MBEDTLS_ERR_MD_ALLOC_FAILED)
		xsUnknownError("no memory");
	if (error)
		xsUnknownError("random generator: error %d", error);
}

/*
 * The random numbers of PSA, and so of TLS and of WPA: ESP-IDF has them come straight from the hardware generator (mbedtls/port/
 * esp_hardware.c), which needs the radio; here they come from rng.c. This replaces ESP-IDF's function because xs_esp32.a comes first when
 * linking; scripts/moddable.mjs checks it after each build. Alone in its file, so that in another order it would be left out instead of
 * defined twice.
 */
#include "rng.h"

/* Return values of PSA (psa/crypto_values.h): int32_t. */
#define PSA_SUCCESS 0
#define PSA_ERROR_INSUFFICIENT_ENTROPY (-148)

/* As declared in psa/crypto_extra.h; the context is not used. */
int32_t mbedtls_psa_external_get_random(void* context, uint8_t* output, size_t size, size_t* length)
{
	(void)context;
	if (rngFill(output, size))
		return PSA_ERROR_INSUFFICIENT_ENTROPY;
	*length = size;
	return PSA_SUCCESS;
}

// SPDX-License-Identifier: MIT
/* Verifies an ECDSA signature (FIPS 186-5) over P-256 and SHA-256 with the platform's mbedTLS: 2.28 on Debian 12 or 4.x in ESP-IDF 6. */
#include <stdbool.h>
#include <stdint.h>

#if ESP32
	/* The configuration ESP-IDF compiles mbedTLS with: it determines the layout of the structures. */
	#define MBEDTLS_CONFIG_FILE "mbedtls/esp_config.h"
	#define TF_PSA_CRYPTO_USER_CONFIG_FILE "mbedtls/esp_config.h"
#endif

#include "mbedtls/version.h"
#if MBEDTLS_VERSION_MAJOR < 4
	#include "mbedtls/ecdsa.h"
	#include "mbedtls/sha256.h"
#else
	#include "psa/crypto.h"
#endif

#include "xsmc.h"
#include "mc.xs.h"

/* Uncompressed point (SEC 1, section 2.3.3): 4, x, y. */
#define KEY_BYTES 65
/* r and s, big-endian. */
#define NUMBER_BYTES 32
#define SIGNATURE_BYTES (2 * NUMBER_BYTES)

typedef struct {
	const uint8_t* bytes;
	xsUnsignedValue length;
} Bytes;

#if MBEDTLS_VERSION_MAJOR < 4

static bool isRight(Bytes key, Bytes message, Bytes signature)
{
	uint8_t hash[32];
	mbedtls_ecp_group group;
	mbedtls_ecp_point point;
	mbedtls_mpi r, s;
	bool right;

	mbedtls_ecp_group_init(&group);
	mbedtls_ecp_point_init(&point);
	mbedtls_mpi_init(&r);
	mbedtls_mpi_init(&s);
	right = !mbedtls_sha256_ret(message.bytes, message.length, hash, 0) &&
		!mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_SECP256R1) &&
		!mbedtls_ecp_point_read_binary(&group, &point, key.bytes, key.length) &&
		!mbedtls_ecp_check_pubkey(&group, &point) &&
		!mbedtls_mpi_read_binary(&r, signature.bytes, NUMBER_BYTES) &&
		!mbedtls_mpi_read_binary(&s, signature.bytes + NUMBER_BYTES, NUMBER_BYTES) &&
		!mbedtls_ecdsa_verify(&group, hash, sizeof(hash), &point, &r, &s);
	mbedtls_mpi_free(&s);
	mbedtls_mpi_free(&r);
	mbedtls_ecp_point_free(&point);
	mbedtls_ecp_group_free(&group);
	return right;
}

#else

static bool isRight(Bytes key, Bytes message, Bytes signature)
{
	const psa_algorithm_t algorithm = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
	psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
	psa_key_id_t id;
	bool right;

	psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
	psa_set_key_bits(&attributes, 256);
	psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
	psa_set_key_algorithm(&attributes, algorithm);
	if (psa_crypto_init() != PSA_SUCCESS || psa_import_key(&attributes, key.bytes, key.length, &id) != PSA_SUCCESS)
		return false;
	right = psa_verify_message(id, algorithm, message.bytes, message.length, signature.bytes, signature.length) == PSA_SUCCESS;
	psa_destroy_key(id);
	return right;
}

#endif

static Bytes bytesOf(xsMachine* the, xsSlot* slot)
{
	Bytes bytes;
	xsmcGetBufferReadable(*slot, (void**)&bytes.bytes, &bytes.length);
	return bytes;
}

/* (key, message, signature): no XS allocation while they are in use, so the buffers do not move. */
void xs_signature_verify(xsMachine* the)
{
	const Bytes key = bytesOf(the, &xsArg(0)), message = bytesOf(the, &xsArg(1)), signature = bytesOf(the, &xsArg(2));
	xsmcSetBoolean(xsResult, key.length == KEY_BYTES && signature.length == SIGNATURE_BYTES && isRight(key, message, signature));
}

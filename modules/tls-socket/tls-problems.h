// SPDX-License-Identifier: MIT
/* Codes of TLS failures: `problem` of session.c, TlsProblem of problems.ts. */
#ifndef __TLS_PROBLEMS__
#define __TLS_PROBLEMS__

#include <stdint.h>

#if ESP32
	/* The configuration ESP-IDF compiles mbedTLS with: it determines the layout of the structures. */
	#define MBEDTLS_CONFIG_FILE "mbedtls/esp_config.h"
	#define TF_PSA_CRYPTO_USER_CONFIG_FILE "mbedtls/esp_config.h"
#endif

#define NO_MEMORY "tls-memory"
#define NOT_TLS "not-tls"
#define LONG_RECORD "tls-long-record"

/* Code of an mbedTLS error. */
const char* problemOf(int error);

/* Code of an mbedTLS error in parsing a certificate that is to be trusted. */
const char* problemOfAuthority(int error);

/* Code of MBEDTLS_X509_BADCERT flags of a certificate at this depth; 0 is the server's. */
const char* problemOfFlags(uint32_t flags, int depth);

#endif

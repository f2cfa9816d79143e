/* Why TLS fails, in codes: `problem` of session.c, TlsProblem of problems.ts. */
#ifndef __TLS_PROBLEMS__
#define __TLS_PROBLEMS__

#include <stdint.h>

#if ESP32
	/* As ESP-IDF compiles mbedTLS: its structures are laid out by this. */
	#define MBEDTLS_CONFIG_FILE "mbedtls/esp_config.h"
	#define TF_PSA_CRYPTO_USER_CONFIG_FILE "mbedtls/esp_config.h"
#endif

#define NO_MEMORY "tls-memory"
#define UNREADABLE_CA "ca-unreadable"
#define NOT_TLS "not-tls"
#define LONG_RECORD "tls-long-record"

/* Of an error of mbedTLS. */
const char* problemOf(int error);

/* Of MBEDTLS_X509_BADCERT flags of a certificate at this depth: 0 is the server's. */
const char* problemOfFlags(uint32_t flags, int depth);

#endif

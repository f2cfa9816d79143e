/* What is told to people when TLS fails: `problem` of session.c. The page has these sentences in its languages. */
#ifndef __TLS_PROBLEMS__
#define __TLS_PROBLEMS__

#include <stdint.h>

#if ESP32
	/* As ESP-IDF compiles mbedTLS: its structures are laid out by this. */
	#define MBEDTLS_CONFIG_FILE "mbedtls/esp_config.h"
	#define TF_PSA_CRYPTO_USER_CONFIG_FILE "mbedtls/esp_config.h"
#endif

#define NO_MEMORY "There is not enough memory for TLS."
#define UNREADABLE_CA "The CA certificate cannot be read."
#define NOT_TLS "The server does not speak TLS."
#define LONG_RECORD "The server's records are too long."

/* Of an error of mbedTLS. */
const char* problemOf(int error);

/* Of MBEDTLS_X509_BADCERT flags of a certificate at this depth: 0 is the server's. */
const char* problemOfFlags(uint32_t flags, int depth);

#endif

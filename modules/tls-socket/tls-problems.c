// SPDX-License-Identifier: MIT
/* Maps mbedTLS errors to codes. */
#include "tls-problems.h"

#include "mbedtls/asn1.h"
#include "mbedtls/pk.h"
#include "mbedtls/ssl.h"
#include "mbedtls/version.h"
#include "mbedtls/x509.h"

#define REFUSED "tls-refused"
#define OLD_VERSION "tls-version"
#define PROTOCOL "tls-protocol"
#define UNREADABLE "certificate-unreadable"
#define OTHER_KEY "certificate-key"
#define FAILED "tls-failed"

/* mbedTLS adds a low-level error to that of X.509; the two use different bits. */
#define LOW_LEVEL 0x7f

#define WRONG_KEY (MBEDTLS_X509_BADCERT_BAD_KEY | MBEDTLS_X509_BADCERT_BAD_PK)
#define WRONG_USE (MBEDTLS_X509_BADCERT_KEY_USAGE | MBEDTLS_X509_BADCERT_EXT_KEY_USAGE | MBEDTLS_X509_BADCERT_NS_CERT_TYPE)

const char* problemOfFlags(uint32_t flags, int depth)
{
	if (flags & MBEDTLS_X509_BADCERT_NOT_TRUSTED)
		return "certificate-untrusted";
	if (flags & MBEDTLS_X509_BADCERT_EXPIRED)
		return depth ? "ca-expired" : "certificate-expired";
	if (flags & MBEDTLS_X509_BADCERT_FUTURE)
		return depth ? "ca-early" : "certificate-early";
	if (flags & WRONG_KEY)
		return OTHER_KEY;
	if (flags & MBEDTLS_X509_BADCERT_BAD_MD)
		return "certificate-signature";
	if (flags & WRONG_USE)
		return "certificate-use";
	if (flags & MBEDTLS_X509_BADCERT_CN_MISMATCH)
		return "certificate-name";
	return FAILED;
}

static int isOfMemory(int error)
{
#if MBEDTLS_VERSION_MAJOR < 4
	int low = -(-error & LOW_LEVEL);
	return error == MBEDTLS_ERR_SSL_ALLOC_FAILED || error == MBEDTLS_ERR_X509_ALLOC_FAILED ||
		error == MBEDTLS_ERR_PK_ALLOC_FAILED || low == MBEDTLS_ERR_ASN1_ALLOC_FAILED;
#else
	return error == MBEDTLS_ERR_SSL_ALLOC_FAILED;
#endif
}

const char* problemOfAuthority(int error)
{
	return isOfMemory(error) ? NO_MEMORY : "ca-unreadable";
}

const char* problemOf(int error)
{
	if (isOfMemory(error))
		return NO_MEMORY;
	switch (-(-error & ~LOW_LEVEL)) {
	case MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE:
	case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY:
		return REFUSED;
	case MBEDTLS_ERR_PK_UNKNOWN_PK_ALG:
	case MBEDTLS_ERR_PK_UNKNOWN_NAMED_CURVE:
	case MBEDTLS_ERR_SSL_PK_TYPE_MISMATCH:
		return OTHER_KEY;
	case MBEDTLS_ERR_PK_INVALID_PUBKEY:
		return UNREADABLE;
	case MBEDTLS_ERR_SSL_FEATURE_UNAVAILABLE:
	case MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE:
	case MBEDTLS_ERR_SSL_INVALID_RECORD:
#if MBEDTLS_VERSION_MAJOR < 4
	case MBEDTLS_ERR_SSL_BAD_HS_SERVER_HELLO:
	case MBEDTLS_ERR_SSL_BAD_HS_SERVER_KEY_EXCHANGE:
	case MBEDTLS_ERR_SSL_BAD_HS_SERVER_HELLO_DONE:
	case MBEDTLS_ERR_SSL_BAD_HS_CHANGE_CIPHER_SPEC:
	case MBEDTLS_ERR_SSL_BAD_HS_FINISHED:
	case MBEDTLS_ERR_SSL_BAD_HS_CERTIFICATE:
	case MBEDTLS_ERR_SSL_NO_CIPHER_CHOSEN:
		return PROTOCOL;
	case MBEDTLS_ERR_SSL_BAD_HS_PROTOCOL_VERSION:
		return OLD_VERSION;
#else
	case MBEDTLS_ERR_SSL_DECODE_ERROR:
	case MBEDTLS_ERR_SSL_ILLEGAL_PARAMETER:
	case MBEDTLS_ERR_SSL_HANDSHAKE_FAILURE:
	case MBEDTLS_ERR_SSL_UNSUPPORTED_EXTENSION:
		return PROTOCOL;
	case MBEDTLS_ERR_SSL_BAD_PROTOCOL_VERSION:
		return OLD_VERSION;
#endif
	}
	/* The range of all X.509 errors. */
	return -error >= 0x2000 && -error < 0x3000 ? UNREADABLE : FAILED;
}

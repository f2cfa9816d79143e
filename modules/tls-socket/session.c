// SPDX-License-Identifier: MIT
/*
 * The natives of session.js: a TLS 1.2 client over mbedTLS (2.28 on Debian 12, 4.x in ESP-IDF 6) that reads and writes its records through
 * an ECMA-419 TCP socket. The socket reads into and writes from mbedTLS's own buffers, without copying.
 */
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* Must be first: selects the mbedTLS configuration. */
#include "tls-problems.h"

#include "mbedtls/asn1.h"
#include "mbedtls/ssl.h"
#include "mbedtls/version.h"
#if MBEDTLS_VERSION_MAJOR < 4
	#include "mbedtls/ctr_drbg.h"
	#include "mbedtls/entropy.h"
#else
	#include "psa/crypto.h"
#endif

#include "xsmc.h"
#include "mc.xs.h"

/*
 * Bytes in a record, mirrored in limits.ts. The first is requested from the server (RFC 6066, section 4); many of the public services ignore
 * that and send their certificates in one longer record. After the handshake mbedTLS's buffer shrinks to what was requested, heeded or not.
 */
#define MAX_FRAGMENT 4096
#define MAX_HANDSHAKE 8192
/* Overhead of AES-GCM in a TLS 1.2 record (RFC 5288): explicit nonce and tag, bytes. */
#define CIPHER_OVERHEAD (8 + 16)
#define RECORD_HEADER 5
#define TLS_MAJOR 3
/* Longest DNS name (RFC 1035, section 2.3.4). */
#define MAX_HOST 253
/* RFC 5280, section 4.2.1.6: GeneralName iPAddress. */
#define SAN_ADDRESS (MBEDTLS_ASN1_CONTEXT_SPECIFIC | 7)
#define IPV4_BYTES 4
/* mbedtls_ssl_get_verify_result: no result yet. */
#define NOT_VERIFIED 0xffffffff

/* ECDHE with AES-128-GCM, for ECDSA and RSA: forward secrecy, and supported by every broker. */
static const int ciphersuites[] = {
	MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, MBEDTLS_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, 0};

typedef struct {
	mbedtls_ssl_context ssl;
	mbedtls_ssl_config conf;
	/* The trusted certificates. */
	mbedtls_x509_crt authorities;
#if MBEDTLS_VERSION_MAJOR < 4
	mbedtls_entropy_context entropy;
	mbedtls_ctr_drbg_context random;
#endif
	/* Valid during a call. */
	xsMachine* the;
	xsSlot* tcp;
	/* Bytes in the TCP socket, and free space in it. */
	xsIntegerValue readable, writable;
	/* Header of the next record, how much of it has arrived, and how much of its content is outstanding. */
	uint8_t header[RECORD_HEADER];
	uint8_t headerLength;
	uint16_t contentLeft;
	bool isOpen;
	/* `host` is this address; otherwise a name, which mbedTLS checks. */
	bool hasAddress;
	uint8_t address[IPV4_BYTES];
	/* Seconds since 1970, UTC. */
	time_t date;
	/* Why it failed, a TlsProblem of problems.ts. */
	const char* problem;
} Session;

static Session* sessionOf(xsMachine* the)
{
	Session* session = xsmcGetHostDataValidate(xsThis, (void*)xs_tls_destructor);
	if (!session)
		xsUnknownError("closed");
	return session;
}

static void blame(Session* session, const char* problem)
{
	if (!session->problem)
		session->problem = problem;
}

static void forgetAuthorities(Session* session)
{
	mbedtls_ssl_conf_ca_chain(&session->conf, NULL, NULL);
	mbedtls_x509_crt_free(&session->authorities);
	mbedtls_x509_crt_init(&session->authorities);
}

void xs_tls_destructor(void* data)
{
	Session* session = data;
	if (!session)
		return;
	mbedtls_ssl_free(&session->ssl);
	mbedtls_ssl_config_free(&session->conf);
	mbedtls_x509_crt_free(&session->authorities);
#if MBEDTLS_VERSION_MAJOR < 4
	mbedtls_ctr_drbg_free(&session->random);
	mbedtls_entropy_free(&session->entropy);
#endif
	free(session);
}

/*
 * Calls a method of the TCP socket with `bytes` as a buffer and returns its result. An exception becomes a failure, because mbedTLS must be
 * left through its normal return path.
 */
static bool callSocket(Session* session, xsIdentifier method, void* bytes, size_t length, xsIntegerValue* result)
{
	xsMachine* the = session->the;
	volatile bool isDone = false;
	xsTry {
		xsVar(0) = xsNewHostObject(NULL);
		xsmcSetHostBuffer(xsVar(0), bytes, (xsIntegerValue)length);
		xsVar(1) = xsCall1(*session->tcp, method, xsVar(0));
		/* Detach: mbedTLS may free its buffers at any time. */
		xsmcSetHostBuffer(xsVar(0), NULL, 0);
		*result = xsmcTest(xsVar(1)) ? xsmcToInteger(xsVar(1)) : 0;
		isDone = true;
	}
	xsCatch {
	}
	return isDone;
}

static int deliverRecord(void* context, const unsigned char* bytes, size_t length)
{
	Session* session = context;
	if (session->isOpen && session->writable < (xsIntegerValue)length)
		/* A partial record would run into the next one; `write` makes sure there is space. */
		return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
	if (session->writable <= 0)
		return MBEDTLS_ERR_SSL_WANT_WRITE;
	if (length > (size_t)session->writable)
		length = session->writable;
	if (!callSocket(session, xsID_write, (void*)bytes, length, &session->writable))
		return MBEDTLS_ERR_SSL_CONN_EOF;
	return (int)length;
}

/* Checks a record's header: mbedTLS itself accepts anything up to its compile-time limit. */
static bool isTaken(Session* session)
{
	const uint8_t* header = session->header;
	uint16_t length = header[3] << 8 | header[4];
	/* What is long in a handshake is not encrypted yet. */
	uint16_t longest = session->isOpen ? MAX_FRAGMENT + CIPHER_OVERHEAD : MAX_HANDSHAKE;
	if (header[1] != TLS_MAJOR || !length)
		blame(session, NOT_TLS);
	else if (length > longest)
		blame(session, LONG_RECORD);
	else {
		session->contentLeft = length;
		return true;
	}
	return false;
}

static int fetchRecord(void* context, unsigned char* bytes, size_t length)
{
	Session* session = context;
	size_t wanted = session->contentLeft ? session->contentLeft : (size_t)(RECORD_HEADER - session->headerLength);
	xsIntegerValue unused;
	if (session->readable <= 0)
		return MBEDTLS_ERR_SSL_WANT_READ;
	if (length > wanted)
		length = wanted;
	if (length > (size_t)session->readable)
		length = session->readable;
	if (!callSocket(session, xsID_read, bytes, length, &unused))
		return MBEDTLS_ERR_SSL_CONN_EOF;
	session->readable -= length;
	if (session->contentLeft)
		session->contentLeft -= length;
	else {
		memcpy(session->header + session->headerLength, bytes, length);
		session->headerLength += length;
		if (session->headerLength == RECORD_HEADER) {
			session->headerLength = 0;
			if (!isTaken(session))
				return MBEDTLS_ERR_SSL_INVALID_RECORD;
		}
	}
	return (int)length;
}

/* Only for comparison. */
static int64_t secondsOf(int year, int month, int day, int hour, int minute, int second)
{
	return ((((year * 12LL + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second;
}

static int64_t secondsOfTime(const mbedtls_x509_time* time)
{
	return secondsOf(time->year, time->mon, time->day, time->hour, time->min, time->sec);
}

static bool hasAddress(const mbedtls_x509_crt* certificate, const uint8_t* address)
{
	for (const mbedtls_x509_sequence* name = &certificate->subject_alt_names; name; name = name->next)
		if (name->buf.tag == SAN_ADDRESS && name->buf.len == IPV4_BYTES && !memcmp(name->buf.p, address, IPV4_BYTES))
			return true;
	return false;
}

/*
 * Called by mbedTLS for each certificate of the chain it has built, the CA's first. Makes up for what mbedTLS lacks: it has no clock on the
 * chip, falls back to the common name if there is no alternative name, and 2.28 does not check addresses.
 */
static int verify(void* context, mbedtls_x509_crt* certificate, int depth, uint32_t* flags)
{
	Session* session = context;
	struct tm now;
	gmtime_r(&session->date, &now);
	int64_t seconds = secondsOf(now.tm_year + 1900, now.tm_mon + 1, now.tm_mday, now.tm_hour, now.tm_min, now.tm_sec);
	*flags &= ~(uint32_t)(MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE);
	if (seconds > secondsOfTime(&certificate->valid_to))
		*flags |= MBEDTLS_X509_BADCERT_EXPIRED;
	if (seconds < secondsOfTime(&certificate->valid_from))
		*flags |= MBEDTLS_X509_BADCERT_FUTURE;
	if (!depth && (session->hasAddress ? !hasAddress(certificate, session->address) : !certificate->subject_alt_names.buf.p))
		*flags |= MBEDTLS_X509_BADCERT_CN_MISMATCH;
	if (*flags)
		blame(session, problemOfFlags(*flags, depth));
	return 0;
}

#if MBEDTLS_VERSION_MAJOR < 4
static int startRandom(Session* session)
{
	return mbedtls_ctr_drbg_seed(&session->random, mbedtls_entropy_func, &session->entropy, NULL, 0);
}

static void configureVersion(Session* session)
{
	static const mbedtls_ecp_group_id curves[] = {MBEDTLS_ECP_DP_SECP256R1, MBEDTLS_ECP_DP_SECP384R1, MBEDTLS_ECP_DP_NONE};
	mbedtls_ssl_conf_rng(&session->conf, mbedtls_ctr_drbg_random, &session->random);
	mbedtls_ssl_conf_curves(&session->conf, curves);
	mbedtls_ssl_conf_min_version(&session->conf, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
	mbedtls_ssl_conf_max_version(&session->conf, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
}

static bool isHandshakeOver(Session* session)
{
	return session->ssl.state == MBEDTLS_SSL_HANDSHAKE_OVER;
}
#else
/* Random numbers come from PSA, which ESP-IDF seeds from the chip's generator; PSA also handles keys and certificates. */
static int startRandom(Session* session)
{
	(void)session;
	return (int)psa_crypto_init();
}

static void configureVersion(Session* session)
{
	static const uint16_t groups[] = {MBEDTLS_SSL_IANA_TLS_GROUP_SECP256R1, MBEDTLS_SSL_IANA_TLS_GROUP_SECP384R1, 0};
	mbedtls_ssl_conf_groups(&session->conf, groups);
	mbedtls_ssl_conf_min_tls_version(&session->conf, MBEDTLS_SSL_VERSION_TLS1_2);
	mbedtls_ssl_conf_max_tls_version(&session->conf, MBEDTLS_SSL_VERSION_TLS1_2);
}

static bool isHandshakeOver(Session* session)
{
	return mbedtls_ssl_is_handshake_over(&session->ssl);
}
#endif

/* Parses exactly four numbers from 0 to 255; anything else is a host name. */
static bool parseAddress(const char* text, uint8_t* address)
{
	for (int at = 0; at < IPV4_BYTES; at++) {
		int value = 0, digits = 0;
		for (; *text >= '0' && *text <= '9' && digits < 3; text++, digits++)
			value = value * 10 + *text - '0';
		if (!digits || value > 255 || *text++ != (at < IPV4_BYTES - 1 ? '.' : '\0'))
			return false;
		address[at] = value;
	}
	return true;
}

static int configure(Session* session, const char* host)
{
	mbedtls_ssl_config* conf = &session->conf;
	int result = mbedtls_ssl_config_defaults(conf, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
	if (!result)
		result = mbedtls_ssl_conf_max_frag_len(conf, MBEDTLS_SSL_MAX_FRAG_LEN_4096);
	if (result)
		return result;
	configureVersion(session);
	mbedtls_ssl_conf_authmode(conf, MBEDTLS_SSL_VERIFY_REQUIRED);
	/* SHA-256 or better, RSA of 2,048 bits or more. */
	mbedtls_ssl_conf_cert_profile(conf, &mbedtls_x509_crt_profile_next);
	mbedtls_ssl_conf_ca_chain(conf, &session->authorities, NULL);
	mbedtls_ssl_conf_verify(conf, verify, session);
	mbedtls_ssl_conf_ciphersuites(conf, ciphersuites);
#if defined(MBEDTLS_SSL_SESSION_TICKETS)
	mbedtls_ssl_conf_session_tickets(conf, MBEDTLS_SSL_SESSION_TICKETS_DISABLED);
#endif
	result = mbedtls_ssl_setup(&session->ssl, conf);
	if (result)
		return result;
	mbedtls_ssl_set_bio(&session->ssl, session, deliverRecord, fetchRecord, NULL);
	session->hasAddress = parseAddress(host, session->address);
	/* RFC 6066, section 3: addresses are not allowed as server names. */
	return mbedtls_ssl_set_hostname(&session->ssl, session->hasAddress ? NULL : host);
}

/* Parses DERs, one after another: at least one, and nothing else. Returns an error of mbedTLS, or 0. */
static int parseAuthorities(Session* session, const uint8_t* bytes, size_t length)
{
	mbedtls_x509_crt* last = &session->authorities;
	do {
		int result = mbedtls_x509_crt_parse_der(&session->authorities, bytes, length);
		if (result)
			return result;
		while (last->next)
			last = last->next;
		bytes += last->raw.len;
		length -= last->raw.len;
	} while (length);
	return 0;
}

/* Session(certificates, host, date) */
void xs_tls_constructor(xsMachine* the)
{
	void* certificates;
	xsUnsignedValue length;
	char host[MAX_HOST + 1];
	Session* session = calloc(1, sizeof(Session));
	if (!session)
		xsUnknownError(NO_MEMORY);
	mbedtls_ssl_init(&session->ssl);
	mbedtls_ssl_config_init(&session->conf);
	mbedtls_x509_crt_init(&session->authorities);
#if MBEDTLS_VERSION_MAJOR < 4
	mbedtls_entropy_init(&session->entropy);
	mbedtls_ctr_drbg_init(&session->random);
#endif
	xsmcSetHostData(xsThis, session);

	xsmcToStringBuffer(xsArg(1), host, sizeof(host));
	session->date = (time_t)xsmcToNumber(xsArg(2));
	xsmcGetBufferReadable(xsArg(0), &certificates, &length);
	/* Errors are reported by `advance`, like all others. */
	int result = startRandom(session);
	if (!result) {
		int unread = parseAuthorities(session, certificates, length);
		if (unread)
			blame(session, problemOfAuthority(unread));
		result = configure(session, host);
	}
	if (result)
		blame(session, problemOf(result));
}

/* close() */
void xs_tls_close(xsMachine* the)
{
	Session* session = sessionOf(the);
	xsmcSetHostData(xsThis, NULL);
	xs_tls_destructor(session);
}

static void begin(xsMachine* the, Session* session)
{
	session->the = the;
	session->tcp = &xsArg(0);
}

static void fail(xsMachine* the, Session* session, int result)
{
	uint32_t flags = mbedtls_ssl_get_verify_result(&session->ssl);
	if (flags && flags != NOT_VERIFIED)
		blame(session, problemOfFlags(flags, 0));
	blame(session, problemOf(result));
	xsUnknownError("%s", session->problem);
}

/* readable, writable: bytes in the TCP socket and free space in it, as the socket reports them. */
void xs_tls_get_readable(xsMachine* the)
{
	xsmcSetInteger(xsResult, sessionOf(the)->readable);
}

void xs_tls_set_readable(xsMachine* the)
{
	sessionOf(the)->readable = xsmcToInteger(xsArg(0));
}

void xs_tls_get_writable(xsMachine* the)
{
	xsmcSetInteger(xsResult, sessionOf(the)->writable);
}

void xs_tls_set_writable(xsMachine* the)
{
	sessionOf(the)->writable = xsmcToInteger(xsArg(0));
}

/* problem: why a method has thrown, a TlsProblem of problems.ts; undefined if there is no code. */
void xs_tls_get_problem(xsMachine* the)
{
	Session* session = sessionOf(the);
	if (session->problem)
		xsmcSetString(xsResult, (char*)session->problem);
}

/* advance(tcp): one step of the handshake. True: complete. False: call again. Undefined: waiting for the server. */
void xs_tls_advance(xsMachine* the)
{
	Session* session = sessionOf(the);
	xsmcVars(2);
	begin(the, session);
	if (session->problem)
		xsUnknownError("%s", session->problem);
	int result = mbedtls_ssl_handshake_step(&session->ssl);
	if (result == MBEDTLS_ERR_SSL_WANT_READ || result == MBEDTLS_ERR_SSL_WANT_WRITE)
		return;
	if (result)
		fail(the, session, result);
	if (isHandshakeOver(session)) {
		session->isOpen = true;
		forgetAuthorities(session);
	}
	xsmcSetBoolean(xsResult, session->isOpen);
}

/* decrypt(tcp): bytes available to `read`, 0 if no complete record has arrived; undefined: the server has closed the connection. */
void xs_tls_decrypt(xsMachine* the)
{
	Session* session = sessionOf(the);
	unsigned char none;
	xsmcVars(2);
	begin(the, session);
	int result = mbedtls_ssl_read(&session->ssl, &none, 0);
	if (result == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY)
		return;
	if (result < 0 && result != MBEDTLS_ERR_SSL_WANT_READ && result != MBEDTLS_ERR_SSL_WANT_WRITE)
		fail(the, session, result);
	xsmcSetInteger(xsResult, (xsIntegerValue)mbedtls_ssl_get_bytes_avail(&session->ssl));
}

/* read(view): number of bytes read into it; undefined if there are none. */
void xs_tls_read(xsMachine* the)
{
	Session* session = sessionOf(the);
	void* bytes;
	xsUnsignedValue length;
	/* With data available mbedTLS does not call the socket, whose JavaScript might move the view's bytes. */
	if (!mbedtls_ssl_get_bytes_avail(&session->ssl))
		return;
	xsmcGetBufferWritable(xsArg(0), &bytes, &length);
	int result = mbedtls_ssl_read(&session->ssl, bytes, length);
	if (result < 0)
		fail(the, session, result);
	xsmcSetInteger(xsResult, result);
}

/* write(tcp, bytes): writes one record. */
void xs_tls_write(xsMachine* the)
{
	Session* session = sessionOf(the);
	void* bytes;
	xsUnsignedValue length;
	xsmcVars(2);
	begin(the, session);
	xsmcGetBufferReadable(xsArg(1), &bytes, &length);
	if (!session->isOpen || length > MAX_FRAGMENT ||
		(xsIntegerValue)(length + RECORD_HEADER + CIPHER_OVERHEAD) > session->writable)
		xsUnknownError("would block");
	/* Encryption finishes before the socket is called. */
	int result = length ? mbedtls_ssl_write(&session->ssl, bytes, length) : 0;
	if (result < 0)
		fail(the, session, result);
}

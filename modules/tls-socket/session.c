/*
 * The natives of session.js: a TLS 1.2 client over mbedTLS, the 2.28 of Debian 12 or the 4.x of ESP-IDF 6, which gets and gives its
 * records through a TCP socket of ECMA-419. mbedTLS reads into and writes from its own buffers; nothing is copied on the way.
 */
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* First: it says how mbedTLS is configured. */
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

/* RFC 6066, section 4: the server is asked for no longer records, bytes. Mirrored in limits.ts. */
#define MAX_FRAGMENT 4096
/* What AES-GCM adds to a record in TLS 1.2 (RFC 5288): explicit nonce and tag, bytes. */
#define CIPHER_OVERHEAD (8 + 16)
#define RECORD_HEADER 5
#define TLS_MAJOR 3
/* DNS names are no longer (RFC 1035, section 2.3.4). */
#define MAX_HOST 253
/* RFC 5280, section 4.2.1.6: GeneralName iPAddress. */
#define SAN_ADDRESS (MBEDTLS_ASN1_CONTEXT_SPECIFIC | 7)
#define IPV4_BYTES 4
/* mbedtls_ssl_get_verify_result has none. */
#define NOT_VERIFIED 0xffffffff

/* ECDHE with AES-128-GCM, for ECDSA and for RSA: forward secrecy, and what every broker has. */
static const int ciphersuites[] = {
	MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, MBEDTLS_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, 0};

typedef struct {
	mbedtls_ssl_context ssl;
	mbedtls_ssl_config conf;
	mbedtls_x509_crt authority;
#if MBEDTLS_VERSION_MAJOR < 4
	mbedtls_entropy_context entropy;
	mbedtls_ctr_drbg_context random;
#endif
	/* Of the call that is under way. */
	xsMachine* the;
	xsSlot* tcp;
	/* Bytes in the TCP socket, and room in it. */
	xsIntegerValue readable, writable;
	/* The next record's header, how much of it has come, and how much of its content has not. */
	uint8_t header[RECORD_HEADER];
	uint8_t headerLength;
	uint16_t contentLeft;
	bool isOpen;
	/* `host` is this address; else the name that mbedTLS checks. */
	bool hasAddress;
	uint8_t address[IPV4_BYTES];
	/* Seconds since 1970, UTC. */
	time_t date;
	/* Why it failed, for people. */
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

static void forgetAuthority(Session* session)
{
	mbedtls_ssl_conf_ca_chain(&session->conf, NULL, NULL);
	mbedtls_x509_crt_free(&session->authority);
	mbedtls_x509_crt_init(&session->authority);
}

void xs_tls_destructor(void* data)
{
	Session* session = data;
	if (!session)
		return;
	mbedtls_ssl_free(&session->ssl);
	mbedtls_ssl_config_free(&session->conf);
	mbedtls_x509_crt_free(&session->authority);
#if MBEDTLS_VERSION_MAJOR < 4
	mbedtls_ctr_drbg_free(&session->random);
	mbedtls_entropy_free(&session->entropy);
#endif
	free(session);
}

/* The TCP socket's method, with `bytes` as a buffer; its result. A socket that throws is one that has failed: mbedTLS must be left by its own way. */
static bool callSocket(Session* session, xsIdentifier method, void* bytes, size_t length, xsIntegerValue* result)
{
	xsMachine* the = session->the;
	volatile bool isDone = false;
	xsTry {
		xsVar(0) = xsNewHostObject(NULL);
		xsmcSetHostBuffer(xsVar(0), bytes, (xsIntegerValue)length);
		xsVar(1) = xsCall1(*session->tcp, method, xsVar(0));
		/* mbedTLS frees its buffers when it likes. */
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
		/* Half a record would be mixed up with the next: `write` sees to it that there is room. */
		return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
	if (session->writable <= 0)
		return MBEDTLS_ERR_SSL_WANT_WRITE;
	if (length > (size_t)session->writable)
		length = session->writable;
	if (!callSocket(session, xsID_write, (void*)bytes, length, &session->writable))
		return MBEDTLS_ERR_SSL_CONN_EOF;
	return (int)length;
}

/* Whether a record with this header is taken: mbedTLS itself takes as much as it was compiled for. */
static bool isTaken(Session* session)
{
	const uint8_t* header = session->header;
	uint16_t length = header[3] << 8 | header[4];
	if (header[1] != TLS_MAJOR || !length)
		blame(session, NOT_TLS);
	else if (length > MAX_FRAGMENT + CIPHER_OVERHEAD)
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

/* To compare with others. */
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
 * mbedTLS asks about each certificate of the path it has found, the CA's first. It knows no time on the chip, takes a common name for a
 * host name when there is no other, and 2.28 knows no addresses.
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
/* Its random numbers are PSA's, which ESP-IDF seeds by the chip's generator; keys and certificates are read by PSA as well. */
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

/* The address as four numbers from 0 to 255 with nothing else; else it is a name. */
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
	/* SHA-256 and better, RSA of 2,048 bits and more. */
	mbedtls_ssl_conf_cert_profile(conf, &mbedtls_x509_crt_profile_next);
	mbedtls_ssl_conf_ca_chain(conf, &session->authority, NULL);
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
	/* RFC 6066, section 3: addresses are no server names. */
	return mbedtls_ssl_set_hostname(&session->ssl, session->hasAddress ? NULL : host);
}

/* Session(certificate, host, date) */
void xs_tls_constructor(xsMachine* the)
{
	void* certificate;
	xsUnsignedValue length;
	char host[MAX_HOST + 1];
	Session* session = calloc(1, sizeof(Session));
	if (!session)
		xsUnknownError(NO_MEMORY);
	mbedtls_ssl_init(&session->ssl);
	mbedtls_ssl_config_init(&session->conf);
	mbedtls_x509_crt_init(&session->authority);
#if MBEDTLS_VERSION_MAJOR < 4
	mbedtls_entropy_init(&session->entropy);
	mbedtls_ctr_drbg_init(&session->random);
#endif
	xsmcSetHostData(xsThis, session);

	xsmcToStringBuffer(xsArg(1), host, sizeof(host));
	session->date = (time_t)xsmcToNumber(xsArg(2));
	xsmcGetBufferReadable(xsArg(0), &certificate, &length);
	/* What is wrong is told by `advance`, as all else. */
	int result = startRandom(session);
	if (!result && mbedtls_x509_crt_parse_der(&session->authority, certificate, length))
		blame(session, UNREADABLE_CA);
	if (!result)
		result = configure(session, host);
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

/* readable, writable: bytes in the TCP socket and room in it, as it tells them. */
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

/* problem: why a method has thrown, for people; undefined: not for them. */
void xs_tls_get_problem(xsMachine* the)
{
	Session* session = sessionOf(the);
	if (session->problem)
		xsmcSetString(xsResult, (char*)session->problem);
}

/* advance(tcp): one step of the handshake. True: it is complete. False: there is more to do. Undefined: it waits for the other side. */
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
		forgetAuthority(session);
	}
	xsmcSetBoolean(xsResult, session->isOpen);
}

/* decrypt(tcp): bytes that `read` has, 0 when no whole record has come; undefined: the server has ended the connection. */
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

/* read(view): how many bytes were put into it; undefined: there are none. */
void xs_tls_read(xsMachine* the)
{
	Session* session = sessionOf(the);
	void* bytes;
	xsUnsignedValue length;
	/* With something there mbedTLS does not ask the socket, whose JavaScript might move the view's bytes. */
	if (!mbedtls_ssl_get_bytes_avail(&session->ssl))
		return;
	xsmcGetBufferWritable(xsArg(0), &bytes, &length);
	int result = mbedtls_ssl_read(&session->ssl, bytes, length);
	if (result < 0)
		fail(the, session, result);
	xsmcSetInteger(xsResult, result);
}

/* write(tcp, bytes): one record. */
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
	/* It is encrypted before the socket is called. */
	int result = length ? mbedtls_ssl_write(&session->ssl, bytes, length) : 0;
	if (result < 0)
		fail(the, session, result);
}

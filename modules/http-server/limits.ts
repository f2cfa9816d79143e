/**
 * The server's limits, with the status returned to a client that exceeds them.
 *
 * They suit a device with some 40 KB to spare and a handful of clients. RFC 9110 and 9112 recommend far larger lines to servers that have
 * the memory.
 */

/**
 * Simultaneous connections, out of the 16 active TCP connections of the device, of which the rest is for refused and new ones and for what the
 * device opens. XS's memory bounds it. One more: 503.
 */
export const MAX_CONNECTIONS = 12;

/** Connections an address may keep while clients at other addresses are waiting for a place. */
export const ADDRESS_SHARE = 2;

/** Refused connections kept open until their client has read the 503; any more get the 503 and are closed at once. */
export const MAX_REFUSALS = 1;

/** Retry-After of the 503 sent to a refused connection, seconds. */
export const RETRY_AFTER_SECONDS = 2;

/**
 * Grace of a new connection that has sent nothing yet: it is not closed for another client within this time, ms. Longer than the script is busy
 * with others, which hears its request that late.
 */
export const NEW_CONNECTION_GRACE_MS = 1_000;

/**
 * Grace of a client that has been served: its connection is not closed within this time of its last request, ms, for another of its own
 * address that holds its share already. For any other client it is closed at once: to be kept is a favour.
 */
export const CLIENT_GRACE_MS = 5_000;

/** Grace of an incomplete head, ms: after this, the connection is closed for a client that would otherwise be refused. */
export const HEAD_GRACE_MS = 1_000;

/** The same for a body, unless the handler trusts its client (`exchange.trust`), ms. */
export const BODY_GRACE_MS = 1_000;

/** The same for a client that waits for the handler's answer, such as that to a password: only if no other can be closed, ms. */
export const HANDLER_GRACE_MS = 1_000;

/** A client that comes back within this time, ms, keeps its connection as long as another may be closed for a new client. */
export const REGULAR_MS = 1_500;

/**
 * Addresses remembered whose connection was closed for another client in the middle of a request, and for how long, ms. They take no places from
 * others meanwhile, and lose their own in the middle of a request at once.
 */
export const MAX_LAGGARDS = 32;
export const LAGGARD_MS = 10_000;

/**
 * Segments that all connections together may have sent without an acknowledgement, each of which holds SEGMENT_BYTES of memory however
 * little is in it: two responses of the longest. A response begins only when it fits; the others wait until bytes are acknowledged.
 */
export const MAX_SENT_SEGMENTS = 8;
export const SEGMENT_BYTES = 1436;

/** Those of one address while it begins a response on another connection; until it has, the bodies of its other responses pause. */
export const ADDRESS_SEGMENTS = 4;

/** The same for one connection: the queue of the platform's socket (boards/esp32/sockets/sockets.h). */
export const MAX_QUEUED_SEGMENTS = 6;

/** A client that has taken nothing of its response for so long is closed when others wait to be sent theirs, or for its place, ms. */
export const READER_GRACE_MS = 1_000;

/**
 * The same for a client that has taken something before: longer than a lost segment takes to be sent again, 1.5 s, and than a busy script takes to
 * hear that it was acknowledged.
 */
export const READER_PAUSE_MS = 4_000;

/** Empty lines ignored before a request line (RFC 9112 section 2.2). One more: 400. */
export const MAX_EMPTY_LINES = 2;

/** Request line without its line end. Longer: 414. */
export const MAX_REQUEST_LINE_BYTES = 256;

/** One header line without its line end. Longer: 431. */
export const MAX_HEADER_LINE_BYTES = 1024;

/** Header lines of a request, including the trailers of a chunked body. More: 431. */
export const MAX_HEADER_COUNT = 40;

/** All header lines of a request together without their line ends, including trailers. More: 431. */
export const MAX_HEADER_BYTES = 4096;

/** Method, request target and the values of the kept header fields together. More: 431. */
export const MAX_KEPT_BYTES = 736;

/** Digits of a Content-Length. More: 400. */
export const MAX_CONTENT_LENGTH_DIGITS = 15;

/** Request body, even if a handler gives `receive` a larger limit. Larger: reported to the handler (413). */
export const MAX_BODY_BYTES = 3200;

/** Digits of a chunk size. More: 400. */
export const MAX_CHUNK_SIZE_DIGITS = 7;

/** Chunk extensions of one body together. More: 400. */
export const MAX_CHUNK_EXTENSION_BYTES = 256;

/** Bytes of an unwanted request body that are drained to keep the connection. More: `Connection: close`. */
export const MAX_DRAIN_BYTES = 2048;

/** From the first byte of a request to the end of its head, ms. Longer: 408. */
export const HEADER_TIME_MS = 10_000;

/** From `receive` (or, for an unwanted body, the end of the response) to the end of the body, ms. Longer: 408. */
export const BODY_TIME_MS = 10_000;

/** A streamed body must progress by this much, or to its end, within BODY_TIME_MS. Otherwise: 408. */
export const STREAM_STALL_BYTES = 1024;

/** From the end of the request to the handler's response, ms. Longer: 500. */
export const HANDLER_TIME_MS = 30_000;

/** Idle connection, ms. Longer: closed silently. */
export const IDLE_TIME_MS = 30_000;

/** A response must progress by SEND_STALL_BYTES, or to the end of what is in flight, within this time, ms. Otherwise: closed. */
export const SEND_STALL_MS = 10_000;
export const SEND_STALL_BYTES = 1024;

/**
 * How long, and for how many bytes, a connection to be closed is drained first: closing with unread bytes makes TCP send a reset, which
 * would destroy the response in flight (RFC 9112 section 9.6). Then: closed.
 */
export const LINGER_MS = 1_000;
export const MAX_LINGER_BYTES = 32_768;

/** Interval of the deadline check, ms: each deadline may be met this much late. */
export const TICK_MS = 250;

/** Back-off between attempts to open a listener that the platform refuses, ms: doubles from the first to the second number. */
export const MIN_REOPEN_MS = 1_000;
export const MAX_REOPEN_MS = 60_000;

/** The one buffer for every `Render`. */
export const RESPONSE_BUFFER_BYTES = 4096;

/** Status line and header fields of a response; the longest is that of a sign-in by TLS, some 660. More: the handler's error, 500. */
export const MAX_RESPONSE_HEAD_BYTES = 768;

/** Send window needed to continue a streamed body (or the full window, if that is smaller). */
export const MIN_SEND_BYTES = 256;

/**
 * Unacknowledged writes of fewer than SMALL_WRITE_BYTES. lwIP queues each in a buffer of its own and allows 16 per connection, however
 * small: this bound keeps a pipeline of small responses, or a stream of small events, from exhausting them. It also bounds how many
 * pipelined requests are handled in one callback.
 */
export const MAX_SMALL_WRITES = 4;
export const SMALL_WRITE_BYTES = 512;

/** A receive buffer: the longest line with its line end. Anything beyond stays in the socket and throttles the peer. */
export const INPUT_BYTES = MAX_HEADER_LINE_BYTES + 2;

/** Longest head that is remembered, so that an identical one need not be parsed. */
export const MAX_REMEMBERED_BYTES = 768;

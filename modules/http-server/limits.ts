/**
 * Every limit of the server, with the status a client gets that goes beyond it.
 *
 * They are made for a device with some 40 KB to spare and a handful of clients. RFC 9110 and 9112 recommend far larger lines to
 * servers that have the memory.
 */

/** Connections served at the same time, of the 8 active TCP connections the device has in all. One more: 503. */
export const MAX_CONNECTIONS = 6;

/** Connections served for one address while clients of other addresses want in. */
export const ADDRESS_SHARE = 2;

/** Refused connections that are kept open until their client has read the 503; one more is told and closed at once. */
export const MAX_REFUSALS = 1;

/** What the 503 of a refused connection asks for in Retry-After, seconds. */
export const RETRY_AFTER_SECONDS = 2;

/** A new connection that has sent nothing yet is not closed to make room for another one within this time, ms. */
export const NEW_CONNECTION_GRACE_MS = 200;

/**
 * A client that has been served is not closed to make room for another one within this time after its last request, ms: who polls every
 * few seconds keeps the connection, however many others knock.
 */
export const CLIENT_GRACE_MS = 5_000;

/** A head that is not complete after this time gives way to a client that would be refused, ms. */
export const HEAD_GRACE_MS = 1_000;

/** Empty lines before a request line that are overlooked (RFC 9112 section 2.2). One more: 400. */
export const MAX_EMPTY_LINES = 2;

/** Request line without its line end. Longer: 414. */
export const MAX_REQUEST_LINE_BYTES = 256;

/** One header line without its line end. Longer: 431. */
export const MAX_HEADER_LINE_BYTES = 1024;

/** Header lines of a request, trailers of a chunked body included. More: 431. */
export const MAX_HEADER_COUNT = 40;

/** All header lines of a request together without their line ends, trailers included. More: 431. */
export const MAX_HEADER_BYTES = 4096;

/** Method, request target and the values of the kept header fields together. More: 431. */
export const MAX_KEPT_BYTES = 736;

/** Digits of a Content-Length. More: 400. */
export const MAX_CONTENT_LENGTH_DIGITS = 15;

/** Request body, whatever larger limit a handler gives to `receive`. Larger: the handler is told (413). */
export const MAX_BODY_BYTES = 3200;

/** Digits of a chunk size. More: 400. */
export const MAX_CHUNK_SIZE_DIGITS = 7;

/** Chunk extensions of one body together. More: 400. */
export const MAX_CHUNK_EXTENSION_BYTES = 256;

/** Bytes of an unwanted request body that are read and dropped to keep the connection. More: `Connection: close`. */
export const MAX_DRAIN_BYTES = 2048;

/** From the first byte of a request to the end of its head, ms. Longer: 408. */
export const HEADER_TIME_MS = 10_000;

/** From `receive` (or, for an unwanted body, the end of the response) to the end of the body, ms. Longer: 408. */
export const BODY_TIME_MS = 10_000;

/** A body that goes to a sink has to move on by this much, or to its end, within BODY_TIME_MS. Else: 408. */
export const STREAM_STALL_BYTES = 1024;

/** From the end of the request to the handler's response, ms. Longer: 500. */
export const HANDLER_TIME_MS = 30_000;

/** A connection without a request, ms. Longer: closed silently. */
export const IDLE_TIME_MS = 30_000;

/** A response has to move on by SEND_STALL_BYTES, or to the end of what is under way, within this time, ms. Else: closed. */
export const SEND_STALL_MS = 10_000;
export const SEND_STALL_BYTES = 1024;

/**
 * How long and how much a connection that is to be closed is still read from, so that the reset which a TCP gives to unread bytes does
 * not destroy the response on its way (RFC 9112 section 9.6). Then: closed.
 */
export const LINGER_MS = 1_000;
export const MAX_LINGER_BYTES = 32_768;

/** How often the deadlines are looked at: each may be met this much late, ms. */
export const TICK_MS = 250;

/** The one buffer that every `Render` writes into. */
export const RESPONSE_BUFFER_BYTES = 4096;

/** Status line and header fields of a response. More: the handler has failed, 500. */
export const MAX_RESPONSE_HEAD_BYTES = 640;

/** A streamed body goes on only when the send window has at least this much room (or is open as far as it goes). */
export const MIN_SEND_BYTES = 256;

/**
 * Writes of fewer than SMALL_WRITE_BYTES that may be under way at the same time. lwIP holds each in a buffer of its own and has 16 for a
 * connection, however small they are: with this bound a pipeline of small responses, or a stream of small events, cannot run out of
 * them. It also bounds how many pipelined requests are handled in one callback.
 */
export const MAX_SMALL_WRITES = 4;
export const SMALL_WRITE_BYTES = 512;

/** A connection's one buffer: the longest line with its line end. What follows stays in the socket and holds back the peer. */
export const INPUT_BYTES = MAX_HEADER_LINE_BYTES + 2;

/** A head of at most this many bytes is remembered: the same again need not be parsed. */
export const MAX_REMEMBERED_BYTES = 768;

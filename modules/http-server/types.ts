/** The interface between the HTTP server and its handlers. */

import type { KeptHeader } from "./fields";

export type { KeptHeader };

/** A header line, or one or more of them from `headerLines`. */
export type HeaderLine = readonly [name: string, value: string] | string;

/**
 * Renders a whole response body into `into` (RESPONSE_BUFFER_BYTES long) and returns its length. Called once, when the send window can take
 * it.
 */
export type Render = (into: Uint8Array) => number;

/** A response body read piecewise as the send window opens. */
export interface BodySource {
  /** Total bytes, if known; otherwise the body is chunked (HTTP/1.1) or ends with the connection (HTTP/1.0). */
  readonly length?: number;
  /**
   * Writes the next bytes to `into`. Returns their count, 0 at the end, -1 if there are none yet (call `exchange.resume()` once there are).
   */
  read(into: Uint8Array): number;
  /** The response has ended or the connection has closed: called exactly once. */
  close?(): void;
}

/** Takes a request body of any length piecewise. Exactly one of `end` and `abort` is called, once. */
export interface BodySink {
  /**
   * Takes the next bytes, a view that is valid during the call. False: it took none of them and wants none now; `exchange.resume()` offers
   * them again. Until then the client is throttled.
   */
  write(bytes: Uint8Array): boolean;
  /** End of the body. `whole` is false if it is longer than the limit. */
  end(whole: boolean): void;
  /** The client has gone, the body is malformed or stalled, or the response was given before its end. */
  abort(): void;
}

/** A file in flash: compressed at build time, never copied whole into memory. */
export interface StaticFile {
  /** The gzip bytes; a client that refuses gzip gets 406. */
  readonly gzip: Uint8Array;
  readonly type: string;
  /** Strong entity tag with its quotes, RFC 9110 section 8.8.3. */
  readonly etag: string;
  readonly cacheControl: string;
}

/**
 * One request and its response. Every request gets its own exchange; a stale one never answers a later request. The request's header fields
 * (`header`) are available until the response has been given.
 */
export interface Exchange {
  readonly method: string;
  /** The path of the request target, as sent, without the query. */
  readonly path: string;
  /** Everything after the first `?`, or an empty string. */
  readonly query: string;
  readonly remoteAddress: string;
  /** False once the response has been given or the client has gone: a late response is dropped. */
  readonly open: boolean;
  /**
   * What the handler has derived from this request's head (its route, its user). Kept from the second request of a connection for as
   * long as heads are identical; store only what depends on the head alone.
   */
  memo: unknown;
  header(name: KeptHeader): string | undefined;
  /**
   * The client is one whom nobody may shut out: this request keeps the connection's place until it is answered, its body for BODY_TIME_MS. Of any other
   * client, the connection may be closed for a new one after BODY_GRACE_MS or HANDLER_GRACE_MS.
   */
  trust(): void;
  /**
   * Reads the request body, at most `limit` bytes (and at most MAX_BODY_BYTES). `done` gets a view of it, valid during the call (empty if
   * the request has no body), or undefined if the body is longer than `limit`; nothing beyond `limit` is kept. A client that expects `100
   * Continue` gets it. If neither `receive` nor `stream` is called, the body is drained within bounds or the connection closed. `done` is
   * not called if the client goes, or if the body is malformed or too slow, which the server answers itself. Call it once.
   */
  receive(limit: number, done: (body: Uint8Array | undefined) => void): void;
  /**
   * Streams the request body, at most `limit` bytes, to `sink`, in place of `receive`. It must progress within BODY_TIME_MS; time spent
   * waiting for the sink does not count.
   */
  stream(limit: number, sink: BodySink): void;
  /**
   * Answers the request with `status`, 200 to 599. To HEAD the server sends the head alone. The server sets Content-Type, Content-Length,
   * Transfer-Encoding and Connection: they do not belong in `headers`. A response that cannot be sent (a line break in a header, a body
   * longer than the buffer) becomes a 500.
   */
  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void;
  /** Answers with a file. `headers` as in `respond`. */
  respondFile(file: StaticFile, headers?: readonly HeaderLine[]): void;
  /** The BodySource has bytes again, or the BodySink wants more. Harmless at any other time, even after the response has ended. */
  resume(): void;
}

/** Called once a request's head is complete. Answers at once, after `receive`, or later. `target` is the server's option. */
export type Handler = (exchange: Exchange, target?: unknown) => void;

/**
 * The address against whose share a connection from `peer` counts. Asked without a request when the connection is accepted: "" if only a
 * request names it, as behind a proxy. Then it is asked again with each request, and until the first the connection counts for nobody.
 */
export type ClientOf = (peer: string, exchange?: Exchange, target?: unknown) => string;

/** Writes the body of one of the server's own errors into `into` and returns its length. `text` is ASCII without quotes. */
export type ErrorBody = (status: number, text: string, into: Uint8Array) => number;

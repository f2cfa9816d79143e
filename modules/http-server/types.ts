/** What the HTTP server and its handlers say to each other. */

/** Header fields the server keeps a value of; every other field is checked for form and dropped as it comes in. */
export type KeptHeader =
  | "accept-encoding"
  | "authorization"
  | "content-length"
  | "content-type"
  | "cookie"
  | "host"
  | "if-none-match"
  | "origin"
  | "sec-fetch-site"
  | "x-forwarded-for";

/** A header line, or one or more of them as `headerBytes` makes them. */
export type HeaderLine = readonly [name: string, value: string] | Uint8Array;

/** Renders a whole response body into `into` (RESPONSE_BUFFER_BYTES long) and answers its length. Called once, when the send window can take it. */
export type Render = (into: Uint8Array) => number;

/** A response body that is read piece by piece as the send window opens. */
export interface BodySource {
  /** Bytes in all, when known; without it the body goes out chunked (HTTP/1.1) or ends with the connection (HTTP/1.0). */
  readonly length?: number;
  /** Writes the next bytes to `into`: their count, 0 at the end, -1 when there are none yet (call `exchange.resume()` once there are). */
  read(into: Uint8Array): number;
  /** The response has ended, or the connection has: called exactly once. */
  close?(): void;
}

/** Takes a request body piece by piece, however long it is. Exactly one of `end` and `abort` is called, once. */
export interface BodySink {
  /**
   * Takes the next bytes, a view that is valid during the call. False: it took none of them and wants none now; `exchange.resume()` offers
   * them again. Until then the client is held back.
   */
  write(bytes: Uint8Array): boolean;
  /** The body has come to its end. `whole` is false when it is longer than the limit. */
  end(whole: boolean): void;
  /** The client has gone, the body is malformed or does not move on, or the response was given before its end. */
  abort(): void;
}

/** A file in flash: compressed at build time, never copied whole into memory. */
export interface StaticFile {
  /** The gzip bytes; a client that refuses gzip is answered 406. */
  readonly gzip: Uint8Array;
  readonly type: string;
  /** Strong entity tag with its quotes, RFC 9110 section 8.8.3. */
  readonly etag: string;
  readonly cacheControl: string;
}

/**
 * One request and its response. Each request has its own: one that is kept too long is dead, it never answers a later request. What the
 * request said (`header`) is there until the response has been given.
 */
export interface Exchange {
  readonly method: string;
  /** The path of the request target, as sent, without the query. */
  readonly path: string;
  /** What follows the first `?`, or an empty text. */
  readonly query: string;
  readonly remoteAddress: string;
  /** False once the response has been given or the client has gone: a response that comes late is dropped. */
  readonly open: boolean;
  /**
   * What the handler remembers of this request's head (its route, who is behind it). It is there again, on the same connection, when the
   * next head is the same to the byte, and gone when it is not; only what follows from the head alone belongs in it.
   */
  memo: unknown;
  header(name: KeptHeader): string | undefined;
  /**
   * Reads the request body, at most `limit` bytes (MAX_BODY_BYTES at the most). `done` gets a view of it, valid during the call (empty when the request has no
   * body), or undefined when the body is longer than `limit`; nothing beyond `limit` is kept. A client that waits for
   * `100 Continue` gets it. Without a call the body is not wanted: it is dropped within bounds, or the connection closed. `done` is not
   * called when the client goes, or when the body is malformed or too slow, which the server answers by itself. To be called once.
   */
  receive(limit: number, done: (body: Uint8Array | undefined) => void): void;
  /**
   * Hands the request body of at most `limit` bytes to `sink`, in place of `receive`. It has to move on within BODY_TIME_MS, but for the
   * time that the sink itself makes it wait.
   */
  stream(limit: number, sink: BodySink): void;
  /**
   * Answers the request, `status` 200 to 599. To HEAD the server sends the head alone. Content-Type, Content-Length, Transfer-Encoding and
   * Connection are the server's: they do not belong among the `headers`. What cannot be sent (a line break in a header, a body longer
   * than the buffer) makes it a 500.
   */
  respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void;
  /** Answers with a file. `headers` as with `respond`. */
  respondFile(file: StaticFile, headers?: readonly HeaderLine[]): void;
  /** The BodySource has bytes again, or the BodySink wants some. Does no harm at any other time, also when the response has ended. */
  resume(): void;
}

/** Called once a request's head is complete. It answers now, after `receive`, or later. */
export type Handler = (exchange: Exchange) => void;

/** Writes the body of an error that the server answers by itself into `into` and answers its length. `text` is ASCII without quotes. */
export type ErrorBody = (status: number, text: string, into: Uint8Array) => number;

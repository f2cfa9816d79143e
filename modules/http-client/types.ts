/** The platform's TCP class, or its TLS class. */
export interface ClientSocket {
  /** Returns how many bytes were read; undefined: none. */
  read(into: Uint8Array): number | undefined;
  /** At most as many bytes as the window last reported; returns the new one. */
  write(bytes: Uint8Array): number | undefined;
  close(): void;
}

export interface HttpAnswer {
  /** 200 to 599. A redirect (3xx) is an answer like any other: it is never followed. */
  readonly status: number;
  /** Seconds, at most MAX_RETRY_AFTER; undefined: not said, or said as a date. */
  readonly retryAfter: number | undefined;
  /** The beginning of the body, at most MAX_BODY_BYTES of UTF-8, without control characters. */
  readonly body: string;
}

/**
 * no-connection: nobody answers there; closed: the connection ended before the answer's head did; timeout: the same after TIMEOUT_MS;
 * malformed: no HTTP/1, or a head beyond MAX_HEAD_BYTES.
 */
export type HttpProblem = "no-connection" | "closed" | "timeout" | "malformed";

/** Or the reason that the class for TLS gives: a text of its own (modules/tls-socket/types.ts). */
export type HttpFailure = HttpProblem | (string & {});

/** Hears how a request ended: one of both, once, and neither after `close`. */
export interface HttpOwner {
  answered(answer: HttpAnswer): void;
  failed(problem: HttpFailure): void;
}

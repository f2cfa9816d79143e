import type Serial from "embedded:io/serial";
import type { BusMode } from "./foreign-master";
import type { Transaction } from "./transaction";

/** The serial class of the host and its pins. */
export interface SerialPort {
  readonly io: new (...options: ConstructorParameters<typeof Serial>) => Serial;
  readonly port?: number;
  readonly receive?: number;
  readonly transmit?: number;
}

/**
 * What came instead of a valid reply: nothing; bytes of which none are valid; frames of other addresses; the request itself and nothing else; or
 * something else of the slave that was asked, which counts as none of these.
 */
export const SILENCE = 0;
export const NOISE = 1;
export const OTHERS = 2;
export const ECHO = 3;

/** Counters since the start; all wrap at 2^31. Every request sent counts as a reply, an exception or a timeout, unless cancelled. */
export interface Counters {
  requests: number;
  replies: number;
  /** Requests without a valid reply in time. */
  timeouts: number;
  /** Of them, by what came instead. */
  silences: number;
  noises: number;
  others: number;
  echoes: number;
  /** What came instead of the reply to the last of them: SILENCE to ECHO. */
  instead: number;
  /** Replies that came after their time-out. */
  late: number;
  /** Well-formed replies with a wrong checksum. */
  crcErrors: number;
  exceptions: number;
  /** Bytes discarded: noise, late and foreign replies, but not echoes of own requests. */
  discarded: number;
  /** Frames heard that prove another master: its requests, and acknowledgements that nobody here asked for. */
  foreign: number;
  /** Frames of others that were heard in part, as their reader counts them. */
  torn: number;
  /** Milliseconds from the end of the last answered request to the end of its reply. */
  lastReplyTime: number;
}

export const zeroCounters = (): Counters => ({
  requests: 0,
  replies: 0,
  timeouts: 0,
  silences: 0,
  noises: 0,
  others: 0,
  echoes: 0,
  instead: SILENCE,
  late: 0,
  crcErrors: 0,
  exceptions: 0,
  discarded: 0,
  foreign: 0,
  torn: 0,
  lastReplyTime: 0,
});

/**
 * How a transaction ended. mismatch: no valid reply in time, but the slave answered something else; no-reply: nothing valid came from the slave.
 * withheld: the request was not sent, or not again, because another master is on the bus.
 */
export type Result = "reply" | "exception" | "mismatch" | "no-reply" | "withheld";

/** The reply of the transaction that has just ended, valid while `answered` runs. */
export interface Reply {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** Bytes; 0 without a reply. */
  readonly length: number;
  /** Exception code; 0 if the result is no exception. */
  readonly exception: number;
  /** The request was sent before without a valid reply; the slave may have acted on it. */
  readonly retried: boolean;
}

/** The initiator of a transaction. */
export interface ReplyListener {
  /** Called exactly once, never from inside `start`. */
  answered(result: Result, reply: Reply): void;
}

export interface BusOptions {
  readonly serial: SerialPort;
  readonly baud: number;
  /** Quiet time on the bus before a request, ms, 30 to 1,000. */
  readonly gap?: number;
  readonly firstByteTimeout?: number;
  /** Must hold the longest reply and one FIFO (128 bytes). */
  readonly bufferBytes?: number;
  /** Counters to use instead of the bus's own. */
  readonly counters?: Counters;
  /** Default: poll. */
  readonly mode?: BusMode;
  /** Reads what others say while this master is silent. */
  readonly sniffer?: Sniffer;
}

/** Reads answers of stations to another master, and what follows a reply. */
export interface Sniffer {
  /**
   * @param idle the line has gone silent: what is incomplete stays so
   * @param follows it is no answer to another master: it comes behind a reply to this one
   * @returns how many of bytes[start, end) are an answer, the frame that names its sender excluded; 0: more bytes are needed; -1: none begins here
   */
  sniff(bytes: Uint8Array, start: number, end: number, idle: boolean, follows: boolean): number;
  /** Two slaves have this address: a request to it was answered twice. */
  answeredTwice(address: number): void;
  /** A slave has answered what is no longer waited for. */
  answeredLate(address: number): void;
}

/** A station as its bus sees it. */
export interface Client {
  readonly address: number;
  readonly counters: Counters;
  /** Waiting for its turn, or in progress. */
  readonly transaction: Transaction | undefined;
  readonly tries: number;
  /** When a write was last sent to it, ticks; undefined: never. */
  wroteAt: number | undefined;
  /** When it last sent a write to `address`, ticks; undefined: never, or another station does. */
  wroteTo(address: number): number | undefined;
  /** The transaction has ended: frees the station, then calls its listener. */
  ended(result: Result, reply: Reply): void;
  /** The bus has been closed: forgets the transaction. */
  dropped(): void;
}

import type { Clock } from "./clock";

/** One end of a serial wire. */
export interface WireEnd {
  /** Called for each byte from the other end, at the end of its stop bit (clock.now). */
  onByte: ((byte: number) => void) | undefined;
  /** Called when the last queued byte has been sent. */
  onIdle: (() => void) | undefined;
  /** Bytes queued but not yet sent. */
  readonly unsent: number;
  /** Queues bytes, which are sent one after another at the baud rate. */
  send(bytes: Uint8Array): void;
}

/** 8N1: a start bit, eight data bits, a stop bit. */
const BITS_PER_BYTE = 10;

/**
 * A receiver samples the last bit in its middle, after 9.5 bits: if it is more than half a bit off by then, it reads a
 * different bit.
 */
const BAUD_TOLERANCE = 0.5 / 9.5;

/** Tolerance for rounding errors of summed byte times, ms. */
const ROUNDING = 1e-6;

export const byteTime = (baud: number): number => (BITS_PER_BYTE * 1000) / baud;

/** Line level `bit` bit times after the start of the start bit of `byte`; the idle line is 1. */
const levelAt = (byte: number, bit: number): number => (bit < 1 ? 0 : bit < 9 ? (byte >> (bit - 1)) & 1 : 1);

/** The byte received for `byte` if the receiver's bits last `ratio` times as long as the sender's. */
export function sampled(byte: number, ratio: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit++) result |= levelAt(byte, Math.floor((bit + 1.5) * ratio)) << bit;
  return result;
}

export class WirePort implements WireEnd {
  onByte: ((byte: number) => void) | undefined;
  onIdle: (() => void) | undefined;
  /** Called after each byte sent. */
  onSent: (() => void) | undefined;
  /** Baud rate of this end. If it differs from the other end's, each receives garbage. */
  baud: number;

  readonly #clock: Clock;
  readonly #echo: boolean;
  #other: WirePort | undefined;
  #unsent = 0;
  #freeAt = 0;
  #deafUntil = 0;
  /** Counts aborts: bytes of an earlier count are discarded. */
  #era = 0;

  constructor(clock: Clock, baud: number, echo: boolean) {
    this.#clock = clock;
    this.baud = baud;
    this.#echo = echo;
  }

  connect(other: WirePort): void {
    this.#other = other;
  }

  get unsent(): number {
    return this.#unsent;
  }

  /** Bytes on their way to this end. */
  get incoming(): number {
    return this.#other?.unsent ?? 0;
  }

  send(bytes: Uint8Array): void {
    const { baud } = this;
    const era = this.#era;
    this.#freeAt = Math.max(this.#freeAt, this.#clock.now);
    for (const byte of bytes) {
      this.#unsent++;
      this.#freeAt += byteTime(baud);
      this.#clock.at(this.#freeAt, () => {
        if (era !== this.#era) return;
        this.#unsent--;
        this.#other?.hear(byte, baud);
        if (this.#echo) this.hear(byte, baud);
        this.onSent?.();
        if (!this.#unsent) this.onIdle?.();
      });
    }
  }

  /** The sender lost power: unsent bytes are discarded. */
  abort(): void {
    this.#era++;
    this.#unsent = 0;
    this.#freeAt = 0;
  }

  /** A byte sent at `baud` has just ended. */
  hear(byte: number, baud: number): void {
    const ratio = baud / this.baud;
    if (Math.abs(ratio - 1) <= BAUD_TOLERANCE) return this.onByte?.(byte);
    // A slower receiver is still sampling its byte when the next ones arrive.
    const started = this.#clock.now - byteTime(baud);
    if (started < this.#deafUntil - ROUNDING) return;
    this.#deafUntil = started + byteTime(this.baud);
    this.onByte?.(sampled(byte, ratio));
  }
}

/**
 * A wire between the board (`board`) and the BMS (`bms`): every byte takes its full time, and the wire itself loses
 * nothing.
 */
export class Wire {
  readonly board: WirePort;
  readonly bms: WirePort;

  /** `echo`: half duplex with an echoing transceiver, so that the board receives its own bytes. */
  constructor(clock: Clock, { baud, echo = false }: { baud: number; echo?: boolean }) {
    this.board = new WirePort(clock, baud, echo);
    this.bms = new WirePort(clock, baud, false);
    this.board.connect(this.bms);
    this.bms.connect(this.board);
  }
}

import type { Clock } from "./clock";

/** One end of a serial wire. */
export interface WireEnd {
  /** Called with each byte from the other end, when its stop bit has ended (clock.now). */
  onByte: ((byte: number) => void) | undefined;
  /** Called when the last byte queued for sending has left. */
  onIdle: (() => void) | undefined;
  /** Bytes queued and not yet out. */
  readonly unsent: number;
  /** Queues bytes; they leave one after another at the baud rate. */
  send(bytes: Uint8Array): void;
}

/** 8N1: a start bit, eight data bits, a stop bit. */
const BITS_PER_BYTE = 10;

/** A receiver samples the last bit in its middle: with more than half a bit off after 9.5 bits it reads another bit. */
const BAUD_TOLERANCE = 0.5 / 9.5;

/** Milliseconds: what sums of byte times may be off. */
const ROUNDING = 1e-6;

export const byteTime = (baud: number): number => (BITS_PER_BYTE * 1000) / baud;

/** The level of the line, `bit` bit times after the start bit of `byte` began; the idle line is 1. */
const levelAt = (byte: number, bit: number): number => (bit < 1 ? 0 : bit < 9 ? (byte >> (bit - 1)) & 1 : 1);

/** What a receiver makes of `byte` when its own bits last `ratio` times as long as the sender's. */
export function sampled(byte: number, ratio: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit++) result |= levelAt(byte, Math.floor((bit + 1.5) * ratio)) << bit;
  return result;
}

export class WirePort implements WireEnd {
  onByte: ((byte: number) => void) | undefined;
  onIdle: (() => void) | undefined;
  /** Called after each byte that has left. */
  onSent: (() => void) | undefined;
  /** The baud rate this end is set to. Set differently from the other end, each hears the other's bytes as garbage. */
  baud: number;

  readonly #clock: Clock;
  readonly #echo: boolean;
  #other: WirePort | undefined;
  #unsent = 0;
  #freeAt = 0;
  #deafUntil = 0;
  /** Counts the aborts: bytes of an earlier count never arrive. */
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

  /** The sender lost its power: what has not left never will. */
  abort(): void {
    this.#era++;
    this.#unsent = 0;
    this.#freeAt = 0;
  }

  /** A byte that was sent at `baud` has just ended. */
  hear(byte: number, baud: number): void {
    const ratio = baud / this.baud;
    if (Math.abs(ratio - 1) <= BAUD_TOLERANCE) return this.onByte?.(byte);
    // A slower receiver is still at its byte when the next ones come.
    const started = this.#clock.now - byteTime(baud);
    if (started < this.#deafUntil - ROUNDING) return;
    this.#deafUntil = started + byteTime(this.baud);
    this.onByte?.(sampled(byte, ratio));
  }
}

/** A wire between the board (`board`) and the BMS (`bms`): full wire time of every byte, nothing lost on the wire itself. */
export class Wire {
  readonly board: WirePort;
  readonly bms: WirePort;

  /** `echo`: half duplex with an echoing transceiver, the board hears its own bytes. */
  constructor(clock: Clock, { baud, echo = false }: { baud: number; echo?: boolean }) {
    this.board = new WirePort(clock, baud, echo);
    this.bms = new WirePort(clock, baud, false);
    this.board.connect(this.bms);
    this.bms.connect(this.board);
  }
}

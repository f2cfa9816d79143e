import type { Clock, ClockEvent } from "./clock";

/** One station's connection to a wire. */
export interface WireEnd {
  /** Called for each byte of another station, at the end of its stop bit (clock.now). */
  onByte: ((byte: number) => void) | undefined;
  /** Called when the last queued byte has been sent. */
  onIdle: (() => void) | undefined;
  /** Bytes queued but not yet sent. */
  readonly unsent: number;
  /** Bytes that other stations have yet to send. */
  readonly incoming: number;
  /** Queues bytes, which are sent one after another at the baud rate, whether or not another station is sending. */
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

/** What is received for `byte` when two drivers fight over the line: neither byte. */
function garbled(byte: number, other: number): number {
  const mixed = [byte ^ (((other << 3) | (other >> 5)) & 0xff), byte ^ 0xff, byte ^ 0x5a];
  return mixed.find((candidate) => candidate !== byte && candidate !== other) as number;
}

export class WirePort implements WireEnd {
  onByte: ((byte: number) => void) | undefined;
  onIdle: (() => void) | undefined;
  /** Called after each byte sent. */
  onSent: (() => void) | undefined;
  /** Called when the baud rate changes. */
  onBaud: ((baud: number) => void) | undefined;
  #baud: number;

  readonly #clock: Clock;
  readonly #wire: Wire;
  readonly #echo: boolean;
  /** One for all bytes: there are millions in a virtual day. */
  readonly #ended = (): void => this.#end();
  readonly #queue: Uint8Array[] = [];
  /** Position in the first item of the queue. */
  #position = 0;
  #unsent = 0;
  /** End of the byte on the line. */
  #sending: ClockEvent | undefined;
  #began = 0;
  #lastEnd = -Infinity;
  /** What another driver makes of the byte on the line; undefined: nobody else drives. */
  #garbled: number | undefined;
  #deafUntil = -Infinity;

  constructor(clock: Clock, wire: Wire, baud: number, echo: boolean) {
    this.#clock = clock;
    this.#wire = wire;
    this.#baud = baud;
    this.#echo = echo;
  }

  /** Baud rate of this station. If it differs from another's, each receives garbage. */
  get baud(): number {
    return this.#baud;
  }

  set baud(baud: number) {
    if (baud === this.#baud) return;
    this.#baud = baud;
    this.onBaud?.(baud);
  }

  get unsent(): number {
    return this.#unsent;
  }

  get incoming(): number {
    let count = 0;
    for (const port of this.#wire.ports) if (port !== this) count += port.#unsent;
    return count;
  }

  send(bytes: Uint8Array): void {
    if (!bytes.length) return;
    this.#queue.push(Uint8Array.from(bytes));
    this.#unsent += bytes.length;
    if (!this.#sending) this.#begin();
  }

  /** The sender lost power: unsent bytes are discarded. */
  abort(): void {
    if (!this.#sending) return;
    this.#clock.cancel(this.#sending);
    this.#sending = undefined;
    this.#wire.sending--;
    this.#lastEnd = this.#clock.now;
    this.#queue.length = 0;
    this.#position = 0;
    this.#unsent = 0;
  }

  get #byte(): number {
    return this.#queue[0]?.[this.#position] as number;
  }

  /** The next byte's start bit. */
  #begin(): void {
    const { now } = this.#clock;
    this.#began = now;
    this.#garbled = undefined;
    this.#sending = this.#clock.at(now + byteTime(this.baud), this.#ended);
    if (++this.#wire.sending === 1) return;
    for (const other of this.#wire.ports) {
      if (other === this || !other.#sending || other.#sending.at <= now + ROUNDING) continue;
      other.#garbled ??= garbled(other.#byte, this.#byte);
      this.#garbled ??= garbled(this.#byte, other.#byte);
    }
  }

  /** The end of the stop bit. */
  #end(): void {
    const { baud } = this;
    const collided = this.#garbled !== undefined;
    const byte = this.#garbled ?? this.#byte;
    const began = this.#began;
    this.#sending = undefined;
    this.#wire.sending--;
    this.#lastEnd = this.#clock.now;
    this.#unsent--;
    this.#position++;
    if (this.#position === this.#queue[0]?.length) {
      this.#queue.shift();
      this.#position = 0;
    }
    if (collided) this.#wire.collisions++;
    this.#wire.onByte?.(byte, this);
    for (const port of this.#wire.ports) {
      if (port === this) {
        if (this.#echo) this.#hear(byte, began, baud);
      } else if (port.#echo || !port.#droveSince(began)) port.#hear(byte, began, baud);
    }
    this.onSent?.();
    // A callback may have sent something.
    if (this.#unsent) {
      if (!this.#sending) this.#begin();
    } else this.onIdle?.();
  }

  /** Whether this station has driven the line since: without an echo its receiver is off meanwhile. */
  #droveSince(time: number): boolean {
    return this.#lastEnd > time + ROUNDING || (this.#sending !== undefined && this.#began < this.#clock.now - ROUNDING);
  }

  /** A byte that began at `began` and was sent at `baud` has just ended. */
  #hear(byte: number, began: number, baud: number): void {
    // Still receiving another byte, it takes this one's start bit for data.
    if (began < this.#deafUntil - ROUNDING) return;
    const ratio = baud / this.baud;
    const matches = Math.abs(ratio - 1) <= BAUD_TOLERANCE;
    this.#deafUntil = matches ? this.#clock.now : began + byteTime(this.baud);
    this.onByte?.(matches ? byte : sampled(byte, ratio));
  }
}

/**
 * An RS485 pair and its stations: the board (`board`), a BMS (`bms`), and as many more as join. Every byte takes its full
 * time. One station at a time can be understood: bytes that overlap in time, if only by a bit, are garbled. No station
 * notices while it sends.
 */
export class Wire {
  readonly ports: WirePort[] = [];
  readonly board: WirePort;
  readonly bms: WirePort;
  /** Bytes garbled so far. */
  collisions = 0;
  /** Stations with a byte on the line. */
  sending = 0;
  /** Called for each byte on the wire, at the end of its stop bit, with its station. */
  onByte: ((byte: number, sender: WirePort) => void) | undefined;
  readonly #clock: Clock;
  readonly #baud: number;

  /** `echo`: the board's transceiver echoes, so that the board receives its own bytes. */
  constructor(clock: Clock, { baud, echo = false }: { baud: number; echo?: boolean }) {
    this.#clock = clock;
    this.#baud = baud;
    this.board = this.join({ echo });
    this.bms = this.join();
  }

  /** Connects one more station. */
  join({ echo = false }: { echo?: boolean } = {}): WirePort {
    const port = new WirePort(this.#clock, this, this.#baud, echo);
    this.ports.push(port);
    return port;
  }
}

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

export const byteTime = (baud: number): number => (BITS_PER_BYTE * 1000) / baud;

class End implements WireEnd {
  onByte: ((byte: number) => void) | undefined;
  onIdle: (() => void) | undefined;
  other: End | undefined;
  #unsent = 0;
  #freeAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly baud: number,
    /** Half duplex with an echoing transceiver: the sender hears its own bytes. */
    private readonly echo: boolean,
  ) {}

  get unsent(): number {
    return this.#unsent;
  }

  send(bytes: Uint8Array): void {
    const time = byteTime(this.baud);
    this.#freeAt = Math.max(this.#freeAt, this.clock.now);
    for (const byte of bytes) {
      this.#unsent++;
      this.#freeAt += time;
      this.clock.at(this.#freeAt, () => {
        this.#unsent--;
        this.other?.onByte?.(byte);
        if (this.echo) this.onByte?.(byte);
        if (!this.#unsent) this.onIdle?.();
      });
    }
  }
}

/** A wire between the board (`board`) and the BMS (`bms`): full wire time of every byte, nothing lost on the wire itself. */
export class Wire {
  readonly board: WireEnd;
  readonly bms: WireEnd;

  constructor(clock: Clock, { baud, echo = false }: { baud: number; echo?: boolean }) {
    const board = new End(clock, baud, echo);
    const bms = new End(clock, baud, false);
    board.other = bms;
    bms.other = board;
    this.board = board;
    this.bms = bms;
  }
}

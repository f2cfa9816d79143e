import { fromHex } from "./bms/codec";
import type { Clock, ClockEvent } from "./clock";
import type { WireEnd } from "./wire";

/** Bytes on a wire, and when the first of them began. */
export interface Passage {
  /** Ms from the beginning. */
  readonly at: number;
  readonly bytes: Uint8Array;
  /** Whether the firmware has sent them, or heard them; undefined: a recording of somebody else's bus. */
  readonly sent?: boolean | undefined;
}

export interface Recording {
  readonly passages: readonly Passage[];
  /** Ms from one beginning to the next. */
  readonly length: number;
}

/**
 * Parses a recording: a line has a time in ms and hexadecimal bytes; bytes without a time follow those above without a
 * gap. Between them may be > (the firmware has sent them) or < (it has heard them). A time without bytes is the end. Lines that begin with # are left out. Throws an Error with a message for the
 * user.
 */
export function parseRecording(text: string): Recording {
  const passages: Passage[] = [];
  let length: number | undefined;
  text.split("\n").forEach((line, index) => {
    const wrong = (why: string): Error => new Error(`line ${index + 1} of the recording: ${why}`);
    if (!line.trim() || line.trimStart().startsWith("#")) return;
    if (length !== undefined) throw wrong("nothing may follow the end");
    const parts = /^(\d+(?:\.\d+)?)?\s\s*([<>])?(.*)$/.exec(`${line} `);
    if (!parts) throw wrong("it begins with a time or a blank");
    const [, digits, direction, hex = ""] = parts;
    let bytes;
    try {
      bytes = fromHex(hex);
    } catch (error) {
      throw wrong((error as Error).message);
    }
    const last = passages.at(-1);
    if (digits === undefined) {
      if (!last) throw wrong("the first needs a time");
      if (direction) throw wrong("a direction needs a time");
      passages[passages.length - 1] = { ...last, bytes: Uint8Array.of(...last.bytes, ...bytes) };
      return;
    }
    const at = Number(digits);
    if (at < (last?.at ?? 0)) throw wrong("earlier than the one above");
    if (bytes.length) passages.push({ at, bytes, ...(direction && { sent: direction === ">" }) });
    else length = at;
  });
  if (length === undefined) throw new Error("the recording has no end: its last line is a time alone");
  if (!passages.length) throw new Error("the recording has no bytes in it");
  return { passages, length };
}

/** Plays a recording on a wire, over and over. */
export class Replay {
  readonly #clock: Clock;
  readonly #wire: WireEnd;
  readonly #recording: Recording;
  #began: number;
  #next: ClockEvent | undefined;

  constructor(clock: Clock, wire: WireEnd, recording: Recording) {
    this.#clock = clock;
    this.#wire = wire;
    this.#recording = recording;
    this.#began = clock.now;
    this.#play(0);
  }

  close(): void {
    this.#clock.cancel(this.#next);
  }

  #play(index: number): void {
    const { passages, length } = this.#recording;
    const passage = passages[index];
    this.#next = this.#clock.at(this.#began + (passage?.at ?? length), () => {
      if (passage) this.#wire.send(passage.bytes);
      else this.#began += length;
      this.#play(passage ? index + 1 : 0);
    });
  }
}

interface Answered {
  readonly request: string;
  /** Each so long after the request began, ms. */
  readonly answer: readonly Passage[];
}

/** In place of the bus that the firmware has asked: each request is answered as it was then, the next time as it was the next time. */
class AnsweringReplay {
  readonly #clock: Clock;
  readonly #wire: WireEnd;
  readonly #exchanges: readonly Answered[];
  /** Where the look for the next request begins. */
  #next = 0;
  #planned: ClockEvent[] = [];

  constructor(clock: Clock, wire: WireEnd, { passages }: Recording) {
    this.#clock = clock;
    this.#wire = wire;
    const exchanges: { request: string; answer: Passage[] }[] = [];
    let began = 0;
    for (const { at, bytes, sent } of passages) {
      if (sent) {
        began = at;
        exchanges.push({ request: bytes.join(), answer: [] });
      } else exchanges.at(-1)?.answer.push({ at: at - began, bytes });
    }
    this.#exchanges = exchanges;
    let held: number[] = [];
    wire.onByte = (byte) => {
      held.push(byte);
      if (wire.incoming) return;
      this.#answer(held.join());
      held = [];
    };
  }

  close(): void {
    this.#wire.onByte = undefined;
    for (const one of this.#planned) this.#clock.cancel(one);
  }

  #answer(request: string): void {
    const { length } = this.#exchanges;
    for (let step = 0; step < length; step++) {
      const exchange = this.#exchanges[(this.#next + step) % length] as Answered;
      if (exchange.request !== request) continue;
      this.#next = (this.#next + step + 1) % length;
      this.#planned = exchange.answer.map(({ at, bytes }) => this.#clock.after(at, () => this.#wire.send(bytes)));
      return;
    }
  }
}

/** A recording in which the firmware has asked answers it again; any other is played. */
export const replay = (clock: Clock, wire: WireEnd, recording: Recording): { close(): void } =>
  recording.passages.some(({ sent }) => sent)
    ? new AnsweringReplay(clock, wire, recording)
    : new Replay(clock, wire, recording);

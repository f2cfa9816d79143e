/** The last minute of a wire, and of each older request the newest answer: what a start reads once belongs to what a reader needs. */
import type { Passage } from "../host-sim/replay";

/** How far back everything is kept, ms. */
export const RECORDED = 60_000;
/** Older requests that are kept with their answers. */
export const MAX_OLD_REQUESTS = 64;
/** Bytes of one direction with a longer pause between them are two passages, ms. */
const PAUSE = 2;
/** Of the answer to an old request, frame by frame as it came. */
export const MAX_ANSWER_PASSAGES = 16;

export type RecordedPassage = Passage & { readonly sent: boolean };

interface Run {
  readonly at: number;
  readonly sent: boolean;
  readonly bytes: number[];
  end: number;
}

export class Recorder {
  readonly #recent: Run[] = [];
  /** By the request's bytes, the oldest first; the first of each is the request. */
  readonly #old = new Map<string, Run[]>();
  #current: Run[] | undefined;

  /** Bytes have passed between the times `at` and `end`, ms; `sent`: from the firmware. */
  take(sent: boolean, bytes: Iterable<number>, at: number, end: number): void {
    const last = this.#recent.at(-1);
    if (last?.sent === sent && at - last.end <= PAUSE) {
      last.bytes.push(...bytes);
      last.end = end;
      return;
    }
    // A chunk tells when it has come, not when it began.
    this.#recent.push({ sent, bytes: [...bytes], at: Math.max(at, last?.at ?? at), end });
    for (let [first] = this.#recent; first && first.at < end - RECORDED; [first] = this.#recent) {
      this.#recent.shift();
      this.#keep(first);
    }
  }

  #keep(run: Run): void {
    if (!run.sent) {
      if (this.#current && this.#current.length <= MAX_ANSWER_PASSAGES) this.#current.push(run);
      return;
    }
    const request = run.bytes.join();
    this.#old.delete(request);
    this.#old.set(request, (this.#current = [run]));
    const [oldest] = this.#old.keys();
    if (this.#old.size > MAX_OLD_REQUESTS && oldest !== undefined) this.#old.delete(oldest);
  }

  /** In the order of their times. */
  get passages(): RecordedPassage[] {
    const asked = new Set(this.#recent.filter(({ sent }) => sent).map(({ bytes }) => bytes.join()));
    const old = [...this.#old].filter(([request]) => !asked.has(request)).flatMap(([, runs]) => runs);
    return [...old, ...this.#recent].map(({ at, sent, bytes }) => ({ at, sent, bytes: Uint8Array.from(bytes) }));
  }
}

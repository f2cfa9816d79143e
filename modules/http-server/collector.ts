import type { BodySink } from "./types";

/** Keeps a body in `target`, from `start` on, and gives it to `done` when it is whole. */
export class Collector implements BodySink {
  readonly #target: Uint8Array;
  readonly #start: number;
  #end: number;
  readonly #done: (body: Uint8Array | undefined) => void;

  constructor(target: Uint8Array, start: number, done: (body: Uint8Array | undefined) => void) {
    this.#target = target;
    this.#start = this.#end = start;
    this.#done = done;
  }

  write(bytes: Uint8Array): boolean {
    this.#target.set(bytes, this.#end);
    this.#end += bytes.length;
    return true;
  }

  end(whole: boolean): void {
    this.#done(whole ? this.#target.subarray(this.#start, this.#end) : undefined);
  }

  abort(): void {
    // Nobody is told: the server answers by itself, or the client has gone.
  }
}

import type { BodySink } from "./types";

/** Keeps a body in `target`, from `start` on, and gives it to `done` when it is whole. */
export class Collector implements BodySink {
  private readonly target: Uint8Array;
  private readonly start: number;
  private _end: number;
  private readonly done: (body: Uint8Array | undefined) => void;

  constructor(target: Uint8Array, start: number, done: (body: Uint8Array | undefined) => void) {
    this.target = target;
    this.start = this._end = start;
    this.done = done;
  }

  write(bytes: Uint8Array): boolean {
    this.target.set(bytes, this._end);
    this._end += bytes.length;
    return true;
  }

  end(whole: boolean): void {
    this.done(whole ? this.target.subarray(this.start, this._end) : undefined);
  }

  abort(): void {
    // Nobody is told: the server answers by itself, or the client has gone.
  }
}

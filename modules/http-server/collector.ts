import type { BodySink } from "./types";

export type BodyCallback = (body: Uint8Array | undefined) => void;

/** Buffers a body of at most `length` bytes and passes it to `done` when it is complete. */
export class Collector implements BodySink {
  private readonly bytes: Uint8Array;
  private readonly done: BodyCallback;
  private length = 0;

  constructor(length: number, done: BodyCallback) {
    this.bytes = new Uint8Array(length);
    this.done = done;
  }

  write(bytes: Uint8Array): boolean {
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return true;
  }

  end(whole: boolean): void {
    this.done(whole ? this.bytes.subarray(0, this.length) : undefined);
  }

  abort(): void {
    // No callback: the server answers the request itself, or the client has gone.
  }
}

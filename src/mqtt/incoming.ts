import { MAX_MESSAGE } from "./limits";
import type { Broker } from "./broker";
import type { Target } from "./topics";

/** An incoming message, assembled from its parts. None exists between messages. */
export class Incoming {
  /** Undefined: unknown topic. */
  readonly target: Target | undefined;
  readonly retained: boolean;
  private readonly buffer = new Uint8Array(MAX_MESSAGE);
  private length = 0;
  /** All parts have been read. */
  complete = false;

  constructor(target: Target | undefined, retained: boolean) {
    this.target = target;
    this.retained = retained;
  }

  /** The payload; undefined if it was too long. */
  get payload(): Uint8Array | undefined {
    return this.length > MAX_MESSAGE ? undefined : this.buffer.subarray(0, this.length);
  }

  /** Reads a part of `count` bytes from `broker`. A message with an unknown topic, or too long, is drained. */
  take(broker: Broker, count: number, more: boolean): void {
    const from = this.length;
    this.length += count;
    this.complete = !more;
    const kept = this.target && this.length <= MAX_MESSAGE;
    if (kept) broker.read(this.buffer.subarray(from, this.length));
    else for (let left = count; left > 0; left -= MAX_MESSAGE) broker.read(this.buffer.subarray(0, left));
  }
}

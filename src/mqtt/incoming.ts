import { MAX_MESSAGE } from "./limits";
import type { Broker } from "./broker";
import type { Target } from "./topics";

/** A message as it comes in, part after part. There is none between messages. */
export class Incoming {
  /** Undefined: none of ours. */
  readonly target: Target | undefined;
  private readonly buffer = new Uint8Array(MAX_MESSAGE);
  private length = 0;
  private _complete = false;

  constructor(target: Target | undefined) {
    this.target = target;
  }

  /** It is all there. */
  get complete(): boolean {
    return this._complete;
  }

  /** What it says; undefined when that was too long. */
  get payload(): Uint8Array | undefined {
    return this.length > MAX_MESSAGE ? undefined : this.buffer.subarray(0, this.length);
  }

  /** Takes a part of `count` bytes, which waits in the `broker`. What is for nobody, or too long, is read away. */
  take(broker: Broker, count: number, more: boolean): void {
    const from = this.length;
    this.length += count;
    this._complete = !more;
    const kept = this.target && this.length <= MAX_MESSAGE;
    if (kept) broker.read(this.buffer.subarray(from, this.length));
    else for (let left = count; left > 0; left -= MAX_MESSAGE) broker.read(this.buffer.subarray(0, left));
  }
}

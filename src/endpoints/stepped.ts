import Timer from "timer";
import type { BodySource, Exchange } from "http-server/types";
import { repeat, type Timed } from "../runtime/timers";
import { HISTORY_STEP } from "./limits";

/** What bounds the answers that are being made. */
export interface Answering {
  answers: number;
}

/**
 * A body that has to be looked for first, and is written a piece at a time: in steps with pauses, so that the poll and other clients go on.
 * Holds one piece.
 */
export abstract class Stepped implements BodySource, Timed {
  private readonly exchange: Exchange;
  private readonly owner: Answering;
  private readonly bytes: Uint8Array;
  private timer: Timer | undefined;
  /** Nothing is left to be looked for. */
  protected isReady = false;
  private at = 0;
  private used = 0;

  constructor(exchange: Exchange, owner: Answering, size: number) {
    this.exchange = exchange;
    this.owner = owner;
    this.bytes = new Uint8Array(size);
    owner.answers++;
  }

  /** One step of looking. False: that was the last. */
  protected abstract look(): boolean;
  /** Writes the next piece, and returns its length; 0: that was all. */
  protected abstract write(into: Uint8Array): number;

  read(into: Uint8Array): number {
    if (!this.isReady) {
      try {
        this.timer ??= repeat(this, HISTORY_STEP);
        return -1;
      } catch {
        // No memory for a timer: without pauses.
        while (this.look());
        this.isReady = true;
      }
    }
    let length = 0;
    while (length < into.length) {
      if (this.at === this.used) {
        this.at = 0;
        this.used = this.write(this.bytes);
        if (!this.used) break;
      }
      const part = this.bytes.subarray(this.at, Math.min(this.used, this.at + into.length - length));
      into.set(part, length);
      length += part.length;
      this.at += part.length;
    }
    return length;
  }

  tick(): void {
    if (this.look()) return;
    this.isReady = true;
    this.stop();
    this.exchange.resume();
  }

  close(): void {
    this.owner.answers--;
    this.stop();
  }

  private stop(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }
}

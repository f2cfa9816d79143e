import Timer from "timer";
import type { BodySource, Exchange, HeaderLine } from "http-server/types";
import { repeat, type Timed } from "../runtime/timers";
import type { Context } from "./context";
import { HISTORY_STEP, MAX_PIECE } from "./limits";
import { JSON_TYPE } from "./replies";
import type { Turns } from "./turns";

/**
 * An answer that is collected first, in steps with pauses so that the poll and other clients go on, and then written a piece at a time.
 * Its head is sent once all has been collected. Holds one piece.
 */
export abstract class Stepped implements BodySource, Timed {
  protected readonly context: Context;
  protected readonly exchange: Exchange;
  private readonly turns: Turns | undefined;
  private readonly bytes = new Uint8Array(MAX_PIECE);
  private timer: Timer | undefined;
  private at = 0;
  private used = 0;

  /** @param turns of which it is one */
  constructor(context: Context, exchange: Exchange, turns?: Turns) {
    this.context = context;
    this.exchange = exchange;
    this.turns = turns;
  }

  /** Collects, then responds. */
  begin(): void {
    try {
      this.timer = repeat(this, HISTORY_STEP);
    } catch {
      // No memory for a timer: without pauses.
      while (this.collect());
      this.respond();
    }
  }

  /** One step. False: that was the last, or there is nothing to collect. */
  protected collect(): boolean {
    return false;
  }

  /** Writes the next piece, and returns its length; 0: that was all. */
  protected abstract write(into: Uint8Array): number;

  /** Sends the head, and the rest as the client takes it. Where there is nothing to collect, it may be called instead of `begin`. */
  respond(type = JSON_TYPE, more?: readonly HeaderLine[]): void {
    const { headers } = this.context.dialect;
    this.exchange.respond(200, type, this, more ? [...headers, ...more] : headers);
  }

  read(into: Uint8Array): number {
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
    const { exchange } = this;
    if (exchange.open && this.collect()) return;
    Timer.clear(this.timer);
    this.timer = undefined;
    if (exchange.open) this.respond();
    // The client has gone.
    else this.close();
  }

  close(): void {
    this.turns?.end();
  }
}

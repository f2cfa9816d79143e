import Time from "time";
import { BODY_TIME_MS, HANDLER_TIME_MS, HEADER_TIME_MS, IDLE_TIME_MS, LINGER_MS, SEND_STALL_MS } from "./limits";

/* The states of a connection; diagram in README.md. */

export const CLOSED = 0;
/** Waiting for a request. */
export const IDLE = 1;
/** Receiving the head. */
export const HEAD = 2;
/** Waiting for the handler. */
export const HANDLER = 3;
/** Receiving the body for the handler. */
export const BODY = 4;
export const RESPONSE = 5;
/** Response sent; draining an unwanted body before the next request. */
export const DRAIN = 6;
/** Last response sent; see LINGER_MS. */
export const LINGER = 7;

/** Time-out of each state, ms. */
const TIMES: readonly number[] = Object.freeze(
  [0, IDLE_TIME_MS, HEADER_TIME_MS, HANDLER_TIME_MS, BODY_TIME_MS, SEND_STALL_MS, BODY_TIME_MS, LINGER_MS],
  true,
);

/** A state with a deadline. */
export abstract class Phase {
  state = IDLE;
  /** Bytes acknowledged since the time-out began. */
  acknowledged = 0;
  private enteredAt = Time.ticks;
  /** Beginning of the time-out. */
  private armedAt = this.enteredAt;

  enter(state: number): void {
    this.state = state;
    this.enteredAt = this.armedAt = Time.ticks;
    this.acknowledged = 0;
  }

  /** Restarts the time-out of the current state. */
  arm(): void {
    this.armedAt = Time.ticks;
    this.acknowledged = 0;
  }

  isDue(now: number): boolean {
    return ((now - this.armedAt) | 0) >= (TIMES[this.state] as number);
  }

  /** Time in the current state, ms. */
  age(now: number): number {
    return (now - this.enteredAt) >>> 0;
  }
}

import Time from "time";
import type { ClientSocket } from "./client-socket";
import {
  BODY_TIME_MS,
  HANDLER_TIME_MS,
  HEADER_TIME_MS,
  IDLE_TIME_MS,
  LINGER_MS,
  SEND_STALL_BYTES,
  SEND_STALL_MS,
} from "./limits";

/* The states of a connection: the picture is in README.md. */

/** A slot without a connection. */
export const FREE = 0;
/** Waiting for a request. */
export const IDLE = 1;
/** The head has begun. */
export const HEAD = 2;
/** The handler has the request. */
export const HANDLER = 3;
/** The handler waits for the body. */
export const BODY = 4;
export const RESPONSE = 5;
/** The response is out; what is left of an unwanted body is read before the next request. */
export const DRAIN = 6;
/** The last response is out; see LINGER_MS. */
export const LINGER = 7;

/** How long a connection may be in each state, ms. */
const TIMES: readonly number[] = Object.freeze(
  [0, IDLE_TIME_MS, HEADER_TIME_MS, HANDLER_TIME_MS, BODY_TIME_MS, SEND_STALL_MS, BODY_TIME_MS, LINGER_MS],
  true,
);

/** The state of a connection, and how long it may last. */
export class Phase {
  state = FREE;
  private enteredAt = 0;
  private deadline = 0;
  /** Bytes that the peer had taken when the deadline was set. */
  private mark = 0;

  private readonly socket: ClientSocket;

  constructor(socket: ClientSocket) {
    this.socket = socket;
  }

  enter(state: number): void {
    const now = Time.ticks;
    this.state = state;
    this.enteredAt = now;
    this.deadline = now + (TIMES[state] as number);
    this.mark = this.socket.acknowledged;
  }

  /** The time of the state begins anew. */
  arm(): void {
    this.deadline = Time.ticks + (TIMES[this.state] as number);
    this.mark = this.socket.acknowledged;
  }

  isDue(now: number): boolean {
    return ((this.deadline - now) | 0) <= 0;
  }

  /** How long it has been in its state, ms. */
  age(now: number): number {
    return (now - this.enteredAt) | 0;
  }

  /** The peer has taken enough of the response since the deadline was set. */
  get hasMoved(): boolean {
    return ((this.socket.acknowledged - this.mark) | 0) >= SEND_STALL_BYTES;
  }
}

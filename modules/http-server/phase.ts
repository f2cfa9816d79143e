import Time from "time";
import {
  BODY_TIME_MS,
  CLIENT_GRACE_MS,
  HANDLER_TIME_MS,
  HEADER_TIME_MS,
  IDLE_TIME_MS,
  LINGER_MS,
  NEW_CONNECTION_GRACE_MS,
  SEND_STALL_BYTES,
  SEND_STALL_MS,
} from "./limits";
import { ACKNOWLEDGED, DEADLINE, ENTERED_AT, type Numbers, READABLE, REQUESTS, SEND_MARK, STATE } from "./numbers";

/* The states of a connection, and how long it may be in one. */

/** A slot without a connection. */
export const FREE = 0;
/** Waiting for a request. */
export const IDLE = 1;
export const HEAD_COMING = 2;
/** The handler has the request. */
export const HANDLER = 3;
/** The handler waits for the body. */
export const BODY_COMING = 4;
export const RESPONSE = 5;
/** The response is out; what is left of an unwanted body is read before the next request. */
export const DRAIN = 6;
/** The last response is out; see LINGER_MS. */
export const LINGER = 7;

/** By state, ms. */
const TIMES: readonly number[] = Object.freeze(
  [0, IDLE_TIME_MS, HEADER_TIME_MS, HANDLER_TIME_MS, BODY_TIME_MS, SEND_STALL_MS, BODY_TIME_MS, LINGER_MS],
  true,
);

export function enter(numbers: Numbers, state: number): void {
  const now = Time.ticks;
  numbers[STATE] = state;
  numbers[ENTERED_AT] = now;
  numbers[DEADLINE] = now + (TIMES[state] as number);
  numbers[SEND_MARK] = numbers[ACKNOWLEDGED];
}

/** The time of the state begins anew. */
export function arm(numbers: Numbers): void {
  numbers[DEADLINE] = Time.ticks + (TIMES[numbers[STATE]] as number);
  numbers[SEND_MARK] = numbers[ACKNOWLEDGED];
}

export const isDue = (numbers: Numbers, now: number): boolean => ((numbers[DEADLINE] - now) | 0) <= 0;

/** The peer has taken enough of the response since `arm`. */
export const hasTaken = (numbers: Numbers): boolean =>
  ((numbers[ACKNOWLEDGED] - numbers[SEND_MARK]) | 0) >= SEND_STALL_BYTES;

/** How long it has been without a request, ms, if it may be closed for the sake of a new connection; -1 if it may not. */
export function idleTime(numbers: Numbers, now: number): number {
  if (numbers[STATE] === LINGER) return IDLE_TIME_MS;
  if (numbers[STATE] !== IDLE || numbers[READABLE]) return -1;
  const time = (now - numbers[ENTERED_AT]) | 0;
  return time >= (numbers[REQUESTS] ? CLIENT_GRACE_MS : NEW_CONNECTION_GRACE_MS) ? time : -1;
}

import { bodyBytesLeft, bodyHasEnded, dropBody, feedBody, wantBody } from "./body-reader";
import { Collector } from "./collector";
import { MAX_BODY_BYTES, MAX_DRAIN_BYTES, MAX_KEPT_BYTES, STREAM_STALL_BYTES } from "./limits";
import {
  ASKED,
  BLOCKED,
  BODY_LENGTH,
  BODY_MARK,
  CONTINUE_DUE,
  EXPECTS_CONTINUE,
  INPUT_AT,
  INPUT_END,
  KEPT,
  LONGEST,
  type Numbers,
  OVERSIZE,
} from "./numbers";
import type { Request } from "./request";
import type { BodySink } from "./types";

/* The body of the request under way: read for the handler, or dropped. */

/** How far a body has come. */
export const WAITING = 0;
export const COMPLETE = 1;
export const MALFORMED = 2;
export const GONE = 3;

const CONTINUE_BYTES = 25;

export type BodyCallback = (body: Uint8Array | undefined) => void;

/** The head is complete. */
export function beginUpload(numbers: Numbers): void {
  numbers[ASKED] = 0;
  numbers[CONTINUE_DUE] = numbers[EXPECTS_CONTINUE];
}

/** The handler wants it: nearly always what the head has left of the connection's bytes is room enough for it. */
export function receiveBody(request: Request, limit: number, done: BodyCallback): void {
  const { bytes, numbers } = request;
  const cap = Math.max(0, Math.min(limit, MAX_BODY_BYTES));
  const left = bodyBytesLeft(numbers);
  const needed = left >= 0 ? Math.min(left, cap) : cap;
  const start = numbers[KEPT];
  const fits = start + needed <= MAX_KEPT_BYTES;
  streamBody(request, cap, new Collector(fits ? bytes : new Uint8Array(needed), fits ? start : 0, done));
  // All of it has to come within BODY_TIME_MS: it never counts as moving.
  numbers[BODY_MARK] = LONGEST;
}

/** The handler wants it piece by piece. */
export function streamBody(request: Request, limit: number, sink: BodySink): void {
  const { numbers } = request;
  if (numbers[ASKED]) throw new Error("http-server: the body is asked for twice");
  numbers[ASKED] = 1;
  numbers[BODY_MARK] = 0;
  request.sink = sink;
  // What is LONGEST may be longer.
  wantBody(numbers, Math.max(0, Math.min(limit, LONGEST - 1)));
}

/** It goes to a sink and has moved on since the last time that this was true. */
export function hasMoved(numbers: Numbers): boolean {
  if (numbers[BODY_LENGTH] - numbers[BODY_MARK] < STREAM_STALL_BYTES) return false;
  numbers[BODY_MARK] = numbers[BODY_LENGTH];
  return true;
}

/** Nobody wants it any more. */
export function cancelUpload(request: Request): void {
  const { sink } = request;
  if (!sink) return;
  request.sink = undefined;
  dropBody(request.numbers);
  try {
    sink.abort();
  } catch (error) {
    request.service.fault(error);
  }
}

/** Reads on, until it has ended or is longer than the handler's limit. Throws what the handler's sink throws. */
export function readBody(request: Request): number {
  const { numbers } = request;
  while (!bodyHasEnded(numbers) && !numbers[OVERSIZE]) {
    const bytes = request.fill();
    if (bytes < 0) return GONE;
    if (!bytes) return numbers[CONTINUE_DUE] ? sendContinue(request) : WAITING;
    numbers[CONTINUE_DUE] = 0;
    numbers[INPUT_AT] = feedBody(request, numbers[INPUT_AT], numbers[INPUT_END], request.sink);
    if (request.problem) return MALFORMED;
    if (numbers[BLOCKED]) return WAITING;
  }
  return COMPLETE;
}

/** Gives it to the handler. Throws what the handler throws. */
export function deliverBody(request: Request): void {
  const { numbers, sink } = request;
  const whole = !numbers[OVERSIZE];
  request.sink = undefined;
  dropBody(numbers);
  sink?.end(whole);
}

/**
 * The response is known: the rest of the body is not wanted. Tells whether the connection may go on, which it may when the rest is
 * short and sure to come. It does not depend on what happens to have come already.
 */
export function settleUpload(request: Request): boolean {
  const { numbers } = request;
  cancelUpload(request);
  const left = bodyBytesLeft(numbers);
  return left === 0 || (left > 0 && left <= MAX_DRAIN_BYTES && !numbers[CONTINUE_DUE]);
}

function sendContinue({ numbers, channel, service: { frame } }: Request): number {
  if (frame.busy || !channel.hasRoom(CONTINUE_BYTES)) return WAITING;
  numbers[CONTINUE_DUE] = 0;
  return channel.write(frame.continue()) ? WAITING : GONE;
}

import type { ClientSocket } from "./client-socket";
import { headerBytes } from "./header-bytes";
import { RETRY_AFTER_SECONDS } from "./limits";
import { JSON_TYPE, SIZED, writeFields } from "./response-head";
import type { Service } from "./service";
import type { HeaderLine } from "./types";

const RETRY_AFTER: readonly HeaderLine[] = Object.freeze(
  [headerBytes([["Retry-After", RETRY_AFTER_SECONDS.toString()]])],
  true,
);

/** Sends a 503, as far as the send window takes it. */
export function refuse(service: Service, socket: ClientSocket): void {
  const { frame } = service;
  try {
    const length = service.errorBody(503, "Too many connections.", frame.body);
    writeFields(frame, 503, JSON_TYPE, RETRY_AFTER, SIZED);
    if (socket.write(frame.message(length, length))) service.counters.response(503);
  } catch (error) {
    service.fault(error);
  }
}

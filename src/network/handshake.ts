/** TLS handshakes: one at a time in the device, because each takes a large part of the memory that is free. */
import { hasMemory, type Need } from "./memory";

/** Shared by all that speak TLS. */
export interface Handshakes {
  /** Who is in a handshake at the moment; undefined: nobody. */
  handshakeOwner: object | undefined;
}

export const TLS_MEMORY = "tls-memory";
export const TLS_BUSY = "tls-busy";

/** Begins a handshake of `who`, which ends it whatever happens. Otherwise why it cannot; empty: it has begun. */
export function beginHandshake(parts: Handshakes, who: object, need: Need): "" | typeof TLS_BUSY | typeof TLS_MEMORY {
  if (parts.handshakeOwner && parts.handshakeOwner !== who) return TLS_BUSY;
  if (!hasMemory("TLS", need)) return TLS_MEMORY;
  parts.handshakeOwner = who;
  return "";
}

/** It is over, or given up, or was none. */
export function endHandshake(parts: Handshakes, who: object): void {
  if (parts.handshakeOwner === who) parts.handshakeOwner = undefined;
}

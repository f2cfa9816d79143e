import type TCP from "embedded:io/socket/tcp";
import Time from "time";
import { ClientSocket, type SocketOwner } from "./client-socket";
import { headerBytes } from "./header-bytes";
import { LINGER_MS, RESPONSE_BUFFER_BYTES, RETRY_AFTER_SECONDS } from "./limits";
import { ascii } from "./characters";
import type { Service } from "./service";

const FIELDS = headerBytes([
  ["Content-Type", "application/json"],
  ["Retry-After", RETRY_AFTER_SECONDS.toString()],
  ["Connection", "close"],
]);
const CONTENT_LENGTH = ascii("Content-Length: ");

/** Sends a 503, as far as the send window takes it. */
export function refuse(service: Service, socket: ClientSocket): void {
  const { frame } = service;
  try {
    const length = service.errorBody(503, "Too many connections.", frame.body);
    const message = frame.begin(503).add(FIELDS).add(CONTENT_LENGTH).message(length, length);
    if (socket.write(message)) service.counters.response(503);
  } catch (error) {
    service.fault(error);
  }
}

/** A connection without a place: gets a 503 and is closed; its input is ignored. Allocated on demand. */
export class Refusal implements SocketOwner {
  private readonly service: Service;
  private readonly socket = new ClientSocket();
  private readonly deadline = (Time.ticks + LINGER_MS) | 0;

  constructor(service: Service) {
    this.service = service;
  }

  get closed(): boolean {
    return !this.socket.isOpen;
  }

  /** Takes over an accepted socket. Throws if it has closed already. */
  accept(accepted: TCP): void {
    this.socket.open(this.service.io, accepted, this);
    refuse(this.service, this.socket);
  }

  /** Drains the socket: closing with unread bytes sends a reset, which would destroy the response. The frame is free between callbacks. */
  readable(bytes: number): void {
    const { socket } = this;
    socket.readable = bytes;
    while (socket.readable > 0) {
      const length = Math.min(socket.readable, RESPONSE_BUFFER_BYTES);
      if (!socket.read(this.service.frame.piece(length))) return this.close();
    }
  }

  writable(): void {
    // The response has been sent.
  }

  tick(now: number): void {
    if (((this.deadline - now) | 0) <= 0) this.close();
  }

  close(): void {
    this.socket.close();
  }
}

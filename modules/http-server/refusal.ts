import type TCP from "embedded:io/socket/tcp";
import Time from "time";
import { Channel, type SocketOwner } from "./channel";
import { headerBytes } from "./header-bytes";
import { LINGER_MS, RESPONSE_BUFFER_BYTES, RETRY_AFTER_SECONDS } from "./limits";
import { NUMBERS_BYTES, numbersIn } from "./numbers";
import { setError } from "./reply";
import { resetHead } from "./request-head";
import { Response, SENT, WINDOW_CLOSED } from "./response";
import type { Service } from "./service";
import type { HeaderLine } from "./types";

const RETRY_AFTER: readonly HeaderLine[] = Object.freeze(
  [headerBytes([["Retry-After", RETRY_AFTER_SECONDS.toString()]])],
  true,
);

/** A connection for which there is no slot: it is told 503 and closed. What it sends is not looked at. Made when it is needed. */
export class Refusal implements SocketOwner {
  private readonly service: Service;
  private readonly channel: Channel;
  private readonly response: Response;
  private readonly deadline = (Time.ticks + LINGER_MS) | 0;
  private sent = false;

  constructor(service: Service) {
    const numbers = numbersIn(new ArrayBuffer(NUMBERS_BYTES));
    resetHead(numbers);
    this.service = service;
    this.channel = new Channel(numbers);
    this.response = new Response(numbers, service);
  }

  get open(): boolean {
    return this.channel.isOpen;
  }

  /** Takes over an accepted socket. Throws when that has gone already. */
  accept(accepted: TCP): void {
    this.channel.open(this.service.io, accepted, this);
    setError(this.response, this.service, 503, "Too many connections.", RETRY_AFTER);
    this.response.prepare(false, false);
  }

  readable(bytes: number): void {
    this.channel.onReadable(bytes);
    this.discard();
  }

  writable(bytes: number): void {
    this.channel.onWritable(bytes);
    this.send();
  }

  tick(now: number): void {
    if (((this.deadline - now) | 0) <= 0) this.close();
    else this.send();
  }

  close(): void {
    this.channel.close();
    this.response.release();
  }

  private send(): void {
    if (this.sent || !this.open) return;
    try {
      const result = this.response.send(this.channel);
      if (result === WINDOW_CLOSED) return;
      this.sent = true;
      if (result === SENT) this.service.counters.response(503);
      else this.close();
    } catch (error) {
      this.service.fault(error);
      this.close();
    }
  }

  /** Unread bytes would make a reset of the close, and that would take the response with it. The frame is free between callbacks. */
  private discard(): void {
    const { frame } = this.service;
    while (this.channel.readable > 0) {
      const length = Math.min(this.channel.readable, RESPONSE_BUFFER_BYTES);
      if (!this.channel.read(frame.piece(length))) return this.close();
    }
  }
}

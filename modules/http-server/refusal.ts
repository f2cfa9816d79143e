import type TCP from "embedded:io/socket/tcp";
import Time from "time";
import { Channel } from "./channel";
import { headerBytes } from "./header-bytes";
import { LINGER_MS, RETRY_AFTER_SECONDS } from "./limits";
import { Response, SENT, WINDOW_CLOSED } from "./response";
import type { Service } from "./service";
import type { HeaderLine } from "./types";

const RETRY_AFTER: readonly HeaderLine[] = Object.freeze(
  [headerBytes([["Retry-After", RETRY_AFTER_SECONDS.toString()]])],
  true,
);

/** A connection for which there is no slot: it is told 503 and closed. What it sends is not looked at. */
export class Refusal {
  readonly #service: Service;
  readonly #channel = new Channel();
  readonly #response: Response;
  readonly #waste = new Uint8Array(64);
  #deadline = 0;
  #sent = false;

  constructor(service: Service) {
    this.#service = service;
    this.#response = new Response(service.frame, service.fault);
  }

  get free(): boolean {
    return !this.#channel.isOpen;
  }

  accept(accepted: TCP): void {
    const { io, errorBody } = this.#service;
    const socket = new io({
      from: accepted,
      nodelay: true,
      format: "buffer",
      onReadable: (bytes) => {
        this.#channel.onReadable(bytes);
        this.discard();
      },
      onWritable: (bytes) => {
        this.#channel.onWritable(bytes);
        this.send();
      },
      onError: () => this.close(),
    });
    this.#channel.open(socket);
    this.#deadline = (Time.ticks + LINGER_MS) | 0;
    this.#sent = false;
    this.#response.set(503, "application/json", (into) => errorBody(503, "Too many connections.", into), RETRY_AFTER);
    this.#response.prepare(1, false, false);
  }

  tick(now: number): void {
    if (((this.#deadline - now) | 0) <= 0) this.close();
    else this.send();
  }

  close(): void {
    this.#channel.close();
    this.#response.release();
  }

  private send(): void {
    if (this.#sent || this.free) return;
    try {
      const result = this.#response.send(this.#channel);
      if (result === WINDOW_CLOSED) return;
      this.#sent = true;
      if (result === SENT) this.#service.counters.response(503);
      else this.close();
    } catch (error) {
      this.#service.fault(error);
      this.close();
    }
  }

  /** Unread bytes would make a reset of the close, and that would take the response with it. */
  private discard(): void {
    while (this.#channel.readable > 0) {
      const length = Math.min(this.#channel.readable, this.#waste.length);
      if (!this.#channel.read(this.#waste.subarray(0, length))) return this.close();
    }
  }
}

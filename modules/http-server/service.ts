import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import TextDecoder from "text/decoder";
import { Counters } from "./counters";
import { ResponseFrame } from "./response-frame";
import type { ErrorBody, Handler } from "./types";

export interface ServiceOptions {
  readonly socket: { io: new (options: Options) => TCP };
  /** Answers every request that is well-formed and within the limits. */
  readonly handler: Handler;
  /** Makes the JSON body of the errors the server answers by itself; `{"success":false,"error":"<text>"}` without it. */
  readonly describeError?: ErrorBody;
  /** Told what a handler or a body has thrown. The client has got 500. */
  readonly onFault?: (error: unknown) => void;
}

/** What all connections of a server share. */
export class Service {
  readonly io: new (options: Options) => TCP;
  readonly handler: Handler;
  readonly errorBody: ErrorBody;
  readonly frame = new ResponseFrame();
  readonly decoder = new TextDecoder();
  readonly counters = new Counters();
  /** No connection does anything: see HttpServer.pause. */
  paused = false;
  private readonly onFault: ((error: unknown) => void) | undefined;

  constructor({ socket, handler, describeError, onFault }: ServiceOptions) {
    this.io = socket.io;
    this.handler = handler;
    this.errorBody = describeError ?? jsonError;
    this.onFault = onFault;
  }

  /** The firmware, not the client, has done something wrong. */
  fault(error: unknown): void {
    this.counters.faults++;
    try {
      this.onFault?.(error);
    } catch {
      // Whoever reports a fault badly must not make another one.
    }
  }
}

/** `{"success":false,"error":"<text>"}`; the server's own texts need no escape. */
const jsonError: ErrorBody = (_status, text, into) => {
  const json = `{"success":false,"error":"${text}"}`;
  let length = 0;
  for (; length < json.length; length++) into[length] = json.charCodeAt(length);
  return length;
};

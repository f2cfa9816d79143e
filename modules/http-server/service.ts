import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import TextDecoder from "text/decoder";
import { ResponseFrame } from "./response-frame";
import type { ErrorBody, Handler } from "./types";

/** What has happened since the start. */
export class Counters {
  /** Requests handed to the handler. */
  requests = 0;
  /** Responses by the class of their status, the server's own included. */
  successful = 0;
  redirected = 0;
  clientErrors = 0;
  serverErrors = 0;
  /** Connections taken. */
  connections = 0;
  /** Connections for which there was no room. */
  refusedConnections = 0;
  /** Idle connections closed to make room for new ones. */
  evictedConnections = 0;
  /** Requests the server itself answered with an error: malformed, beyond a limit, too slow. */
  protocolErrors = 0;
  /** Handlers and bodies that threw, or did not answer in time. */
  faults = 0;

  response(status: number): void {
    if (status < 300) this.successful++;
    else if (status < 400) this.redirected++;
    else if (status < 500) this.clientErrors++;
    else this.serverErrors++;
  }
}

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

  /** Something the firmware did, not the client, went wrong. */
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
export const jsonError: ErrorBody = (_status, text, into) => {
  let length = 0;
  const json = `{"success":false,"error":"${text}"}`;
  for (; length < json.length; length++) into[length] = json.charCodeAt(length);
  return length;
};

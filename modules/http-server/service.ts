import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import type TextDecoder from "text/decoder";
import type { ResponseFrame } from "./response-frame";
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

/** What all connections of a server share. */
export interface Service {
  readonly io: new (options: Options) => TCP;
  readonly handler: Handler;
  readonly errorBody: ErrorBody;
  readonly frame: ResponseFrame;
  readonly decoder: TextDecoder;
  readonly counters: Counters;
  /** No connection does anything: see HttpServer.pause. */
  paused: boolean;
  /** Something the firmware did, not the client, went wrong. */
  readonly fault: (error: unknown) => void;
}

/** `{"success":false,"error":"<text>"}`; the server's own texts need no escape. */
export const jsonError: ErrorBody = (_status, text, into) => {
  let length = 0;
  const json = `{"success":false,"error":"${text}"}`;
  for (; length < json.length; length++) into[length] = json.charCodeAt(length);
  return length;
};

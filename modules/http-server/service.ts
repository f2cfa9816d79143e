import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import TextDecoder from "text/decoder";
import { ascii } from "./characters";
import type { ClientSocket, SendMemory } from "./client-socket";
import { Input } from "./input";
import { MAX_CONNECTIONS } from "./limits";
import { ResponseFrame } from "./response-frame";
import type { ClientOf, ErrorBody, Handler } from "./types";

export interface ServiceOptions {
  readonly socket: { io: new (options: Options) => TCP };
  /** Answers every well-formed request within the limits. */
  readonly handler: Handler;
  /** Second argument of the handler, which then needs no closure. */
  readonly target?: unknown;
  /** Default: every connection is its peer's. */
  readonly clientOf?: ClientOf;
  /** Whether memory is left for a connection or a request: otherwise it gets 503 before it begins. Default: always. */
  readonly hasRoom?: () => boolean;
  /** Builds the JSON body of the server's own errors. Default: `{"success":false,"error":"<text>"}`. */
  readonly describeError?: ErrorBody;
  /** Receives exceptions of handlers and bodies, for which the client gets 500, and each reason why there is no listener yet. */
  readonly onFault?: (error: unknown) => void;
}

/** Totals since the start. */
export class Counters {
  /** Requests passed to the handler. */
  requests = 0;
  /** Responses by status class, including the server's own. */
  successful = 0;
  redirected = 0;
  clientErrors = 0;
  serverErrors = 0;
  /** Connections accepted. */
  connections = 0;
  /** Connections refused because all places were taken, and connections and requests refused for want of memory. */
  refusedConnections = 0;
  /** Of them those for which all places were taken; the others for want of memory. */
  refusedPlaces = 0;
  /** Requests answered with 503 because their connection was closed for another client. */
  evictedRequests = 0;
  /** Connections closed to make room for new ones. */
  evictedConnections = 0;
  /** Requests the server itself answered with an error: malformed, beyond a limit, too slow. */
  protocolErrors = 0;
  /** Handlers and bodies that threw or timed out. */
  faults = 0;

  response(status: number): void {
    if (status < 300) this.successful++;
    else if (status < 400) this.redirected++;
    else if (status < 500) this.clientErrors++;
    else this.serverErrors++;
  }
}

/** A connection, as far as the others need it. */
interface Served {
  readonly socket: ClientSocket;
  advance(): void;
}

/** State shared by all connections of a server. */
export class Service implements SendMemory {
  readonly io: new (options: Options) => TCP;
  readonly handler: Handler;
  readonly target: unknown;
  readonly clientOf: ClientOf;
  readonly hasRoom: () => boolean;
  readonly errorBody: ErrorBody;
  readonly frame = new ResponseFrame();
  readonly decoder = new TextDecoder();
  readonly counters = new Counters();
  sent = 0;
  short = false;
  waiting: ClientSocket | undefined;
  /** Raised with each round of `share`, so that none of them is always the last. */
  private round = 0;
  /** Those being served. */
  connections: readonly Served[] = [];
  private readonly onFault: ((error: unknown) => void) | undefined;
  /** The receive buffer, while not lent. */
  private spare: Input | undefined;

  constructor({ socket, handler, target, clientOf, hasRoom, describeError, onFault }: ServiceOptions) {
    this.io = socket.io;
    this.handler = handler;
    this.target = target;
    this.clientOf = clientOf ?? itself;
    this.hasRoom = hasRoom ?? always;
    this.errorBody = describeError ?? jsonError;
    this.onFault = onFault;
  }

  /** Lends a receive buffer: nearly always the same, as a request that arrives in one piece is read in one callback. */
  lend(): Input {
    const input = this.spare ?? new Input();
    this.spare = undefined;
    return input;
  }

  /** Takes a receive buffer back. */
  takeBack(input: Input): void {
    input.discard();
    this.spare = input;
  }

  sentTo(address: string): number {
    let sent = 0;
    for (const { socket } of this.connections) if (socket.address === address) sent += socket.sent;
    return sent;
  }

  /**
   * Memory for sending has become free: for the one that waits to begin, then for the newest, since who does not read has waited longest, then
   * for the others in turn.
   */
  share(): void {
    const { connections, waiting } = this;
    this.short = false;
    if (waiting) for (const connection of connections) if (connection.socket === waiting) connection.advance();
    const others = connections.length - 1;
    connections[others]?.advance();
    this.round = (this.round + 1) % MAX_CONNECTIONS;
    for (let at = 0; at < others; at++) connections[(at + this.round) % others]?.advance();
  }

  /** Records a fault of the firmware, not of the client. */
  fault(error: unknown): void {
    this.counters.faults++;
    try {
      this.onFault?.(error);
    } catch {
      // A failing fault reporter must not cause another fault.
    }
  }
}

const itself: ClientOf = (peer) => peer;
const always = (): boolean => true;

/** `{"success":false,"error":"<text>"}`; the server's own texts need no escaping. */
const jsonError: ErrorBody = (_status, text, into) => {
  const json = ascii(`{"success":false,"error":"${text}"}`);
  into.set(json);
  return json.length;
};

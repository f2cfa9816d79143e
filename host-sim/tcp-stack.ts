import { connect, createServer, type Server, type Socket } from "node:net";
import type { Clock } from "./clock";
import { TcpConnection, type TcpOptions } from "./tcp-connection";

export interface StackOptions extends TcpOptions {
  /** Active connections, lwip's MEMP_NUM_TCP_PCB. */
  readonly connections: number;
  /** The host's address that listening sockets are bound to. */
  readonly bind: string;
}

/** Connections that wait for a free place: on the device their SYN goes unanswered and is sent again. Beyond it: reset. */
const WAITING_LIMIT = 64;

export interface ListeningPort {
  /** Resolves once it is bound; rejects with Node's error. */
  readonly bound: Promise<void>;
  /** The port bound to; undefined while it is not known yet (asked for port 0, not bound yet). */
  readonly port: number | undefined;
  close(): void;
}

interface Waiting {
  readonly socket: Socket;
  readonly server: Server;
  readonly accept: (connection: TcpConnection) => void;
}

/**
 * The TCP of lwip with its limits, over Node's sockets. A connection has its place until it is closed on both sides. One that comes when
 * all places are taken waits: the client believes to be connected, the firmware does not see it before a place is free.
 */
export class TcpStack {
  readonly #clock: Clock;
  readonly #options: StackOptions;
  readonly #active = new Set<TcpConnection>();
  /** With whom to tell when one is lost. */
  readonly #servers = new Map<Server, (() => void) | undefined>();
  #waiting: Waiting[] = [];

  constructor(clock: Clock, options: StackOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  get active(): number {
    return this.#active.size;
  }

  /** Connections that wait for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The stack gives all its listening sockets up. */
  failListeners(): void {
    for (const [server, lost] of [...this.#servers]) {
      this.#shut(server);
      lost?.();
    }
  }

  listen(port: number, accept: (connection: TcpConnection) => void, lost?: () => void): ListeningPort {
    // A small buffer: what the firmware does not read is to stay in the client.
    const server = createServer({
      pauseOnConnect: true,
      allowHalfOpen: true,
      highWaterMark: this.#options.receiveWindow,
    });
    this.#servers.set(server, lost);
    server.on("connection", (socket) => this.#clock.external(() => this.#offer({ socket, server, accept })));
    const bound = new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
    server.listen(port, this.#options.bind);
    return {
      bound,
      get port(): number | undefined {
        const address = server.address();
        return typeof address === "object" && address ? address.port : port || undefined;
      },
      close: () => this.#shut(server),
    };
  }

  /** Throws a RangeError when all places are taken. */
  connect(address: string, port: number): TcpConnection {
    if (this.active >= this.#options.connections) throw new RangeError("no socket");
    return this.#take(connect({ host: address, port, allowHalfOpen: true }));
  }

  /** The power is gone. */
  destroy(): void {
    for (const server of [...this.#servers.keys()]) this.#shut(server);
    for (const connection of this.#active) connection.destroy();
    this.#active.clear();
  }

  #shut(server: Server): void {
    this.#servers.delete(server);
    server.close();
    for (const { socket } of this.#waiting.filter((waiting) => waiting.server === server)) socket.destroy();
    this.#waiting = this.#waiting.filter((waiting) => waiting.server !== server);
  }

  #offer(offer: Waiting): void {
    const { socket, server } = offer;
    if (!this.#servers.has(server)) return void socket.destroy();
    if (this.active < this.#options.connections) return offer.accept(this.#take(socket));
    socket.on("error", () => undefined);
    if (this.#waiting.length < WAITING_LIMIT) this.#waiting.push(offer);
    else socket.resetAndDestroy();
  }

  #take(socket: Socket): TcpConnection {
    const connection: TcpConnection = new TcpConnection(this.#clock, socket, this.#options, () => {
      if (!this.#active.delete(connection)) return;
      const next = this.#waiting.shift();
      if (next) this.#offer(next);
    });
    this.#active.add(connection);
    return connection;
  }
}

import { host } from "#host";
import type { Clock } from "./clock";
import type { HostServer, HostSocket } from "./host-types";
import { TcpConnection, type TcpOptions } from "./tcp-connection";

export interface StackOptions extends TcpOptions {
  /** Maximum active connections, lwIP's MEMP_NUM_TCP_PCB. */
  readonly connections: number;
  /** Host address to which listening sockets are bound. */
  readonly bind: string;
}

/**
 * Connections that may wait for a free slot: on the device their SYN goes unanswered and is retransmitted. Any more are
 * reset.
 */
const WAITING_LIMIT = 64;

export interface ListeningPort {
  /** Resolves once bound; rejects with Node's error. */
  readonly bound: Promise<void>;
  /** The bound port; undefined while unknown (port 0 requested, not bound yet). */
  readonly port: number | undefined;
  close(): void;
}

interface Waiting {
  readonly socket: HostSocket;
  readonly server: HostServer;
  readonly accept: (connection: TcpConnection) => void;
}

/**
 * lwIP's TCP with its limits, on top of the host's sockets. A connection holds its slot until both sides have closed, or,
 * once the firmware has closed it, until another needs the slot. A connection that arrives when all slots are taken
 * waits: the client sees it as established, the firmware only once a slot is free. One that its client has reset is
 * forgotten, which the host's own queue does not do.
 */
export class TcpStack {
  readonly #clock: Clock;
  readonly #options: StackOptions;
  readonly #active = new Set<TcpConnection>();
  /** With the owner to notify if the connection is lost. */
  readonly #servers = new Map<HostServer, (() => void) | undefined>();
  #waiting: Waiting[] = [];

  constructor(clock: Clock, options: StackOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  get active(): number {
    return this.#active.size;
  }

  /** Connections that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Simulates the loss of all listening sockets. */
  failListeners(): void {
    for (const [server, lost] of [...this.#servers]) {
      this.#shut(server);
      lost?.();
    }
  }

  listen(port: number, accept: (connection: TcpConnection) => void, lost?: () => void): ListeningPort {
    // A small buffer: data that the firmware does not read must stay with the client.
    const server = host.createServer(this.#options.receiveWindow);
    this.#servers.set(server, lost);
    server.on("connection", (socket) => this.#clock.external(() => this.#offer({ socket, server, accept })));
    const bound = new Promise<void>((resolve, reject) =>
      server.once("listening", resolve).once("close", resolve).once("error", reject),
    );
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

  /** Throws a RangeError if all slots are taken. */
  connect(address: string, port: number): TcpConnection {
    if (this.active >= this.#options.connections) throw new RangeError("no socket");
    return this.#take(host.connect(address, port));
  }

  /** The power has been cut. */
  destroy(): void {
    for (const server of [...this.#servers.keys()]) this.#shut(server);
    for (const connection of this.#active) connection.destroy();
    this.#active.clear();
  }

  #shut(server: HostServer): void {
    this.#servers.delete(server);
    server.close();
    for (const { socket } of this.#waiting.filter((waiting) => waiting.server === server)) socket.destroy();
    this.#waiting = this.#waiting.filter((waiting) => waiting.server !== server);
  }

  #offer(offer: Waiting): void {
    const { socket, server } = offer;
    // Without an address it has been reset.
    if (!this.#servers.has(server) || socket.remoteAddress === undefined) return void socket.destroy();
    this.#makeRoom();
    if (this.active < this.#options.connections) return offer.accept(this.#take(socket));
    socket.on("error", () => undefined);
    if (this.#waiting.length >= WAITING_LIMIT) return void socket.resetAndDestroy();
    // Node notices a reset only while it reads.
    socket.on("close", () => (this.#waiting = this.#waiting.filter((waiting) => waiting !== offer))).read(0);
    this.#waiting.push(offer);
  }

  /** Resets a connection that the firmware has closed, if all slots are taken: lwIP's tcp_kill_prio. */
  #makeRoom(): void {
    if (this.active < this.#options.connections) return;
    for (const connection of this.#active)
      if (connection.closed) {
        this.#active.delete(connection);
        return connection.refuse();
      }
  }

  #take(socket: HostSocket): TcpConnection {
    const connection: TcpConnection = new TcpConnection(this.#clock, socket, this.#options, () => {
      if (!this.#active.delete(connection)) return;
      const next = this.#waiting.shift();
      if (next) this.#offer(next);
    });
    this.#active.add(connection);
    return connection;
  }
}

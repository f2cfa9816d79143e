import type Ambient from "embedded:io/socket/listener";
import type { ListenerOptions } from "./options";
import { SimulatedBoard } from "../board";
import { requirePort } from "../bytes";
import type { ConnectionEvents, TcpConnection } from "../tcp-connection";
import type { ListeningPort } from "../tcp-stack";
import TCP from "./tcp";

/** As in boards/esp32/sockets/listener.c. */
const MAX_PENDING = 16;

const ignore = (): void => undefined;
const UNHEARD: ConnectionEvents = {
  connected: ignore,
  received: ignore,
  acknowledged: ignore,
  ended: ignore,
  failed: ignore,
};

/**
 * The board's listener over lwIP (boards/esp32/sockets), bound to the board's `bind` address. Unlike on the device, a port in use is reported
 * late, as a rejection of `board.boot()` or `board.ready()`.
 */
export default class Listener implements Ambient {
  /** As on the device, present only if passed to the constructor. */
  declare readonly target?: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #onReadable: ListenerOptions["onReadable"];
  readonly #onError: ListenerOptions["onError"];
  readonly #detach: () => void;
  #port: ListeningPort | undefined;
  #pending: TcpConnection[] = [];
  #triggered = false;

  constructor(options: ListenerOptions) {
    const { port = 0, onReadable, onError } = options;
    this.#onReadable = onReadable;
    this.#onError = onError;
    if ("target" in options) this.target = options.target;
    this.#board.requireSocket();
    this.#port = this.#board.tcp.listen(
      requirePort(port),
      (connection) => this.#accept(connection),
      () => this.#board.post(() => this.#onError?.call(this)),
    );
    this.#board.bind(this.#port.bound);
    this.#detach = this.#board.attach(() => this.close());
  }

  /** With port 0: known once `board.boot()` or `board.ready()` has resolved; throws before that. */
  get port(): number {
    const port = this.#open.port;
    if (port === undefined) throw new Error("port not known yet: await board.ready()");
    return port;
  }

  read(): TCP | undefined {
    void this.#open;
    const connection = this.#pending.shift();
    if (!connection) return undefined;
    this.#board.script.busyFor(this.#board.options.busyPerConnection ?? 0);
    return new TCP(connection);
  }

  close(): void {
    if (!this.#port) return;
    this.#detach();
    this.#port.close();
    this.#port = undefined;
    for (const connection of this.#pending) connection.close();
    this.#pending = [];
  }

  get #open(): ListeningPort {
    if (!this.#port) throw new TypeError("closed");
    return this.#port;
  }

  #accept(connection: TcpConnection): void {
    // lwIP resets a connection that nobody takes.
    if (this.#pending.length >= MAX_PENDING || this.#board.refusals.refusesAllocation()) return connection.refuse();
    const failed = (): void => void (this.#pending = this.#pending.filter((pending) => pending !== connection));
    connection.events = { ...UNHEARD, failed };
    connection.start();
    this.#pending.push(connection);
    if (this.#triggered || !this.#onReadable) return;
    this.#triggered = true;
    this.#board.post(() => {
      this.#triggered = false;
      if (this.#pending.length) this.#onReadable?.call(this, this.#pending.length);
    });
  }
}

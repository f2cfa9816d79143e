import { host } from "#host";
import type Ambient from "embedded:io/socket/tcp";
import type { TCPOptions } from "./options";
import { SimulatedBoard } from "../board";
import { bytesOf, requirePort } from "../bytes";
import { TcpConnection } from "../tcp-connection";

const WRITABLE = 1;
const READABLE = 2;
const ERROR = 4;
const OUTPUT = 8;

/**
 * The SDK's TCP class over lwIP (modules/io/socket/lwip/tcp.c). Events since the last delivery are delivered to the
 * script in one message: received bytes first, then writability, or the error once all bytes have been read.
 */
export default class TCP implements Ambient {
  /** As on the device, present only if passed to the constructor. */
  declare readonly target?: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #onReadable: TCPOptions["onReadable"];
  readonly #onWritable: TCPOptions["onWritable"];
  readonly #onError: TCPOptions["onError"];
  readonly #detach: () => void;
  /** Undefined once closed or handed over. */
  #connection: TcpConnection | undefined;
  #ready: boolean;
  #error = false;
  #triggered = 0;

  /** The listener passes an accepted connection as a `TcpConnection`. */
  constructor(options: TCPOptions | TcpConnection) {
    let connection: TcpConnection;
    if (options instanceof TcpConnection) {
      connection = options;
    } else {
      const { from, address, port, format = "buffer" } = options;
      if (format !== "buffer") throw new RangeError("the simulator supports only format buffer");
      this.#onReadable = options.onReadable;
      this.#onWritable = options.onWritable;
      this.#onError = options.onError;
      if ("target" in options) this.target = options.target;
      connection = from ? TCP.#handOver(from) : this.#connect(address, port);
    }
    this.#connection = connection;
    this.#ready = connection.state === "open" || connection.state === "ended";
    this.#detach = this.#board.attach(() => this.#forget());
    connection.events = {
      connected: () => {
        this.#ready = true;
        this.#trigger(WRITABLE);
      },
      received: () => {
        if (this.#onReadable) this.#trigger(READABLE);
      },
      acknowledged: () => {
        if (this.#onWritable) this.#trigger(WRITABLE);
      },
      ended: () => this.#trigger(ERROR),
      failed: () => {
        if (this.#onError) this.#trigger(ERROR);
      },
    };
    let triggered = 0;
    if (this.#ready && this.#onWritable && connection.window) triggered |= WRITABLE;
    if (this.#onReadable && connection.available) triggered |= READABLE;
    if (connection.state === "ended" || connection.state === "failed") triggered |= ERROR;
    if (triggered && !(options instanceof TcpConnection)) this.#trigger(triggered);
  }

  static #handOver(from: Ambient): TcpConnection {
    const connection = from instanceof TCP ? from.#connection : undefined;
    if (!connection) throw new Error("invalid from");
    (from as TCP).#forget();
    return connection;
  }

  #connect(address: string | undefined, port: number | undefined): TcpConnection {
    if (!address || !host.isIP(address)) throw new Error("invalid address");
    if (port === undefined) throw new Error("invalid");
    const wanted = requirePort(port);
    this.#board.requireSocket();
    // lwIP's tcp_connect finds no interface to connect from.
    if (!this.#board.hasAddress) throw new Error("no connection");
    return this.#board.tcp.connect(address, wanted);
  }

  /**
   * Undefined once the peer has reset the connection: the device then has no connection object left (and would crash).
   */
  get remoteAddress(): string | undefined {
    const { state, remoteAddress } = this.#open;
    return state === "failed" ? undefined : remoteAddress;
  }

  get remotePort(): number | undefined {
    const { state, remotePort } = this.#open;
    return state === "failed" ? undefined : remotePort;
  }

  get format(): string {
    return "buffer";
  }

  set format(format: string) {
    if (format !== "buffer") throw new RangeError("the simulator supports only format buffer");
  }

  read(): ArrayBuffer | undefined;
  read(buffer: ByteBuffer): number | undefined;
  read(buffer?: ByteBuffer): ArrayBuffer | number | undefined {
    const connection = this.#open;
    const { available } = connection;
    if (!available) return undefined;
    const own = new ArrayBuffer(available);
    const into = bytesOf(buffer ?? own);
    if (!into.length || into.length > available) throw new Error("invalid");
    connection.read(into);
    this.#board.script.busyFor(this.#board.options.busyPerRequest ?? 0);
    if (!connection.available && this.#error) this.#trigger(ERROR);
    return buffer ? into.length : own;
  }

  write(buffer: ByteBuffer): number | undefined {
    const connection = this.#open;
    if (!this.#ready) throw new Error("not ready");
    if (connection.state === "failed") return undefined;
    const bytes = bytesOf(buffer);
    if (bytes.length > connection.window) throw new Error("would block");
    connection.write(bytes);
    this.#trigger(OUTPUT);
    return connection.window;
  }

  close(): void {
    const connection = this.#connection;
    this.#forget();
    connection?.close();
  }

  get #open(): TcpConnection {
    if (!this.#connection) throw new TypeError("closed");
    return this.#connection;
  }

  #forget(): void {
    if (!this.#connection) return;
    this.#connection.events = undefined;
    this.#connection = undefined;
    this.#triggered = 0;
    this.#detach();
  }

  #trigger(what: number): void {
    const posted = this.#triggered !== 0;
    this.#triggered |= what;
    if (!posted) this.#board.post(() => this.#deliver());
  }

  #deliver(): void {
    const connection = this.#connection;
    if (!connection) return;
    let triggered = this.#triggered;
    this.#triggered = 0;
    if (triggered & ERROR) {
      triggered &= ~(OUTPUT | WRITABLE);
      this.#error = true;
      this.#ready = false;
    }
    if (triggered & OUTPUT) connection.flush();
    if (triggered & READABLE && connection.available) this.#onReadable?.call(this, connection.available);
    if (!this.#connection) return;
    if (this.#error) {
      if (!connection.available) this.#onError?.call(this);
    } else if (triggered & WRITABLE && connection.state !== "failed") this.#onWritable?.call(this, connection.window);
  }
}

import type { SimulatedBoard } from "../../../host-sim/board";
import type TCP from "embedded:io/socket/tcp";
import type { TCPOptions } from "../../../host-sim/io/options";
import type Listener from "embedded:io/socket/listener";
import type { ListenerOptions } from "../../../host-sim/io/options";

/**
 * The ESP32's listener and TCP classes without a network: the exact rules of the SDK's lwIP class, with events in the order set by the
 * test, one callback at a time. For what the simulator's classes over real sockets cannot provide: acknowledgements and segmentation
 * controlled byte by byte, and property tests with thousands of connections. The rest is tested on real sockets.
 */

type Bytes = ArrayBuffer | Uint8Array | DataView;

const READABLE = 1;
const WRITABLE = 2;
const ERROR = 4;

function view(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  return bytes instanceof ArrayBuffer
    ? new Uint8Array(bytes)
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The client's end of a connection. */
export class MemoryClient {
  socket: MemoryTCP | undefined;
  /** Bytes received and not yet consumed by `take`. */
  #received: Uint8Array[] = [];
  /** Acknowledges bytes as they arrive; otherwise `ack` does. */
  autoAck = true;
  /** The server has closed the connection. */
  ended = false;
  /** The server has reset the connection: by closing with bytes unread, or because bytes came after the close. */
  reset = false;
  gone = false;
  /** Sizes of the server's writes. */
  readonly writes: number[] = [];

  constructor(
    readonly network: MemoryNetwork,
    readonly address: string,
  ) {}

  /** Sends one segment; the server handles it and its consequences before this returns. */
  send(data: string | Uint8Array): this {
    this.push(data);
    this.network.settle();
    return this;
  }

  /** Sends one segment without calling the server yet. */
  push(data: string | Uint8Array): this {
    const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
    if (this.ended) this.reset = true;
    else this.socket?.arrive(bytes);
    return this;
  }

  fin(): void {
    this.gone = true;
    this.socket?.fail(false);
    this.network.settle();
  }

  rst(): void {
    this.gone = true;
    this.socket?.fail(true);
    this.network.settle();
  }

  /** Acknowledges `bytes` written by the server. */
  ack(bytes: number): void {
    this.socket?.acknowledge(bytes);
    this.network.settle();
  }

  receive(bytes: Uint8Array): void {
    this.writes.push(bytes.length);
    this.#received.push(bytes.slice());
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#received);
  }

  /** Received data since the last `take`, as Latin-1. */
  take(): string {
    const text = this.bytes.toString("latin1");
    this.#received = [];
    return text;
  }
}

class MemoryTCP implements TCP {
  network!: MemoryNetwork;
  client: MemoryClient | undefined;
  target: unknown;
  #options: TCPOptions | undefined;
  #buffered: Uint8Array[] = [];
  #unacknowledged = 0;
  #triggered = 0;
  #ready = true;
  #error = false;
  #reset = false;
  #closed = false;

  get remoteAddress(): string | undefined {
    if (this.#reset) throw new Error("the device would crash here");
    return this.client?.address;
  }

  get remotePort(): number | undefined {
    return this.client && 50_000;
  }

  /** As created by the listener. */
  init(network: MemoryNetwork, client: MemoryClient): this {
    this.network = network;
    this.client = client;
    client.socket = this;
    return this;
  }

  /** As created by `new TCP({ from })`. */
  takeOver(from: MemoryTCP, options: TCPOptions): void {
    const { client } = from;
    if (!client || from.#reset) throw new Error("invalid from");
    if (options.format !== "buffer") throw new Error("format");
    this.init(from.network, client);
    this.#options = options;
    this.target = options.target;
    this.#buffered = from.#buffered;
    this.#error = from.#error;
    from.client = undefined;
    from.#closed = true;
    this.#trigger(WRITABLE | (this.available ? READABLE : 0) | (from.#triggered & ERROR));
  }

  get available(): number {
    return this.#buffered.reduce((sum, bytes) => sum + bytes.length, 0);
  }

  get #window(): number {
    return this.network.window - this.#unacknowledged;
  }

  read(buffer: Bytes): number | undefined {
    if (this.#closed) throw new Error("closed");
    if (!this.available) return undefined;
    const into = view(buffer);
    if (!into.length || into.length > this.available) throw new Error("invalid");
    const all = Buffer.concat(this.#buffered);
    into.set(all.subarray(0, into.length));
    this.#buffered = into.length < all.length ? [all.subarray(into.length)] : [];
    if (this.#error && !this.available) this.#trigger(ERROR);
    return into.length;
  }

  write(buffer: Bytes): number | undefined {
    if (this.#closed) throw new Error("closed");
    if (!this.#ready) throw new Error("not ready");
    if (this.#error || this.#reset) return undefined;
    const bytes = view(buffer);
    if (bytes.length > this.#window) throw new Error("would block");
    this.#unacknowledged += bytes.length;
    this.client?.receive(bytes);
    if (this.client?.autoAck) this.network.post(() => this.acknowledge(bytes.length));
    return this.#window;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const { client } = this;
    if (!client) return;
    if (this.available) client.reset = true;
    client.ended = true;
    client.socket = undefined;
    this.network.open--;
  }

  arrive(bytes: Uint8Array): void {
    this.#buffered.push(bytes);
    this.#trigger(READABLE);
  }

  acknowledge(bytes: number): void {
    this.#unacknowledged = Math.max(0, this.#unacknowledged - bytes);
    if (!this.#reset) this.#trigger(WRITABLE);
  }

  fail(reset: boolean): void {
    this.#reset = reset;
    this.#trigger(ERROR);
  }

  #trigger(event: number): void {
    const posted = this.#triggered;
    this.#triggered |= event;
    if (!posted && this.#options) this.network.post(() => this.#deliver());
  }

  #deliver(): void {
    const triggered = this.#triggered;
    const options = this.#options;
    this.#triggered = 0;
    if (this.#closed || !options) return;
    if (triggered & ERROR) {
      this.#error = true;
      this.#ready = false;
    }
    if (triggered & READABLE && this.available) options.onReadable?.call(this, this.available);
    if (this.#closed) return;
    if (!this.#error) {
      if (triggered & WRITABLE) options.onWritable?.call(this, this.#window);
    } else if (!this.available) options.onError?.call(this);
  }
}

export class MemoryNetwork {
  /** The device's send window. */
  window = 5_744;
  /** Connections accepted and not closed by the server. */
  open = 0;
  readonly #board: SimulatedBoard;
  readonly #tasks: (() => void)[] = [];
  #pending: MemoryClient[] = [];
  #onReadable: ((connections: number) => void) | undefined;

  /** Calls of `listener.read` without a pending connection: each leaks an object on the device. */
  vainReads = 0;

  readonly Listener = ((): new (options: ListenerOptions) => Listener => {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const network = this;
    return class implements Listener {
      readonly port: number;
      readonly target: unknown;

      constructor(options: ListenerOptions) {
        this.target = options.target;
        this.port = options.port ?? 80;
        network.#onReadable = (connections) => options.onReadable?.call(this, connections);
      }

      read(): TCP | undefined {
        const client = network.#pending.shift();
        if (!client) {
          network.vainReads++;
          return undefined;
        }
        network.open++;
        const socket = new MemoryTCP().init(network, client);
        if (client.gone) socket.fail(true);
        return socket;
      }

      close(): void {
        network.#onReadable = undefined;
      }
    };
  })();

  readonly TCP = class extends MemoryTCP {
    constructor(options: TCPOptions) {
      super();
      this.takeOver(options.from as MemoryTCP, options);
    }
  };

  constructor(board: SimulatedBoard) {
    this.#board = board;
  }

  /** Queues a callback for the next `settle` or `step`, or until the board's time advances. */
  post(task: () => void): void {
    this.#tasks.push(task);
    this.#board.post(() => this.settle());
  }

  /** Runs queued callbacks until none is left. */
  settle(): void {
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) task();
  }

  /** Runs one callback. */
  step(): void {
    this.#tasks.shift()?.();
  }

  connect(address = "192.0.2.7"): MemoryClient {
    const client = this.#request(address);
    this.settle();
    return client;
  }

  /** Opens several connections that the listener gets in one callback. */
  connectTogether(count: number): MemoryClient[] {
    return Array.from({ length: count }, () => this.#request("192.0.2.7"));
  }

  #request(address: string): MemoryClient {
    const client = new MemoryClient(this, address);
    this.#pending.push(client);
    if (this.#pending.length === 1) this.post(() => this.#onReadable?.(this.#pending.length));
    return client;
  }
}

import type { SimulatedBoard } from "../../host-sim/board";
import type TCP from "embedded:io/socket/tcp";
import type { TCPOptions } from "../../host-sim/io/options";
import type Listener from "embedded:io/socket/listener";
import type { ListenerOptions } from "../../host-sim/io/options";

/**
 * The ESP32's listener and TCP classes without a network: the rules of the SDK's lwIP class to the letter, every event in the order
 * the test makes them, one callback at a time. For what the simulator's classes over real sockets cannot give: acknowledgements and
 * segments cut byte by byte by the test, and properties that try thousands of connections. The rest is tested on real sockets.
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
  /** Bytes received and not yet taken with `take`. */
  #received: Uint8Array[] = [];
  /** Whether bytes are acknowledged as they arrive; else with `ack`. */
  autoAck = true;
  /** The server has closed. */
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

  /** One segment; the server handles it, and what follows from it, before this returns. */
  send(data: string | Uint8Array): this {
    this.push(data);
    this.network.settle();
    return this;
  }

  /** One segment; the server has not been called yet. */
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

  /** Acknowledges `bytes` of what the server has written. */
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

  /** What has been received, as Latin-1, since the last `take`. */
  take(): string {
    const text = this.bytes.toString("latin1");
    this.#received = [];
    return text;
  }
}

export class MemoryTCP implements TCP {
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

  /** As the listener makes it. */
  init(network: MemoryNetwork, client: MemoryClient): this {
    this.network = network;
    this.client = client;
    client.socket = this;
    return this;
  }

  /** As `new TCP({ from })` makes it. */
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
  /** Connections that the server has accepted and not closed. */
  open = 0;
  readonly #board: SimulatedBoard;
  readonly #tasks: (() => void)[] = [];
  #pending: MemoryClient[] = [];
  #onReadable: ((connections: number) => void) | undefined;

  /** Calls of `listener.read` that found nothing: each leaks an object on the device. */
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

  /** Runs with the next `settle` or `step`, or when the time of the board goes on. */
  post(task: () => void): void {
    this.#tasks.push(task);
    this.#board.post(() => this.settle());
  }

  /** Runs what is to be run, until there is nothing more. */
  settle(): void {
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) task();
  }

  /** One callback. */
  step(): void {
    this.#tasks.shift()?.();
  }

  connect(address = "192.0.2.7"): MemoryClient {
    const client = this.#request(address);
    this.settle();
    return client;
  }

  /** Several connections, told to the listener in one callback. */
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

import { createServer, type Server, type Socket } from "node:net";
import type { ListenerOptions } from "../../host-sim/io/options";
import type { TCPOptions } from "../../host-sim/io/options";

/**
 * The ESP32's listener and TCP classes on real sockets: a send window of SEND_WINDOW bytes that opens as the host takes them, reads and
 * writes that throw when they are longer than they may be, one callback at a time, the error after the last byte.
 */

const SEND_WINDOW = 5_744;

const READABLE = 1;
const WRITABLE = 2;
const ERROR = 4;

type Bytes = ArrayBuffer | Uint8Array | DataView;

function view(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  return bytes instanceof ArrayBuffer
    ? new Uint8Array(bytes)
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export class NodeTCP {
  #options: TCPOptions | undefined;
  #socket: Socket | undefined;
  #buffered: Buffer[] = [];
  #available = 0;
  #unacknowledged = 0;
  #triggered = 0;
  #error = false;
  #closed = false;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;

  constructor(options: TCPOptions);
  constructor(socket: Socket);
  constructor(from: TCPOptions | Socket) {
    if (!("from" in from)) {
      this.#socket = from as Socket;
      this.#socket.on("data", (bytes) => this.#arrive(bytes));
      this.#socket.on("error", () => this.#trigger(ERROR));
      this.#socket.on("close", () => this.#trigger(ERROR));
      this.#socket.on("end", () => this.#trigger(ERROR));
      this.#socket.pause();
    } else {
      const options = from;
      const other = options.from as unknown as NodeTCP;
      const socket = other.#socket;
      if (!socket) throw new Error("invalid from");
      socket.removeAllListeners();
      other.#socket = undefined;
      this.#socket = socket;
      this.#options = options;
      if (options.nodelay) socket.setNoDelay(true);
      socket.on("data", (bytes) => this.#arrive(bytes));
      socket.on("error", () => this.#trigger(ERROR));
      socket.on("close", () => this.#trigger(ERROR));
      socket.on("end", () => this.#trigger(ERROR));
      socket.resume();
      this.#trigger(WRITABLE | (socket.destroyed ? ERROR : 0));
    }
    const { remoteAddress, remotePort } = this.#socket;
    this.remoteAddress = remoteAddress?.replace(/^::ffff:/, "");
    this.remotePort = remotePort;
  }

  read(buffer: Bytes): number | undefined {
    if (this.#closed) throw new Error("closed");
    if (!this.#available) return undefined;
    const into = view(buffer);
    if (!into.length || into.length > this.#available) throw new Error("invalid");
    for (let at = 0; at < into.length;) {
      const first = this.#buffered[0] as Buffer;
      const taken = first.copy(into, at);
      at += taken;
      if (taken === first.length) this.#buffered.shift();
      else this.#buffered[0] = first.subarray(taken);
    }
    this.#available -= into.length;
    if (!this.#available) {
      // Bytes that are not read hold back the peer.
      this.#socket?.resume();
      if (this.#error) this.#trigger(ERROR);
    }
    return into.length;
  }

  write(buffer: Bytes): number | undefined {
    if (this.#closed) throw new Error("closed");
    if (this.#error) throw new Error("not ready");
    const bytes = view(buffer);
    if (bytes.length > SEND_WINDOW - this.#unacknowledged) throw new Error("would block");
    this.#unacknowledged += bytes.length;
    this.#socket?.write(bytes.slice(), () => {
      this.#unacknowledged -= bytes.length;
      this.#trigger(WRITABLE);
    });
    return SEND_WINDOW - this.#unacknowledged;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const socket = this.#socket;
    if (!socket) return;
    socket.removeAllListeners();
    socket.on("error", () => undefined);
    // The device resets when bytes are unread, and when some come later.
    if (this.#available) socket.resetAndDestroy();
    else {
      socket.end();
      socket.on("data", () => socket.resetAndDestroy());
      socket.on("end", () => socket.destroy());
      socket.resume();
    }
  }

  #arrive(bytes: Buffer): void {
    this.#buffered.push(bytes);
    this.#available += bytes.length;
    this.#socket?.pause();
    this.#trigger(READABLE);
  }

  #trigger(event: number): void {
    const posted = this.#triggered;
    this.#triggered |= event;
    if (!posted && this.#options) setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    const triggered = this.#triggered;
    const options = this.#options as TCPOptions;
    this.#triggered = 0;
    if (this.#closed) return;
    if (triggered & ERROR) this.#error = true;
    const target = this as unknown as ThisParameterType<NonNullable<TCPOptions["onError"]>>;
    if (triggered & READABLE && this.#available) options.onReadable?.call(target, this.#available);
    if (this.#isClosed()) return;
    if (!this.#error) {
      if (triggered & WRITABLE) options.onWritable?.call(target, SEND_WINDOW - this.#unacknowledged);
    } else if (!this.#available) options.onError?.call(target);
  }

  /** A callback may have closed it. */
  #isClosed(): boolean {
    return this.#closed;
  }
}

export class NodeListener {
  readonly #server: Server;
  readonly #pending: NodeTCP[] = [];
  readonly #listening: Promise<void>;

  constructor(options: ListenerOptions) {
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
      this.#pending.push(new NodeTCP(socket));
      if (this.#pending.length === 1) {
        setImmediate(() => options.onReadable?.call(this, this.#pending.length));
      }
    });
    this.#listening = new Promise((resolve) => this.#server.listen(options.port ?? 0, "127.0.0.1", resolve));
  }

  /** Known once `listening`. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  listening(): Promise<void> {
    return this.#listening;
  }

  read(): NodeTCP | undefined {
    return this.#pending.shift();
  }

  close(): void {
    this.#server.close();
  }
}

/**
 * TCP within the browser: a connection is a MessagePort. Either side sends bytes (a Uint8Array), null (FIN), "reset", or a number: so many
 * bytes of the other side have been taken.
 */
import type { HostServer, HostSocket } from "../host-sim/host-types";
import { whenSaved } from "./files";

export type Segment = Uint8Array | null | "reset" | number;

/** As seen by the firmware: all clients are in this browser. */
const CLIENT = "127.0.0.1";
const FIRST_CLIENT_PORT = 49_152;
const LAST_PORT = 65_535;
let clientPort = FIRST_CLIENT_PORT;

type SocketEvent = "connect" | "end" | "error" | "close" | "readable";
type ServerEvent = "connection" | "listening" | "close" | "error";

const { port1: bell, port2: ringer } = new MessageChannel();
const waiting: (() => void)[] = [];
bell.onmessage = () => waiting.shift()?.();

/** After what is to be done now; timers would wait 4 ms. */
export function soon(callback: () => void): void {
  waiting.push(callback);
  ringer.postMessage(undefined);
}

/** The server's end of a connection, with the behaviour of Node's `net.Socket` on which lwIP's model relies. */
class MemorySocket implements HostSocket {
  readonly connecting = false;
  readonly remoteAddress = CLIENT;
  readonly remotePort: number;
  readonly #port: MessagePort;
  readonly #listeners = new Map<SocketEvent, (() => void)[]>();
  #received: Uint8Array[] = [];
  #length = 0;
  /** The peer's FIN: on its way, told. */
  #fin: "none" | "here" | "told" = "none";
  #corked: Uint8Array[] = [];
  #isCorked = false;
  /** Sent and not taken yet. */
  readonly #unacknowledged: { readonly length: number; readonly done: (error?: Error | null) => void }[] = [];
  #sending: Promise<void> | undefined;
  #ended = false;
  #finished = false;
  #destroyed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    this.remotePort = clientPort;
    clientPort = clientPort === LAST_PORT ? FIRST_CLIENT_PORT : clientPort + 1;
    port.onmessage = ({ data }: MessageEvent<Segment>) => this.#take(data);
  }

  get destroyed(): boolean {
    return this.#destroyed;
  }

  get readableLength(): number {
    return this.#length;
  }

  get writableCorked(): number {
    return this.#isCorked ? 1 : 0;
  }

  get writableEnded(): boolean {
    return this.#ended;
  }

  get writableFinished(): boolean {
    return this.#finished;
  }

  on(event: SocketEvent, listener: () => void): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    if (event === "readable") soon(() => this.#tell());
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  read(length: number): Uint8Array | null {
    if (!length || length > this.#length) {
      if (!length) soon(() => this.#tellEnd());
      return null;
    }
    const into = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const [chunk] = this.#received as [Uint8Array];
      const part = chunk.subarray(0, length - at);
      into.set(part, at);
      at += part.length;
      if (part.length === chunk.length) this.#received.shift();
      else this.#received[0] = chunk.subarray(part.length);
    }
    this.#length -= length;
    this.#post(length);
    return into;
  }

  cork(): void {
    this.#isCorked = true;
  }

  uncork(): void {
    this.#isCorked = false;
    for (const bytes of this.#corked.splice(0)) this.#send(bytes);
  }

  write(bytes: Uint8Array, done: (error?: Error | null) => void): boolean {
    this.#unacknowledged.push({ length: bytes.length, done });
    if (this.#isCorked) this.#corked.push(bytes);
    else this.#send(bytes);
    return true;
  }

  end(): this {
    this.uncork();
    this.#ended = true;
    this.#send(null);
    return this;
  }

  destroy(): this {
    if (this.#destroyed) return this;
    this.#post("reset");
    this.#destroy();
    return this;
  }

  resetAndDestroy(): this {
    return this.destroy();
  }

  /** What the firmware answers leaves once everything that it has stored before is stored: a reload then finds it. */
  #send(what: Uint8Array | null): void {
    const first = this.#sending ?? whenSaved();
    if (!first) return this.#sendNow(what);
    const sending: Promise<void> = first.then(() => {
      if (this.#sending === sending) this.#sending = undefined;
      this.#sendNow(what);
    });
    this.#sending = sending;
  }

  #sendNow(what: Uint8Array | null): void {
    this.#post(what);
    if (what) return;
    this.#finished = true;
    this.#closeIfDone();
  }

  #post(segment: Segment): void {
    if (!this.#destroyed) this.#port.postMessage(segment);
  }

  #take(segment: Segment): void {
    if (this.#destroyed) return;
    if (segment === "reset") {
      this.#emit("error");
      return this.#destroy();
    }
    if (typeof segment === "number") return this.#acknowledge(segment);
    if (segment === null) this.#fin = "here";
    else {
      this.#received.push(segment);
      this.#length += segment.length;
    }
    this.#tell();
  }

  #acknowledge(bytes: number): void {
    let left = bytes;
    for (let next = this.#unacknowledged[0]; next && next.length <= left; next = this.#unacknowledged[0]) {
      left -= next.length;
      this.#unacknowledged.shift();
      next.done();
    }
    // The peer takes whole chunks; a part of one counts once the rest is taken.
    const [first] = this.#unacknowledged;
    if (first && left) this.#unacknowledged[0] = { ...first, length: first.length - left };
  }

  #tell(): void {
    if (this.#length) this.#emit("readable");
    this.#tellEnd();
  }

  /** Only a reader hears of the end, and after the last byte. */
  #tellEnd(): void {
    if (this.#fin !== "here" || this.#length || this.#destroyed || !this.#listeners.has("readable")) return;
    this.#fin = "told";
    this.#emit("end");
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#finished && this.#fin === "told") this.#destroy();
  }

  #destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#received = [];
    this.#length = 0;
    for (const { done } of this.#unacknowledged.splice(0)) done(new Error("closed"));
    soon(() => {
      this.#port.close();
      this.#emit("close");
    });
  }

  #emit(event: SocketEvent): void {
    for (const listener of this.#listeners.get(event) ?? []) listener();
  }
}

const servers = new Map<number, MemoryServer>();

class MemoryServer implements HostServer {
  readonly #listeners = new Map<ServerEvent, ((value: never) => void)[]>();
  #port: number | undefined;

  on(event: "connection", listener: (socket: HostSocket) => void): this {
    return this.#add(event, listener);
  }

  once(event: ServerEvent, listener: (value: never) => void): this {
    return this.#add(event, listener);
  }

  listen(port: number): this {
    let own = port;
    if (!own) for (own = FIRST_CLIENT_PORT; servers.has(own); own++);
    if (servers.has(own)) soon(() => this.#emit("error", new Error(`port ${own} is in use`)));
    else {
      servers.set(own, this);
      this.#port = own;
      soon(() => this.#emit("listening", undefined));
    }
    return this;
  }

  address(): { readonly port: number } | null {
    return this.#port === undefined ? null : { port: this.#port };
  }

  close(): this {
    if (this.#port !== undefined) servers.delete(this.#port);
    this.#port = undefined;
    soon(() => this.#emit("close", undefined));
    return this;
  }

  accept(port: MessagePort): void {
    this.#emit("connection", new MemorySocket(port));
  }

  #add(event: ServerEvent, listener: (value: never) => void): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  #emit(event: ServerEvent, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value as never);
  }
}

export const createServer = (): HostServer => new MemoryServer();

/** Connects a client to the server at `port`; nobody there: a reset. */
export function dial(port: number, client: MessagePort): void {
  const server = servers.get(port);
  if (server) return server.accept(client);
  client.postMessage("reset");
  client.close();
}

/** The firmware's HTTP server on a socket that is none: whatever is measured, nothing but the firmware is. */
import { HttpServer } from "http-server/server";
import type { Handler } from "http-server/types";
import type Listener from "embedded:io/socket/listener";
import type TCP from "embedded:io/socket/tcp";
import type { ListenerOptions, TCPOptions } from "../../host-sim/io/options";

const WINDOW = 5744;

/** Gives the same request again and again and takes every answer. */
class LoopSocket {
  readonly remoteAddress = "127.0.0.1";
  readonly target: unknown;
  #position = 0;
  #request: Uint8Array = new Uint8Array(0);

  constructor(readonly options: TCPOptions) {
    this.target = options.target;
  }

  ask(request: Uint8Array): void {
    this.#request = request;
    this.#position = 0;
    this.options.onWritable?.call(this as unknown as TCP, WINDOW);
    this.options.onReadable?.call(this as unknown as TCP, request.length);
  }

  read(view: Uint8Array): number {
    view.set(this.#request.subarray(this.#position, this.#position + view.length));
    this.#position += view.length;
    return view.length;
  }

  write(view: Uint8Array): number {
    return WINDOW - view.length;
  }

  close(): void {
    // Nothing is held.
  }
}

export class LoopServer {
  readonly #server: HttpServer;
  readonly #socket: LoopSocket;

  constructor(handler: Handler) {
    let socket: LoopSocket | undefined;
    let listener: object | undefined;
    let accept: ListenerOptions["onReadable"];
    class OneListener {
      readonly port = 80;
      readonly target: unknown;
      constructor({ onReadable, target }: ListenerOptions) {
        accept = onReadable;
        this.target = target;
        // eslint-disable-next-line @typescript-eslint/no-this-alias
        listener = this;
      }
      read(): TCP {
        return { remoteAddress: "127.0.0.1", close: () => undefined } as unknown as TCP;
      }
      close(): void {
        accept = undefined;
      }
    }
    class OneSocket extends LoopSocket {
      constructor(options: TCPOptions) {
        super(options);
        // The bench plays the network: it needs the socket that the server has made.
        // eslint-disable-next-line @typescript-eslint/no-this-alias
        socket = this;
      }
    }
    this.#server = new HttpServer({
      listener: { io: OneListener, port: 80 },
      socket: { io: OneSocket as unknown as typeof TCP },
      handler,
    });
    accept?.call(listener as Listener, 1);
    if (!socket) throw new Error("the server has taken no connection");
    this.#socket = socket;
  }

  ask(request: Uint8Array, times: number): void {
    const before = this.#server.counters.requests;
    for (let count = 0; count < times; count++) this.#socket.ask(request);
    if (this.#server.counters.requests - before !== times) throw new Error("not every request was answered");
  }

  close(): void {
    this.#server.close();
  }
}

import { connect, type Socket } from "node:net";
import { once } from "node:events";

export interface RawReply {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = "\r\n\r\n";

/** One connection with sequential requests, sent verbatim. Every response must have a Content-Length. */
export class KeepAliveClient {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #answered: ((reply: RawReply) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay();
    socket.on("data", (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#take();
    });
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("the connection was closed")));
  }

  static async connect(port: number, localAddress = "127.0.0.1"): Promise<KeepAliveClient> {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    await once(socket, "connect");
    return new KeepAliveClient(socket);
  }

  /** Sends a request and waits for its whole response. */
  ask(request: string): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) throw new Error("the connection was closed");
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request, "latin1");
    });
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(): void {
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#received.toString("latin1", 0, end);
    const from = end + HEAD_END.length;
    const length = Number(/^Content-Length: (\d+)\r?$/m.exec(head)?.[1]);
    if (this.#received.length < from + length) return;
    const body = this.#received.subarray(from, from + length);
    this.#received = this.#received.subarray(from + length);
    const answered = this.#answered;
    this.#answered = this.#failed = undefined;
    answered?.({ status: Number(head.slice(9, 12)), body });
  }
}

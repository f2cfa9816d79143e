import { onError, onReadable, onTimer, onWritable } from "door/enter";
import Timer from "timer";
import { AnswerReader } from "./answer-reader";
import { READ_BYTES, TIMEOUT_MS } from "./limits";
import type { ClientSocket, HttpFailure, HttpOwner } from "./types";

export interface HttpRequestOptions {
  /** The platform's TCP class, or one that adds TLS to it. */
  readonly io: new (options: object) => ClientSocket;
  /** Further options of that class: those of TLS. */
  readonly socket?: object;
  /** IPv4. */
  readonly address: string;
  readonly port: number;
  /** See `requestBytes`. Not changed, and not kept after it has been sent. */
  readonly bytes: Uint8Array;
  readonly owner: HttpOwner;
}

const NOTHING = new Uint8Array(0);

/** One request on a connection of its own. Whatever the service does, it ends once, within TIMEOUT_MS, and its memory does not grow. */
export class HttpRequest {
  private readonly owner: HttpOwner;
  private readonly reader = new AnswerReader();
  private readonly buffer = new Uint8Array(READ_BYTES);
  private bytes: Uint8Array;
  private sent = 0;
  private connected = false;
  private socket: ClientSocket | undefined;
  private timer: Timer | undefined;

  /** Throws if the platform has no memory for the timer, or refuses the connection at once. */
  constructor({ io, socket, address, port, bytes, owner }: HttpRequestOptions) {
    this.owner = owner;
    this.bytes = bytes;
    this.timer = Object.assign(Timer.set(onTimer, TIMEOUT_MS), { target: this });
    try {
      this.socket = new io({ ...socket, address, port, target: this, onReadable, onWritable, onError });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Ends it; the owner hears nothing more. */
  close(): void {
    Timer.clear(this.timer);
    this.socket?.close();
    this.timer = this.socket = undefined;
    this.bytes = NOTHING;
  }

  /** Socket callback. */
  writable(window: number): void {
    const { socket, bytes } = this;
    this.connected = true;
    if (!socket) return;
    const end = Math.min(this.sent + window, bytes.length);
    if (end > this.sent) socket.write(bytes.subarray(this.sent, end));
    this.sent = end;
    if (end === bytes.length) {
      this.bytes = NOTHING;
      this.sent = 0;
    }
  }

  /** Socket callback. */
  readable(count: number): void {
    const { buffer, reader } = this;
    this.connected = true;
    for (let left = count; left > 0 && this.socket; left -= READ_BYTES) {
      const piece = left < READ_BYTES ? buffer.subarray(0, left) : buffer;
      if (!this.socket.read(piece)) return;
      reader.take(piece);
      if (reader.malformed) this.end("malformed");
      else if (reader.done) this.end("closed");
    }
  }

  /** Socket callback: the service has closed the connection, or there is none. `reason`: why TLS has failed. */
  lost(reason: unknown): void {
    this.end(typeof reason === "string" ? reason : this.connected ? "closed" : "no-connection");
  }

  /** Timer callback. */
  tick(): void {
    this.end("timeout");
  }

  /** With the answer if its head is there: how its body ends does not matter. */
  private end(problem: HttpFailure): void {
    if (!this.timer) return;
    this.close();
    if (this.reader.answered) this.owner.answered(this.reader);
    else this.owner.failed(problem);
  }
}

import type TCP from "embedded:io/socket/tcp";
import type { SocketOwner } from "./client-socket";
import { Conversation } from "./conversation";
import { SEND_STALL_BYTES } from "./limits";
import { BODY, CLOSED, HANDLER, HEAD, IDLE, LINGER, RESPONSE } from "./phase";
import { TOO_SLOW } from "./problems";
import { refuse } from "./refusal";
import type { Service } from "./service";

/** An accepted connection. Feeds socket events and timeouts to its conversation. */
export class Connection extends Conversation implements SocketOwner {
  /** Takes over an accepted socket. Throws if it has closed already. */
  constructor(service: Service, accepted: TCP, address: string) {
    super(service, address);
    this.socket.open(service.io, accepted, this);
  }

  /** Closes the connection in any state. */
  close(): void {
    if (this.closed) return;
    this.state = CLOSED;
    this.socket.close();
    this.release();
  }

  /** Serves nothing: sends a 503 and lingers. */
  refuse(): void {
    refuse(this.service, this.socket);
    this.enter(LINGER);
  }

  /** Closes for another client. A client still waiting for a response gets 503. */
  evict(): void {
    const { state } = this;
    if (state === HEAD || state === HANDLER || state === BODY) refuse(this.service, this.socket);
    this.close();
  }

  readable(bytes: number): void {
    this.socket.readable = bytes;
    this.advance();
  }

  writable(bytes: number): void {
    const { socket, state } = this;
    this.acknowledged += socket.onWritable(bytes);
    // Only sending waits for the window.
    if (state === IDLE) return;
    if (state === RESPONSE && (this.acknowledged >= SEND_STALL_BYTES || socket.idle)) this.arm();
    this.advance();
  }

  /** Checks the deadline. */
  tick(now: number): void {
    const { state } = this;
    // Waiting for the handler does not count against the client.
    if (state === RESPONSE && this.response?.dry && this.socket.idle) this.arm();
    if (state === BODY && this.body?.blocked) this.arm();
    if (!this.isDue(now)) return this.advance();
    if (state === HEAD || state === BODY) this.reject(TOO_SLOW);
    else if (state === HANDLER) this.crash(new Error("http-server: no response in time"));
    else return this.close();
    this.advance();
  }
}

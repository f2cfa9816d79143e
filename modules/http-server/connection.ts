import type TCP from "embedded:io/socket/tcp";
import type { SocketOwner } from "./client-socket";
import { Conversation } from "./conversation";
import { BODY, HANDLER, HEAD, IDLE, RESPONSE } from "./phase";
import { TOO_SLOW } from "./problems";
import { refuse } from "./refusal";

/**
 * A slot for a connection, made once and used for one after another: what it needs of memory it has from the start. It tells its
 * conversation what becomes of the socket and of the time.
 */
export class Connection extends Conversation implements SocketOwner {
  /** Takes over an accepted socket. Throws when that has gone already. */
  accept(accepted: TCP, address: string): void {
    this.address = address;
    this.socket.open(this.service.io, accepted, this);
    this.requests = 0;
    this.input.discard();
    this.request.clear();
    this.failed = false;
    this.phase.enter(IDLE);
  }

  /** There are bytes of a request that nobody has looked at. */
  get pending(): boolean {
    return this.input.pending;
  }

  /** Gives its place to another client. Who waits for a response is told 503. */
  evict(): void {
    const { state } = this.phase;
    if (state === HEAD || state === HANDLER || state === BODY) refuse(this.service, this.socket);
    this.close();
  }

  readable(bytes: number): void {
    this.socket.readable = bytes;
    this.advance();
  }

  writable(bytes: number): void {
    const { socket, phase } = this;
    socket.onWritable(bytes);
    // Only what is sent waits for room.
    if (phase.state === IDLE) return;
    if (phase.state === RESPONSE && (phase.hasMoved || socket.idle)) phase.arm();
    this.advance();
  }

  /** Goes on from where it is. */
  run(): void {
    if (!this.free) this.advance();
  }

  /** Looks at the deadline. */
  tick(now: number): void {
    const { phase } = this;
    const { state } = phase;
    // Who waits for the handler is not late.
    if (state === RESPONSE && this.sourceDry && this.socket.idle) phase.arm();
    if (state === BODY && this.body.blocked) phase.arm();
    if (!phase.isDue(now)) return this.advance();
    if (state === HEAD || state === BODY) this.reject(TOO_SLOW);
    else if (state === HANDLER) this.crash(new Error("http-server: no response in time"));
    else return this.close();
    this.advance();
  }
}

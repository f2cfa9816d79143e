import type TCP from "embedded:io/socket/tcp";
import type { SocketOwner } from "./channel";
import { Conversation } from "./conversation";
import { BLOCKED, REQUESTS, SOURCE_DRY, STATE } from "./numbers";
import { arm, BODY_COMING, HANDLER, hasTaken, HEAD_COMING, IDLE, idleTime, isDue, RESPONSE } from "./phase";
import { TOO_SLOW } from "./problems";

/**
 * A slot for a connection, made once and used for one after another: what it needs of memory it has from the start. It tells its
 * conversation what becomes of the socket and of the time.
 */
export class Connection extends Conversation implements SocketOwner {
  /** Takes over an accepted socket. Throws when that has gone already. */
  accept(accepted: TCP): void {
    const request = this.request;
    // At once: when the peer has reset the connection, the ESP32 class has no address left.
    this.remoteAddress = accepted.remoteAddress ?? "";
    request.channel.open(request.service.io, accepted, this);
    request.numbers[REQUESTS] = 0;
    request.clear();
    this.awaitRequest();
  }

  /** How long it has been without a request, ms, if it may be closed for the sake of a new connection; -1 if it may not. */
  idleTime(now: number): number {
    return idleTime(this.request.numbers, now);
  }

  /** Looks at the deadline. */
  tick(now: number): void {
    const { numbers, channel } = this.request;
    if (numbers[STATE] === RESPONSE && numbers[SOURCE_DRY] && channel.idle) arm(numbers);
    if (numbers[STATE] === BODY_COMING && numbers[BLOCKED]) arm(numbers);
    if (!isDue(numbers, now)) return this.advance();
    switch (numbers[STATE]) {
      case HEAD_COMING:
      case BODY_COMING:
        this.reject(TOO_SLOW);
        return this.advance();
      case HANDLER:
        this.crash(new Error("http-server: no response in time"));
        return this.advance();
      default:
        this.close();
    }
  }

  readable(bytes: number): void {
    this.request.channel.onReadable(bytes);
    this.advance();
  }

  writable(bytes: number): void {
    const { numbers, channel } = this.request;
    channel.onWritable(bytes);
    // Only what is sent waits for room.
    if (numbers[STATE] === IDLE) return;
    if (numbers[STATE] === RESPONSE && (hasTaken(numbers) || channel.idle)) arm(numbers);
    this.advance();
  }

  /** Goes on from where it is. */
  run(): void {
    if (!this.free) this.advance();
  }
}

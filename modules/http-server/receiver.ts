import { ClientSocket } from "./client-socket";
import type { Input } from "./input";
import { MAX_LINGER_BYTES } from "./limits";
import { CLOSED, Phase } from "./phase";
import type { Service } from "./service";

/** Receives a connection's bytes, in a buffer borrowed from the service while any are unread. */
export abstract class Receiver extends Phase {
  readonly service: Service;
  readonly address: string;
  readonly socket = new ClientSocket();
  private lent: Input | undefined;
  /** Exists only while lingering. */
  declare private lingerLeft?: number;

  constructor(service: Service, address: string) {
    super();
    this.service = service;
    this.address = address;
  }

  abstract close(): void;

  get closed(): boolean {
    return this.state === CLOSED;
  }

  get input(): Input {
    return (this.lent ??= this.service.lend());
  }

  /** The buffer has bytes that are not parsed yet. */
  protected get hasUnread(): boolean {
    return this.lent !== undefined && !this.lent.empty;
  }

  /** Request bytes are waiting to be parsed. */
  protected get pending(): boolean {
    return this.socket.readable > 0 || this.hasUnread;
  }

  fill(): number {
    return this.socket.readable ? this.input.fill(this.socket) : 0;
  }

  /** False: nothing received, or the connection has closed. */
  protected receiveMore(): boolean {
    const bytes = this.fill();
    if (bytes < 0) this.close();
    return bytes > 0;
  }

  /** Discards input after the last response. */
  protected linger(): boolean {
    let left = this.lingerLeft ?? MAX_LINGER_BYTES;
    do {
      if (this.lent) left -= this.lent.discard();
      if (left < 0) this.close();
    } while (this.receiveMore());
    this.lingerLeft = left;
    return false;
  }

  protected giveBackInput(): void {
    const { lent } = this;
    if (!lent || !(lent.empty || this.closed)) return;
    this.lent = undefined;
    this.service.takeBack(lent);
  }
}

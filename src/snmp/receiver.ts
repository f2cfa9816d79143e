import { isText } from "../settings/text-rules";
import { RESOLVE_AGAIN, RESOLVE_RETRY, TICK } from "./limits";

const MAX_IPV4 = 15;

/** The platform's `net`. */
export interface Resolver {
  /** Calls `done` later, without an address if there is none. */
  resolve(host: string, done: (host: string, address?: string) => void): void;
}

/** A notification receiver: an IPv4 address, or a host name that is resolved in advance and again from time to time. */
export class Receiver {
  readonly host: string;
  private _address: string | undefined;
  /** Milliseconds until the next look-up. */
  private pause = 0;
  private looked = false;
  /** The first look-up has neither succeeded nor failed yet. */
  private _waiting: boolean;

  /** `host` is not empty. */
  constructor(host: string) {
    const isAddress = isText("ipv4", host, 1, MAX_IPV4);
    this.host = host;
    this._address = isAddress ? host : undefined;
    this._waiting = !isAddress;
  }

  /** Undefined: it cannot be reached. */
  get address(): string | undefined {
    return this._address;
  }

  /** It is not known yet whether there is an address. */
  get waiting(): boolean {
    return this._waiting;
  }

  /** Call every TICK while there is a network. */
  look(net: Resolver): void {
    if (this._address === this.host) return;
    this.pause -= TICK;
    if (this.pause > 0) return;
    this.pause = RESOLVE_RETRY;
    // No answer to the first look-up: notifications to the other receiver must not wait forever.
    if (this.looked) this._waiting = false;
    this.looked = true;
    try {
      net.resolve(this.host, (_host, address) => this.answered(address));
    } catch {
      this.answered(undefined);
    }
  }

  /** If the look-up failed, the old address stays. */
  private answered(address: string | undefined): void {
    this._waiting = false;
    if (!address) return;
    this._address = address;
    this.pause = RESOLVE_AGAIN;
  }
}

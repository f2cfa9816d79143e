import Time from "time";
import { isText } from "../settings/text-rules";
import { RESOLVE_AGAIN, RESOLVE_RETRY } from "./limits";
import { Lookup, type LookupParts } from "./lookup";

const MAX_IPV4 = 15;

/** A host that messages are sent to: an IPv4 address, or a host name that is resolved in advance and again from time to time. */
export class Receiver {
  readonly host: string;
  /** Undefined: it cannot be reached. */
  address: string | undefined;
  /** Ticks of the last look-up or answer; undefined: no look-up yet. */
  private since: number | undefined;
  private pause = 0;
  private lookup: Lookup | undefined;
  /** The first look-up has neither succeeded nor failed yet: whether there is an address is not known. */
  waiting: boolean;

  /** `host` is not empty. */
  constructor(host: string) {
    const isAddress = isText("ipv4", host, 1, MAX_IPV4);
    this.host = host;
    this.address = isAddress ? host : undefined;
    this.waiting = !isAddress;
  }

  /** Looks the name up when it is due. Call now and then while there is a network. */
  resolve(part: string, parts: LookupParts): void {
    if (this.address === this.host) return;
    // Unsigned: there may have been no network for more than half the range of the ticks.
    if (this.since !== undefined && (Time.ticks - this.since) >>> 0 < this.pause) return;
    // No answer to the first look-up: messages to other receivers must not wait forever.
    if (this.since !== undefined) this.waiting = false;
    this.plan(RESOLVE_RETRY);
    this.close();
    this.lookup = new Lookup(part, parts, this.host, (address) => this.answered(address));
  }

  /** Cancels a look-up. */
  close(): void {
    this.lookup?.close();
    this.lookup = undefined;
  }

  /** If the look-up failed, the old address stays. */
  private answered(address: string | undefined): void {
    this.waiting = false;
    if (!address) return;
    this.address = address;
    this.plan(RESOLVE_AGAIN);
  }

  private plan(pause: number): void {
    this.since = Time.ticks;
    this.pause = pause;
  }
}

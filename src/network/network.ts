import type Net from "net";
import Time from "time";
import type { Network } from "./types";

/** What the platform told is good for so long, ms. */
const FRESH = 1_000;

export interface NetworkOptions {
  readonly net: typeof Net;
  /** What the board has (mc/config). Default: Ethernet. */
  readonly type?: Network["type"] | undefined;
}

/** The network link as the platform knows it; asked when somebody reads it, and not more often than once a second. */
export class BoardNetwork implements Network {
  readonly mode = "STA";
  readonly type: Network["type"];
  /** The platform's `net` knows neither. */
  readonly gateway = "";
  readonly subnetMask = "";
  readonly #net: typeof Net;
  #askedAt: number | undefined;
  #mac = "";
  #ip = "";
  #dns1 = "";
  #dns2 = "";

  constructor({ net, type = "Ethernet" }: NetworkOptions) {
    this.#net = net;
    this.type = type;
  }

  /** "24:6F:28:01:02:03". */
  get mac(): string {
    this.refresh();
    return this.#mac;
  }

  get ip(): string {
    this.refresh();
    return this.#ip;
  }

  get dns1(): string {
    this.refresh();
    return this.#dns1;
  }

  get dns2(): string {
    this.refresh();
    return this.#dns2;
  }

  /** Told from the address: without a link there is none. */
  get cable(): boolean {
    return this.type === "Ethernet" && this.ip !== "";
  }

  private refresh(): void {
    const now = Time.ticks;
    // Unsigned: nobody may have asked for more than half the range of the ticks.
    if (this.#askedAt !== undefined && (now - this.#askedAt) >>> 0 < FRESH) return;
    this.#askedAt = now;
    const net = this.#net;
    const link = this.type === "Ethernet" ? "ethernet" : "station";
    this.#mac ||= net.get("MAC", link) ?? "";
    this.#ip = net.get("IP", link) ?? "";
    // A platform without that fact answers undefined.
    const dns = net.get("DNS") as string[] | undefined;
    this.#dns1 = dns?.[0] ?? "";
    this.#dns2 = dns?.[1] ?? "";
  }
}

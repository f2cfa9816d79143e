import { enter, type Entered } from "door/enter";
import { upperCase } from "ascii/case";
import type { Addressing } from "./addressing";
import { isStatic } from "./addressing";
import { LINK, type Link } from "./wifi/station";

/** Thresholds of `connection` in ECMA-419's network interfaces: connecting from 300, linked from 400. */
const CONNECTING = 300;
const LINKED = 400;

interface StaticAddress {
  address: string;
  mask: string;
  gateway: string;
}

/** Common to Ethernet and Wi-Fi as ECMA-419 network interfaces. */
interface NetworkInterface {
  readonly connection: number;
  readonly address: string | undefined;
  readonly MAC: string | undefined;
  configure(options: { hostname?: string; static?: StaticAddress | false }): void;
}

export interface LinkObserver extends Entered {
  /** The link, the address or the scan has changed. */
  linkChanged(): void;
}

interface Connected {
  /** None yet while it is constructed. */
  readonly target?: LinkObserver;
}

/** Passed to the constructor of an interface, which calls it with itself as `this`: notifies the observer. */
export function onChanged(this: unknown): void {
  enter((this as Connected).target, "linkChanged");
}

/** Reads and configures one of the platform's interfaces. Never throws. */
export class Connection<Interface extends NetworkInterface = NetworkInterface> {
  protected io: Interface;
  /** The platform rejected the last configuration. The SDK's Ethernet always does once its driver has failed to start. */
  protected refused = false;
  /** The configured static address as one joined string; empty for DHCP, the initial state. */
  protected static = "";

  constructor(io: Interface) {
    this.io = io;
  }

  /** Replaces the observer. */
  watch(observer: LinkObserver): void {
    Object.assign(this.io, { target: observer });
  }

  /**
   * Online means an IPv4 address. The SDK reports 500 only if there is an IPv6 address too, and never after a change from a static address
   * to DHCP.
   */
  get link(): Link {
    const { connection } = this.io;
    if (connection >= LINKED) return this.ip ? LINK.online : LINK.linked;
    return connection >= CONNECTING ? LINK.connecting : LINK.down;
  }

  /** IPv4; empty without an address. */
  get ip(): string {
    const { address } = this.io;
    return address?.includes(".") ? address : "";
  }

  get mac(): string {
    return upperCase(this.io.MAC ?? "");
  }

  /** Call before the link comes up: DHCP sends the name. */
  name(hostname: string): void {
    this.configure({ hostname });
  }

  /** Leaves an unchanged configuration alone: otherwise the platform would start over. */
  address(settings: Addressing): void {
    const { address, mask, gateway } = settings;
    const wanted = isStatic(settings) ? { address, mask, gateway: gateway || "0.0.0.0" } : undefined;
    const joined = wanted ? `${address} ${mask} ${gateway}` : "";
    if (joined === this.static) return;
    this.static = joined;
    this.configure({ static: wanted ?? false });
  }

  private configure(options: Parameters<NetworkInterface["configure"]>[0]): void {
    try {
      this.io.configure(options);
      this.refused = false;
    } catch (error) {
      this.refused = true;
      trace(`network: cannot configure an interface: ${String(error)}\n`);
    }
  }
}

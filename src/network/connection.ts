import type { Addressing } from "./addressing";
import { isStatic } from "./addressing";
import { LINK, type Link } from "./wifi/station";

/** `connection` of ECMA-419's network interfaces: at least 300 connecting, 400 linked. */
const CONNECTING = 300;
const LINKED = 400;

interface StaticAddress {
  address: string;
  mask: string;
  gateway: string;
}

/** What Ethernet and Wi-Fi have in common as ECMA-419 network interfaces. */
interface NetworkInterface {
  readonly connection: number;
  readonly address: string | undefined;
  readonly MAC: string | undefined;
  configure(options: { hostname?: string; static?: StaticAddress | false }): void;
}

export interface LinkObserver {
  /** The link, the address or a scan has changed. */
  linkChanged(): void;
}

/** For the constructor of an interface, which is `this` in it: tells whoever watches the connection. */
export function onChanged(this: unknown): void {
  (this as { readonly target?: LinkObserver }).target?.linkChanged();
}

/** Reads and configures one of the platform's interfaces. Nothing of it throws. */
export class Connection<Interface extends NetworkInterface = NetworkInterface> {
  protected io: Interface;
  /** The platform refused the last configuration: as the SDK's Ethernet does for ever when its driver could not be started. */
  protected refused = false;
  /** The static address the platform has, joined; empty: DHCP, as it is from the start. */
  protected static = "";

  constructor(io: Interface) {
    this.io = io;
  }

  /** From now on tells `observer`, and nobody else. */
  watch(observer: LinkObserver): void {
    Object.assign(this.io, { target: observer });
  }

  /**
   * Online with an IPv4 address. The SDK says 500 only when there is an IPv6 address too, and after a change from a static address to
   * DHCP it never does.
   */
  get link(): Link {
    const { connection } = this.io;
    if (connection >= LINKED) return this.ip ? LINK.online : LINK.linked;
    return connection >= CONNECTING ? LINK.connecting : LINK.down;
  }

  /** IPv4; empty while there is none. */
  get ip(): string {
    const { address } = this.io;
    return address?.includes(".") ? address : "";
  }

  get mac(): string {
    return (this.io.MAC ?? "").toUpperCase();
  }

  /** To be called before the link is up: DHCP tells the name. */
  name(hostname: string): void {
    this.configure({ hostname });
  }

  /** Changes nothing that is as it should be: the platform would begin anew. */
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
      trace(`network: an interface cannot be configured: ${String(error)}\n`);
    }
  }
}

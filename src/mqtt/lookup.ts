import type Resolver from "embedded:network/dns/resolver/udp";

export interface LookupOptions {
  readonly resolver: { readonly io: typeof Resolver; readonly socket: object };
  readonly host: string;
  /** DNS servers; may be none when `host` is an address. */
  readonly servers: readonly string[];
  /** Undefined: there is no such host, nobody answered, or there is nobody to ask. */
  readonly done: (address: string | undefined) => void;
}

/** The search for the address of one host. It can be given up, which the search of the platform's MQTT client cannot. */
export class Lookup {
  private resolver: Resolver | undefined;

  constructor({ resolver: { io, socket }, host, servers, done }: LookupOptions) {
    // With no server the platform's resolver never ends.
    if (isAddress(host) || !servers.length) {
      done(isAddress(host) ? host : undefined);
      return;
    }
    const ended = (address?: string): null => {
      if (!this.resolver) return null;
      this.close();
      done(address);
      return null;
    };
    this.resolver = new io({ servers, socket });
    this.resolver.resolve({ host, onResolved: (_, address) => ended(address), onError: () => ended() });
  }

  close(): void {
    this.resolver?.close();
    this.resolver = undefined;
  }
}

/** The settings let only letters, digits, hyphens and dots through: an IPv4 address is what has no letter and three dots. */
function isAddress(host: string): boolean {
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => part !== "" && String(Number(part)) === part);
}

/** What the MQTT client asks instead of a DNS server: it has the answer. */
export class Known {
  private readonly address: string;

  constructor({ address }: { readonly address: string }) {
    this.address = address;
  }

  resolve({ host, onResolved }: { host: string; onResolved: (host: string, address: string) => void }): void {
    onResolved(host, this.address);
  }
}

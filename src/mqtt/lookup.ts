import type Resolver from "embedded:network/dns/resolver/udp";

export interface LookupOptions {
  readonly resolver: { readonly io: typeof Resolver; readonly socket: object };
  readonly host: string;
  /** DNS servers; may be empty if `host` is an address. */
  readonly servers: readonly string[];
  /** Undefined: no such host, no reply, or no server to ask. */
  readonly done: (address: string | undefined) => void;
}

/** Resolves one host name. Can be cancelled, unlike the lookup of the platform's MQTT client. */
export class Lookup {
  private resolver: Resolver | undefined;

  constructor({ resolver: { io, socket }, host, servers, done }: LookupOptions) {
    // Without a server the platform's resolver never finishes.
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

/** The settings allow only letters, digits, hyphens and dots, so no letter and three dots means an IPv4 address. */
function isAddress(host: string): boolean {
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => part !== "" && String(Number(part)) === part);
}

/** Resolver handed to the MQTT client: returns the address already found. */
export class Known {
  private readonly address: string;

  constructor({ address }: { readonly address: string }) {
    this.address = address;
  }

  resolve({ host, onResolved }: { host: string; onResolved: (host: string, address: string) => void }): void {
    onResolved(host, this.address);
  }
}

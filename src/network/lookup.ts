import { onReadable, threw } from "door/enter";
import type UDP from "embedded:io/socket/udp";
import type Resolver from "embedded:network/dns/resolver/udp";
import type { Network } from "./types";

export interface LookupParts {
  readonly resolver: typeof Resolver;
  readonly udp: typeof UDP;
  /** Its DNS servers, either of which may be empty. */
  readonly network: Pick<Network, "dns1" | "dns2">;
}

/**
 * Resolves one host name, and can be cancelled. Everything in the firmware that needs an address asks here: the SDK's `net.resolve` calls
 * lwIP from the script's task, and the look-up of its MQTT client cannot be cancelled.
 */
export class Lookup {
  private resolver: Resolver | undefined;

  /**
   * `done` may be called before this returns. Without an address: no such host, no reply, no DNS server, or no socket to ask through.
   * @param part whose look-up it is
   */
  constructor(
    part: string,
    { network, resolver, udp }: LookupParts,
    host: string,
    done: (address: string | undefined) => void,
  ) {
    const servers = [network.dns1, network.dns2].filter((server) => server);
    // Without a server the platform's resolver never finishes, except for a name that it asks for by mDNS.
    if (isAddress(host) || (!servers.length && !host.endsWith(".local"))) {
      done(isAddress(host) ? host : undefined);
      return;
    }
    const ended = (address?: string): null => {
      if (!this.resolver) return null;
      try {
        this.close();
        done(address);
      } catch (error) {
        threw(part, error);
      }
      return null;
    };
    // No arrow function: the resolver constructs it.
    const answerSocket = function (options: SocketOptions): AnswerSocket {
      return new AnswerSocket(udp, options);
    };
    try {
      this.resolver = new resolver({ servers, socket: { io: answerSocket } });
      // eslint-disable-next-line no-restricted-syntax -- `ended` is a door
      this.resolver.resolve({ host, onResolved: (_, address) => ended(address), onError: () => ended() });
    } catch (error) {
      trace(`dns: ${String(error)}\n`);
      this.close();
      done(undefined);
    }
  }

  close(): void {
    this.resolver?.close();
    this.resolver = undefined;
  }
}

type Callback = (this: unknown, packets: number) => void;

/** What the resolver passes to the constructor of its socket. */
interface SocketOptions {
  readonly target: unknown;
  readonly onReadable: Callback;
}

/**
 * Socket of the platform's resolver, which gets one answer at a time. The resolver of SDK 8.2.3 closes its socket on the first answer but
 * still reads the others that have arrived with it, and throws on a malformed one; in a callback of the platform, either restarts the device.
 */
class AnswerSocket {
  readonly part = "network";
  readonly target: unknown;
  /** The resolver's. */
  private readonly take: Callback;
  private udp: (UDP & { close(): void }) | undefined;
  private answer: ReturnType<UDP["read"]> | undefined;

  constructor(udp: typeof UDP, { target, onReadable: take }: SocketOptions) {
    this.target = target;
    this.take = take;
    this.udp = new udp({ target: this, onReadable }) as UDP & { close(): void };
  }

  read(): ArrayBuffer | undefined {
    return this.answer;
  }

  write(...packet: Parameters<UDP["write"]>): void {
    this.udp?.write(...packet);
  }

  close(): void {
    this.udp?.close();
    this.udp = undefined;
  }

  /** Socket callback. */
  readable(packets: number): void {
    while (packets-- > 0 && (this.answer = this.udp?.read())) {
      try {
        this.take(1);
      } catch (error) {
        trace(`dns: ${String(error)}\n`);
      }
    }
  }
}

/** The settings allow only letters, digits, hyphens and dots, so no letter and three dots means an IPv4 address. */
function isAddress(host: string): boolean {
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => part !== "" && String(Number(part)) === part);
}

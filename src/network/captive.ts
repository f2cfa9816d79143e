import type { Exchange } from "http-server/types";
import type { ManagedNetwork } from "./types";

/** What phones and computers ask for to find out whether they are on the internet or before a portal. */
const PROBES = Object.freeze(
  [
    // Android, ChromeOS
    "/generate_204",
    "/gen_204",
    // Apple
    "/hotspot-detect.html",
    "/library/test/success.html",
    // Windows
    "/connecttest.txt",
    "/ncsi.txt",
    "/redirect",
    // Firefox
    "/canonical.html",
    "/success.txt",
  ],
  true,
);

const HTTP_PORT = 80;

export interface CaptiveOptions {
  readonly network: Pick<ManagedNetwork, "onPortal" | "accessPointIp">;
  /** The HTTP server's. */
  readonly port: () => number;
}

/**
 * Makes the handler that stands before the web interface. It leads the probes of whoever came in over the access point to the portal,
 * denies them to others, and answers whether the exchange is done with.
 */
export function captivePortal({ network, port }: CaptiveOptions): (exchange: Exchange) => boolean {
  return (exchange) => {
    // For every request: it tells the network that somebody uses the access point.
    const here = network.onPortal(exchange.remoteAddress);
    if (!PROBES.includes(exchange.path)) return false;
    if (!here) {
      exchange.respond(404);
      return true;
    }
    const at = port();
    const location = `http://${network.accessPointIp}${at === HTTP_PORT ? "" : `:${at}`}/`;
    exchange.respond(302, undefined, undefined, [
      ["Location", location],
      ["Cache-Control", "no-store"],
    ]);
    return true;
  };
}

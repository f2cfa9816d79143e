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

/** Stands before the web interface, for whoever came in over the access point. */
export class CaptivePortal {
  readonly #network: Pick<ManagedNetwork, "onPortal" | "accessPointIp">;

  constructor(network: Pick<ManagedNetwork, "onPortal" | "accessPointIp">) {
    this.#network = network;
  }

  /**
   * Leads the probes of those on the access point to the portal, which the HTTP server has at `port`, and denies them to others. To be
   * asked for every request, which tells the network that somebody uses the access point.
   * @returns whether the exchange is answered
   */
  answer(exchange: Exchange, port: number): boolean {
    const here = this.#network.onPortal(exchange.remoteAddress);
    if (!PROBES.includes(exchange.path)) return false;
    if (!here) {
      exchange.respond(404);
      return true;
    }
    const location = `http://${this.#network.accessPointIp}${port === HTTP_PORT ? "" : `:${port}`}/`;
    exchange.respond(302, undefined, undefined, [
      ["Location", location],
      ["Cache-Control", "no-store"],
    ]);
    return true;
  }
}

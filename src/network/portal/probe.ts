import type { Exchange } from "http-server/types";
import type { ManagedNetwork } from "../types";

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

/**
 * Leads the probes of those on the access point to the portal, which the HTTP server has at `port`, and denies them to others. To be asked
 * for every request, before the web interface: that tells the network that somebody uses the access point.
 * @returns whether the exchange is answered
 */
export function answerProbe(
  exchange: Exchange,
  network: Pick<ManagedNetwork, "onPortal" | "accessPointIp">,
  port: number,
): boolean {
  const here = network.onPortal(exchange.remoteAddress);
  if (!PROBES.includes(exchange.path)) return false;
  if (!here) {
    exchange.respond(404);
    return true;
  }
  const location = `http://${network.accessPointIp}${port === HTTP_PORT ? "" : `:${port}`}/`;
  exchange.respond(302, undefined, undefined, [
    ["Location", location],
    ["Cache-Control", "no-store"],
  ]);
  return true;
}

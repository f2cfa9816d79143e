import type { Exchange } from "http-server/types";
import { pageAddress } from "../../runtime/page-address";
import type { ManagedNetwork } from "../types";

/** Connectivity checks of phones and computers, used to detect captive portals. */
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

/**
 * Redirects connectivity checks from the access point's clients to the portal, which the HTTP server serves at `port`; others get 404. Call
 * before the web interface.
 * @returns whether the exchange has been answered
 */
export function answerProbe(
  exchange: Exchange,
  network: Pick<ManagedNetwork, "onPortal" | "accessPointIp">,
  port: number,
): boolean {
  if (!PROBES.includes(exchange.path)) return false;
  if (!network.onPortal(exchange.remoteAddress)) {
    exchange.respond(404);
    return true;
  }
  exchange.respond(302, undefined, undefined, [
    ["Location", pageAddress(network.accessPointIp, port)],
    ["Cache-Control", "no-store"],
  ]);
  return true;
}

import { lowerCase } from "ascii/case";
import type { Exchange } from "http-server/types";
import { MAX_NAMES } from "../network/limits";
import type { WebDevice } from "./types";

const HTTP = "http://";
const HTTPS = "https://";
const LOCAL = ".local";

/**
 * Whether `Host` (RFC 9110 section 7.2) names this device: its hostname, alone or with .local, also with the number that mDNS appends on a
 * conflict; its addresses; the proxy's host name; those of the build. Any other name may point here through DNS rebinding, which makes
 * another site's page same-origin.
 */
export function isForUs(
  { build, network, networkControl, settings }: Pick<WebDevice, "build" | "network" | "networkControl" | "settings">,
  exchange: Exchange,
): boolean {
  const { hostname, proxyHost } = settings.device;
  const host = lowerCase(exchange.header("host") ?? "").split(":")[0];
  if (!host) return false;
  if (host === network.ip || host === networkControl?.accessPointIp || host === lowerCase(proxyHost)) return true;
  if (build.hosts?.includes(host)) return true;
  const name = lowerCase(hostname);
  const label = host.endsWith(LOCAL) ? host.slice(0, -LOCAL.length) : host;
  if (label === name) return true;
  for (let number = 2; number <= MAX_NAMES; number++) if (label === `${name}-${number}`) return true;
  return false;
}

/**
 * Whether a request may change state, judged by its origin: `Origin` must name the host of the request; without it, `Sec-Fetch-Site` must
 * say so or be absent too, as with clients that are not browsers.
 */
export function isSameOrigin(exchange: Exchange): boolean {
  const given = exchange.header("origin");
  if (given === undefined) {
    const site = exchange.header("sec-fetch-site");
    return site === undefined || site === "same-origin";
  }
  const origin = lowerCase(given);
  const host = lowerCase(exchange.header("host") ?? "");
  return !!host && (origin === HTTP + host || origin === HTTPS + host);
}

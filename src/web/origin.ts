import type { Exchange } from "http-server/types";
import { MAX_NAMES } from "../network/limits";
import type { WebOptions } from "./options";

const HTTP = "http://";
const HTTPS = "https://";
const LOCAL = ".local";

/**
 * Whether `Host` (RFC 9110 section 7.2) names this device: its hostname, alone or with .local, also as mDNS numbers it when another has
 * it; its addresses; what the owner added. Any other name may have been made to lead here, for a page of its own site to pass for ours.
 */
export function isForUs({ build, network, networkControl, settings }: WebOptions, exchange: Exchange): boolean {
  const { hostname, proxyHost } = settings.device;
  const host = exchange.header("host")?.toLowerCase().split(":")[0];
  if (!host) return false;
  if (host === network.ip || host === networkControl?.accessPointIp || host === proxyHost.toLowerCase()) return true;
  if (build.hosts?.includes(host)) return true;
  const name = hostname.toLowerCase();
  const label = host.endsWith(LOCAL) ? host.slice(0, -LOCAL.length) : host;
  if (label === name) return true;
  for (let number = 2; number <= MAX_NAMES; number++) if (label === `${name}-${number}`) return true;
  return false;
}

/**
 * Whether a request may change something as far as its origin goes: `Origin` names the host that it is sent to; without it
 * `Sec-Fetch-Site` says so, or is absent too, as with programs that are no browsers.
 */
export function isSameOrigin(exchange: Exchange): boolean {
  const origin = exchange.header("origin")?.toLowerCase();
  if (origin === undefined) {
    const site = exchange.header("sec-fetch-site");
    return site === undefined || site === "same-origin";
  }
  const host = exchange.header("host")?.toLowerCase();
  return !!host && (origin === HTTP + host || origin === HTTPS + host);
}

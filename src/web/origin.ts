import type { Exchange } from "http-server/types";

const HTTP = "http://";
const HTTPS = "https://";

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

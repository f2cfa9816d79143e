import type { ClientOf, Exchange } from "http-server/types";
import type { Settings } from "../settings/types";
import { MAX_ADDRESS_LENGTH } from "./limits";

/**
 * Client of a request: the peer or, if the peer is the proxy at `proxy`, the last address in X-Forwarded-For, which the proxy itself
 * appended. Earlier entries can be forged by the client.
 */
export const clientAddress = (exchange: Exchange, proxy: string): string => {
  const { remoteAddress } = exchange;
  if (!proxy || remoteAddress !== proxy) return remoteAddress;
  const list = exchange.header("x-forwarded-for") ?? "";
  const last = list.slice(list.lastIndexOf(",") + 1).trim();
  return last && last.length <= MAX_ADDRESS_LENGTH ? last : remoteAddress;
};

/** For the server's shares. Its target has the settings. */
export const clientOf: ClientOf = (peer, exchange, target) => {
  const { proxyAddress } = (target as { readonly settings: Settings }).settings.device;
  if (peer !== proxyAddress) return peer;
  return exchange ? clientAddress(exchange, proxyAddress) : "";
};

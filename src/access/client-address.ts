import type { Exchange } from "http-server/types";
import { MAX_ADDRESS_LENGTH } from "./limits";

/**
 * Whom a request comes from: the peer, or, when that is the proxy at `proxy`, the last address of X-Forwarded-For, which is the one that the
 * proxy itself has seen. What stands before it anybody can write.
 */
export const clientAddress = (exchange: Exchange, proxy: string): string => {
  const { remoteAddress } = exchange;
  if (remoteAddress !== proxy) return remoteAddress;
  const list = exchange.header("x-forwarded-for") ?? "";
  const last = list.slice(list.lastIndexOf(",") + 1).trim();
  return last && last.length <= MAX_ADDRESS_LENGTH ? last : remoteAddress;
};

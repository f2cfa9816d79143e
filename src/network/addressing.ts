import { isMask } from "../settings/text-rules";
import type { NetworkSettings } from "../settings/types";

export type Addressing = Pick<NetworkSettings, "addressing" | "address" | "mask" | "gateway">;

/** Falls back to DHCP when static addressing has no address, or a mask that an older version took: the device would be unreachable. */
export function isStatic({ addressing, address, mask }: Omit<Addressing, "gateway">): boolean {
  return addressing === "static" && address !== "" && isMask(mask);
}

/** Whether two dotted IPv4 addresses share the first three octets: the access point's network is a /24. */
export function sameNetwork(one: string, other: string): boolean {
  const end = one.lastIndexOf(".");
  return end > 0 && end === other.lastIndexOf(".") && one.slice(0, end) === other.slice(0, end);
}

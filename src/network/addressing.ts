import type { NetworkSettings } from "../settings/types";

export type Addressing = Pick<NetworkSettings, "addressing" | "address" | "mask" | "gateway">;

/** Static addressing without an address would leave the device unreachable: then it is DHCP. */
export function isStatic({ addressing, address }: Pick<Addressing, "addressing" | "address">): boolean {
  return addressing === "static" && address !== "";
}

/** Whether two dotted IPv4 addresses are equal but for the last number: the access point's network is a /24. */
export function sameNetwork(one: string, other: string): boolean {
  const end = one.lastIndexOf(".");
  return end > 0 && end === other.lastIndexOf(".") && one.slice(0, end) === other.slice(0, end);
}

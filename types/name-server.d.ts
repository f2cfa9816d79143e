/** This project's own name for what ESP-IDF has of it (boards/esp32/name-server.js): the SDK leaves it to DHCP. */
declare module "name-server" {
  /**
   * From now on names are asked of `address` (dotted IPv4), as the first (0) or second (1) server, over an interface that has a static
   * address. Forgotten with each change of an interface's address.
   */
  export function setNameServer(over: "ethernet" | "station", index: 0 | 1, address: string): void;
}

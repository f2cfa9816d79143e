/** This project's own module over ESP-IDF (boards/esp32/name-server.js): the SDK leaves name servers to DHCP. */
declare module "name-server" {
  /**
   * Sets the first (0) or second (1) name server to `address` (dotted IPv4) for an interface with a static address. Lost at each change
   * of an interface's address.
   */
  export function setNameServer(over: "ethernet" | "station", index: 0 | 1, address: string): void;
}

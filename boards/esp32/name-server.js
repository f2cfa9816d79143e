import FFI from "mc/ffi";

const KEYS = Object.freeze({ ethernet: "ETH_DEF", station: "WIFI_STA_DEF" });
/** `esp_netif_dns_info_t`: an address union sized for IPv6, then its type, 0 for IPv4. */
const INFO_BYTES = 24;

export function setNameServer(over, index, address) {
  const platform = new FFI();
  const info = new Uint8Array(INFO_BYTES);
  info.set(address.split(".").map(Number));
  platform.esp_netif_set_dns_info(platform.esp_netif_get_handle_from_ifkey(KEYS[over]), index, info.buffer);
}

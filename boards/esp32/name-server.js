const KEYS = Object.freeze({ ethernet: "ETH_DEF", station: "WIFI_STA_DEF" });

function set(key, index, address) {
  return native("xs_name_server_set").call(this, key, index, address);
}

export function setNameServer(over, index, address) {
  set(KEYS[over], index, address);
}

const serverAt = (index) => native("xs_dns_server").call(undefined, index);

/** Indexes in dns.c. */
const TIME_SERVER = 255;
const MASK = 254;

/** Read in lwIP's task: the SDK reads lwIP's table from the script's, while lwIP's own may be writing it. */
function servers() {
  const found = [];
  for (let address; (address = serverAt(found.length));) found.push(address);
  return found;
}

/**
 * Facts of the network interfaces; all but the servers of the lease and the mask by the SDK's C. Without the SDK's name look-up, which calls lwIP
 * from the script's task while lwIP's own task uses the same lists: src/network/lookup.ts has it.
 */
export default class Net {
  /** The SDK's Wi-Fi has no member for it: see access-point.c. */
  static choose(bssid) {
    native("xs_wifi_choose").call(undefined, bssid);
  }
  static get(what, mode) {
    if (what === "DNS") return servers();
    if (what === "NTP") return serverAt(TIME_SERVER);
    if (what === "MASK") return serverAt(MASK);
    return mode === undefined ? native("xs_net_get").call(this, what) : native("xs_net_get").call(this, what, mode);
  }
}

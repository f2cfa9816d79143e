import { isTroubled } from "troubles";

/** A link that is up, unless BMS_TROUBLES has no-link or no-lease; the MAC address is locally administered. */
const Net = {
  get(what) {
    if (what === "MAC") return "02:00:5E:10:00:01";
    if (isTroubled("no-link") || isTroubled("no-lease")) return what === "DNS" ? [] : undefined;
    if (what === "IP") return "127.0.0.1";
    return what === "DNS" ? ["127.0.0.53"] : undefined;
  },
  choose() {},
};
export default Object.freeze(Net, true);

import { isTroubled } from "troubles";

/** A link that is up, unless BMS_TROUBLES has no-link or no-lease; the MAC address is locally administered. */
export default class Ethernet {
  get connection() {
    if (isTroubled("no-link")) return 200;
    return isTroubled("no-lease") ? 400 : 500;
  }
  get address() {
    return this.connection === 500 ? "127.0.0.1" : undefined;
  }
  get MAC() {
    return "02:00:5e:10:00:01";
  }
  configure() {}
  close() {}
}

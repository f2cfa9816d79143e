/** A link that is always up; the MAC address is locally administered. */
export default class Ethernet {
  get connection() {
    return 500;
  }
  get address() {
    return "127.0.0.1";
  }
  get MAC() {
    return "02:00:5e:10:00:01";
  }
  configure() {}
  close() {}
}

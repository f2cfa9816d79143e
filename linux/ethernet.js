/** A cable that is always plugged in; the address is that of a locally administered adapter. */
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

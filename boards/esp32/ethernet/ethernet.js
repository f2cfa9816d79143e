/** `embedded:network/interface/ethernet`: the natives of the SDK's class, which ethernet.c includes. */
export default class Ethernet extends Native("xs_ethernet_destructor") {
  constructor(options) {
    super();
    native("xs_ethernet").call(this, options);
  }
  close() {
    native("xs_ethernet_close").call(this);
  }
  configure(options) {
    native("xs_ethernet_configure").call(this, options);
  }
  get connection() {
    return native("xs_ethernet_connection_get").call(this);
  }
  get address() {
    return native("xs_ethernet_address_get").call(this);
  }
  get MAC() {
    return native("xs_ethernet_MAC_get").call(this);
  }
}

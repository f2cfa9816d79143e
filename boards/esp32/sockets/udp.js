/** `embedded:io/socket/udp`; udp.c documents the members. */
export default class UDP extends Native("xs_udp_destructor") {
  constructor(options) {
    super();
    native("xs_udp_constructor").call(this, options);
  }
  close() {
    native("xs_udp_close").call(this);
  }
  read() {
    return native("xs_udp_read").call(this);
  }
  write(bytes, address, port) {
    native("xs_udp_write").call(this, bytes, address, port);
  }
  add(group) {
    native("xs_udp_add").call(this, group);
  }
  remove(group) {
    native("xs_udp_remove").call(this, group);
  }
  get format() {
    return "buffer";
  }
  set format(format) {
    if (format !== "buffer") throw new RangeError("invalid format");
  }
}

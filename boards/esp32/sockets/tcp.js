/** `embedded:io/socket/tcp`; tcp.c documents the members. */
export default class TCP extends Native("xs_tcp_destructor") {
  constructor(options) {
    super();
    native("xs_tcp_constructor").call(this, options);
  }
  close() {
    native("xs_tcp_close").call(this);
  }
  read(into) {
    return into === undefined ? native("xs_tcp_read").call(this) : native("xs_tcp_read").call(this, into);
  }
  write(bytes) {
    return native("xs_tcp_write").call(this, bytes);
  }
  get remoteAddress() {
    return native("xs_tcp_get_remoteAddress").call(this);
  }
  get remotePort() {
    return native("xs_tcp_get_remotePort").call(this);
  }
  get format() {
    return "buffer";
  }
  set format(format) {
    if (format !== "buffer") throw new RangeError("invalid format");
  }
}

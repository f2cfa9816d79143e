/** `embedded:io/socket/listener`; listener.c documents the members. */
import TCP from "embedded:io/socket/tcp";

export default class Listener extends Native("xs_listener_destructor") {
  constructor(options) {
    super();
    native("xs_listener_constructor").call(this, options);
  }
  close() {
    native("xs_listener_close").call(this);
  }
  /** A TCP object, or undefined if no connection is pending. */
  read() {
    return native("xs_listener_read").call(this, new TCP());
  }
  get port() {
    return native("xs_listener_get_port").call(this);
  }
  get format() {
    return "socket/tcp";
  }
  set format(format) {
    if (format !== "socket/tcp") throw new RangeError("invalid format");
  }
}

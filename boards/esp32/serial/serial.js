/** `embedded:io/serial`; serial.c documents the members. */
export default class Serial extends Native("xs_serial_destructor") {
  constructor(options) {
    super();
    // Named here, so that serial.c knows the name even if no board has the pin.
    native("xs_serial_constructor").call(this, options, options.direction);
  }
  close() {
    native("xs_serial_close").call(this);
  }
  read(into) {
    return into === undefined ? native("xs_serial_read").call(this) : native("xs_serial_read").call(this, into);
  }
  write(bytes) {
    native("xs_serial_write").call(this, bytes);
  }
  get format() {
    return native("xs_serial_get_format").call(this);
  }
  set format(format) {
    native("xs_serial_set_format").call(this, format);
  }
}

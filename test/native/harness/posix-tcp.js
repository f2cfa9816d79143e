/** A TCP socket of ECMA-419, as far as the TLS socket uses one, over posix-tcp.c. */
export default class TCP extends Native("xs_posix_destructor") {
  constructor({ port, room = 8192, target, onReadable, onWritable, onError }) {
    super();
    Object.assign(this, { target, onReadable, onWritable, onError });
    native("xs_posix_constructor").call(this, port, room);
  }
  readable(count) {
    this.onReadable(count);
  }
  writable(count) {
    this.onWritable(count);
  }
  ended() {
    this.onError();
  }
  read(view) {
    return native("xs_posix_read").call(this, view);
  }
  write(bytes) {
    return native("xs_posix_write").call(this, bytes);
  }
  close() {
    native("xs_posix_close").call(this);
  }
}

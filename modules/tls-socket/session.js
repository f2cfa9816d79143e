/** TLS over the platform's mbedTLS; session.c documents the members. */
export default class Session extends Native("xs_tls_destructor") {
  constructor(certificates, host, date) {
    super();
    native("xs_tls_constructor").call(this, certificates, host, date);
  }
  get readable() {
    return native("xs_tls_get_readable").call(this);
  }
  set readable(count) {
    native("xs_tls_set_readable").call(this, count);
  }
  get writable() {
    return native("xs_tls_get_writable").call(this);
  }
  set writable(count) {
    native("xs_tls_set_writable").call(this, count);
  }
  get problem() {
    return native("xs_tls_get_problem").call(this);
  }
  advance(tcp) {
    return native("xs_tls_advance").call(this, tcp);
  }
  decrypt(tcp) {
    return native("xs_tls_decrypt").call(this, tcp);
  }
  read(view) {
    return native("xs_tls_read").call(this, view);
  }
  write(tcp, bytes) {
    native("xs_tls_write").call(this, tcp, bytes);
  }
  close() {
    native("xs_tls_close").call(this);
  }
}

/** The digests of the SDK's modules/crypt/digest. The SDK's own module also imports the ciphers, which would be linked into flash unused. */
export class Digest extends Native("xs_crypt_Digest_destructor") {
  constructor(type) {
    super();
    native("xs_crypt_Digest").call(this, type);
  }
  write(data) {
    native("xs_crypt_Digest_write").call(this, data);
  }
  close() {
    return native("xs_crypt_Digest_close").call(this);
  }
  reset() {
    native("xs_crypt_Digest_reset").call(this);
  }
}

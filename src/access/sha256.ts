import { Digest } from "crypt";

/** The platform's SHA-256. */
export class Sha256 {
  private readonly digest = new Digest("SHA256");

  /** The platform's typings forget that views are taken. */
  write(bytes: ByteBuffer): void {
    this.digest.write(bytes as ArrayBuffer);
  }

  close(): ArrayBuffer {
    return this.digest.close();
  }

  /** Begins anew, also after `close`. */
  reset(): void {
    this.digest.reset();
  }
}

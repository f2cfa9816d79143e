import { Digest } from "crypt";

/** The platform's SHA-256. */
export class Sha256 {
  private readonly digest = new Digest("SHA256");

  /** The platform's typings do not declare that views are accepted. */
  write(bytes: ByteBuffer): void {
    this.digest.write(bytes as ArrayBuffer);
  }

  close(): ArrayBuffer {
    return this.digest.close();
  }

  /** Starts a new digest, also after `close`. */
  reset(): void {
    this.digest.reset();
  }
}

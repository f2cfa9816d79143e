import { Digest } from "crypt";

/** The platform's SHA-256. */
export class Sha256 {
  readonly #digest = new Digest("SHA256");

  /** The typings forget that views are taken. */
  write(bytes: Uint8Array): void {
    this.#digest.write(bytes as unknown as ArrayBuffer);
  }

  close(): ArrayBuffer {
    return this.#digest.close();
  }
}

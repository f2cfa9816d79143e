import { createHash, type Hash } from "node:crypto";
import { bytesOf } from "../bytes";

/** As in the SDK, `reset` restarts the digest, even after `close`. */
export class Digest {
  #hash: Hash;

  constructor(type: "SHA256") {
    if (type !== "SHA256") throw new Error("crypt: unsupported digest");
    this.#hash = createHash("sha256");
  }

  write(bytes: string | ArrayBuffer | ByteBuffer): void {
    this.#hash.update(typeof bytes === "string" ? bytes : bytesOf(bytes));
  }

  close(): ArrayBuffer {
    return Uint8Array.from(this.#hash.digest()).buffer;
  }

  reset(): void {
    this.#hash = createHash("sha256");
  }
}

import { bytesOf } from "../bytes";
import { createHash, type Hash } from "node:crypto";

export class Digest {
  readonly #hash: Hash;

  constructor(type: "SHA256") {
    if (type !== "SHA256") throw new Error("crypt: unsupported digest");
    this.#hash = createHash("sha256");
  }

  write(bytes: string | ArrayBuffer): void {
    this.#hash.update(typeof bytes === "string" ? bytes : bytesOf(bytes));
  }

  close(): ArrayBuffer {
    return Uint8Array.from(this.#hash.digest()).buffer;
  }
}

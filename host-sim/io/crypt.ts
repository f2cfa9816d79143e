import { createHash, hash, type Hash } from "node:crypto";
import { bytesOf } from "../bytes";

/** Up to this length the bytes are hashed in one call: it takes half the time of an object for each digest. */
const SHORT = 256;

/** As in the SDK, `reset` restarts the digest, even after `close`. */
export class Digest {
  readonly #short = new Uint8Array(SHORT);
  #length = 0;
  #long: Hash | undefined;

  constructor(type: "SHA256") {
    if (type !== "SHA256") throw new Error("crypt: unsupported digest");
  }

  write(bytes: string | ArrayBuffer | ByteBuffer): void {
    const view = typeof bytes === "string" ? Buffer.from(bytes) : bytesOf(bytes);
    if (!this.#long && this.#length + view.length <= SHORT) {
      this.#short.set(view, this.#length);
      this.#length += view.length;
      return;
    }
    this.#long ??= createHash("sha256").update(this.#short.subarray(0, this.#length));
    this.#long.update(view);
  }

  close(): ArrayBuffer {
    const sum = this.#long?.digest() ?? hash("sha256", this.#short.subarray(0, this.#length), "buffer");
    return new Uint8Array(sum).buffer;
  }

  reset(): void {
    this.#length = 0;
    this.#long = undefined;
  }
}

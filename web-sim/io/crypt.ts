import { bytesOf } from "../../host-sim/bytes";
import { Sha256 } from "../sha256";

const encoder = new TextEncoder();

/** As in the SDK, `reset` restarts the digest, even after `close`. */
export class Digest {
  #sum = new Sha256();

  constructor(type: "SHA256") {
    if (type !== "SHA256") throw new Error("crypt: unsupported digest");
  }

  write(bytes: string | ArrayBuffer | ByteBuffer): void {
    this.#sum.update(typeof bytes === "string" ? encoder.encode(bytes) : bytesOf(bytes));
  }

  close(): ArrayBuffer {
    return this.#sum.digest().buffer;
  }

  reset(): void {
    this.#sum = new Sha256();
  }
}

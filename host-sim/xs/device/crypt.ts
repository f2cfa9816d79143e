import { ANSWER_HEADER, BOARD, OPERATION } from "../protocol";
import { bytesOf } from "../../bytes";
import { bytesOf as textBytes, call, invoke, Port } from "./link";

/** Up to this length a message crosses the pipe once, in one piece. */
const SHORT = 256;

class Hash extends Port {
  constructor(type: string) {
    super("digest", { type } as object);
  }

  write(bytes: Uint8Array): void {
    this.writeBytes(bytes);
  }

  sum(): ArrayBuffer {
    const sum = Uint8Array.from(invoke(this.id, "sum") as number[]).buffer;
    this.close();
    return sum;
  }
}

export class Digest {
  readonly #type: string;
  readonly #short = new Uint8Array(SHORT);
  #length = 0;
  #long: Hash | undefined;

  constructor(type: "SHA256") {
    this.#type = type;
  }

  write(bytes: string | ArrayBuffer | ByteBuffer): void {
    const view = typeof bytes === "string" ? textBytes(bytes) : bytesOf(bytes);
    if (!this.#long && this.#length + view.length <= SHORT) {
      this.#short.set(view, this.#length);
      this.#length += view.length;
      return;
    }
    if (!this.#long) {
      this.#long = new Hash(this.#type);
      if (this.#length) this.#long.write(this.#short.subarray(0, this.#length));
    }
    this.#long.write(view);
  }

  close(): ArrayBuffer {
    if (!this.#long)
      return call(OPERATION.digest, BOARD, 0, this.#short.subarray(0, this.#length)).slice(ANSWER_HEADER);
    const sum = this.#long.sum();
    this.#long = undefined;
    return sum;
  }

  reset(): void {
    this.#length = 0;
    this.#long?.close();
    this.#long = undefined;
  }
}

import { bytesOf, invoke, Port } from "./link";

class Hash extends Port {
  constructor(type: string) {
    super("digest", { type } as object);
  }

  write(bytes: ByteBuffer): void {
    this.writeBytes(bytes);
  }

  sum(): ArrayBuffer {
    const sum = Uint8Array.from(invoke(this.id, "sum") as number[]).buffer;
    super.close();
    return sum;
  }
}

export class Digest {
  readonly #hash: Hash;

  constructor(type: "SHA256") {
    this.#hash = new Hash(type);
  }

  write(bytes: string | ArrayBuffer): void {
    this.#hash.write(typeof bytes === "string" ? bytesOf(bytes) : bytes);
  }

  close(): ArrayBuffer {
    return this.#hash.sum();
  }
}

/** PBKDF2 (RFC 8018 section 5.2) with HMAC-SHA256 (RFC 2104), one block of key. */

/** Length of the key and of a SHA-256, bytes. */
export const KEY_BYTES = 32;
/** Block size of SHA-256, bytes. */
const BLOCK_BYTES = 64;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** Index of the key's only block. */
const BLOCK_INDEX = 1;

/** SHA-256, such as the SDK's `Digest` ("crypt"). */
export interface Digest {
  reset(): void;
  write(bytes: ArrayBuffer): void;
  close(): ArrayBuffer;
}

export interface Pbkdf2Options {
  /** Must not be used elsewhere until the key is ready. */
  readonly digest: Digest;
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  /** At least 1. */
  readonly iterations: number;
}

/** Derives a key a few iterations at a time, so that the script is never blocked for long. */
export class Pbkdf2 {
  private readonly digest: Digest;
  /** HMAC's key block, XORed with the inner and the outer pad. */
  private readonly inner: ArrayBuffer;
  private readonly outer: ArrayBuffer;
  /** U of the last iteration; `_key` accumulates the XOR of all. */
  private block: ArrayBuffer;
  private readonly _key: Uint32Array;
  private left: number;

  constructor({ digest, password, salt, iterations }: Pbkdf2Options) {
    if (!Number.isInteger(iterations) || iterations < 1) throw new RangeError("iterations");
    this.digest = digest;
    const secret = password.length > BLOCK_BYTES ? new Uint8Array(this.hash(bufferOf(password))) : password;
    this.inner = padded(secret, INNER_PAD);
    this.outer = padded(secret, OUTER_PAD);
    const first = new Uint8Array(salt.length + 4);
    first.set(salt);
    first[salt.length + 3] = BLOCK_INDEX;
    this.block = this.hmac(first.buffer);
    this._key = new Uint32Array(this.block.slice(0));
    this.left = iterations - 1;
  }

  /** Runs up to `iterations` more. True: the key is ready. */
  run(iterations: number): boolean {
    const key = this._key;
    for (let rest = Math.min(iterations, this.left); rest > 0; rest--) {
      const block = (this.block = this.hmac(this.block));
      const words = new Uint32Array(block);
      for (let index = 0; index < words.length; index++) key[index] = (key[index] as number) ^ (words[index] as number);
      this.left--;
    }
    return this.left === 0;
  }

  /** The key, once `run` has returned true. */
  get key(): Uint8Array {
    return new Uint8Array(this._key.buffer);
  }

  private hash(bytes: ArrayBuffer): ArrayBuffer {
    const digest = this.digest;
    digest.reset();
    digest.write(bytes);
    return digest.close();
  }

  private hmac(bytes: ArrayBuffer): ArrayBuffer {
    const digest = this.digest;
    digest.reset();
    digest.write(this.inner);
    digest.write(bytes);
    const inner = digest.close();
    digest.reset();
    digest.write(this.outer);
    digest.write(inner);
    return digest.close();
  }
}

/** A copy of the bytes in a buffer of its own. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

function padded(secret: Uint8Array, pad: number): ArrayBuffer {
  const block = new Uint8Array(BLOCK_BYTES).fill(pad);
  for (let index = 0; index < secret.length; index++) block[index] = (secret[index] as number) ^ pad;
  return block.buffer;
}

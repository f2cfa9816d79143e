/** SHA-256 (FIPS 180-4): the browser's own answers later, and the firmware's digests are synchronous. */

const BLOCK = 64;
const primes = (): number[] => {
  const found: number[] = [];
  for (let number = 2; found.length < BLOCK; number++) if (found.every((prime) => number % prime)) found.push(number);
  return found;
};
/** The first 32 bits of the fraction of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
const K = Int32Array.from(primes(), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes().slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

export class Sha256 {
  readonly #state = new Int32Array(START);
  readonly #words = new Int32Array(BLOCK);
  readonly #block = new Uint8Array(BLOCK);
  readonly #view = new DataView(this.#block.buffer);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + BLOCK - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === BLOCK) this.#digestBlock();
    }
    return this;
  }

  /** Ends it. */
  digest(): Uint8Array<ArrayBuffer> {
    const bits = this.#length * 8;
    this.update(Uint8Array.of(0x80));
    if (this.#filled > BLOCK - 8) this.update(new Uint8Array(BLOCK - this.#filled));
    this.#block.fill(0, this.#filled);
    this.#view.setUint32(BLOCK - 8, Math.floor(bits / 2 ** 32));
    this.#view.setUint32(BLOCK - 4, bits >>> 0);
    this.#digestBlock();
    const sum = new Uint8Array(32);
    const view = new DataView(sum.buffer);
    this.#state.forEach((word, index) => view.setInt32(4 * index, word));
    return sum;
  }

  #digestBlock(): void {
    const words = this.#words;
    this.#filled = 0;
    for (let at = 0; at < 16; at++) words[at] = this.#view.getInt32(4 * at);
    for (let at = 16; at < BLOCK; at++) {
      const [early, late] = [words[at - 15]!, words[at - 2]!];
      const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16]! + first + words[at - 7]! + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = this.#state as unknown as [
      ...[number, number, number, number],
      ...[number, number, number, number],
    ];
    for (let at = 0; at < BLOCK; at++) {
      const choice = (e & f) ^ (~e & g);
      const one = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + K[at]! + words[at]!) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const two = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (this.#state[at] = (this.#state[at]! + word) | 0));
  }
}

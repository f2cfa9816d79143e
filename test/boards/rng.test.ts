/** The ESP32's random generator: what a board puts in front of the SDK's, with a model of the SDK's behind it. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const SEED_BYTES = 16;

/** As modules/crypt/etc/rng.c of SDK 8.2.3 goes about it: RC4, whose counters begin anew with each call. */
class SdkGenerator {
  readonly #state = new Uint8Array(256);

  constructor() {
    this.init();
  }

  init(): void {
    const seed = randomBytes(SEED_BYTES);
    this.#state.forEach((_, at) => (this.#state[at] = at));
    for (let at = 0, other = 0; at < 256; at++) {
      other = (other + this.#state[at]! + seed[at % SEED_BYTES]!) & 0xff;
      this.swap(at, other);
    }
  }

  get(length: number): ArrayBuffer {
    const bytes = new Uint8Array(length);
    for (let index = 0, other = 0; index < length; index++) {
      const at = (index + 1) & 0xff;
      other = (other + this.#state[at]!) & 0xff;
      this.swap(at, other);
      bytes[index] = this.#state[(this.#state[at]! + this.#state[other]!) & 0xff]!;
    }
    return bytes.buffer;
  }

  private swap(one: number, other: number): void {
    [this.#state[one], this.#state[other]] = [this.#state[other]!, this.#state[one]!];
  }
}

type Generator = Pick<SdkGenerator, "get">;

/** The board's module, with `sdk` for what it imports. */
function boardGenerator(sdk: SdkGenerator): Generator {
  const source = readFileSync("boards/esp32/rng.js", "utf8");
  const body = source.replace(/^import RNG from "sdk\/rng";/, "").replace("export default", "return");
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const make = new Function("RNG", body) as (sdk: SdkGenerator) => Generator;
  return make(sdk);
}

/** Different ones among the last of many bytes that are asked for one by one. */
function variety(generator: Generator): number {
  const bytes = Array.from({ length: 600 }, () => new Uint8Array(generator.get(1))[0]);
  return new Set(bytes.slice(-300)).size;
}

describe("random bytes requested one at a time", () => {
  it("all become equal with the SDK's generator alone", () => {
    expect(variety(new SdkGenerator())).toBe(1);
  });

  it("stay random with the board's generator", () => {
    expect(variety(boardGenerator(new SdkGenerator()))).toBeGreaterThan(100);
  });

  it("leave the bytes for keys random", () => {
    const generator = boardGenerator(new SdkGenerator());
    const keys = new Set(Array.from({ length: 100 }, () => Buffer.from(generator.get(32)).toString("hex")));
    expect(keys.size).toBe(100);
    expect(generator.get(16).byteLength).toBe(16);
  });
});

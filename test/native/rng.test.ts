/** boards/esp32/rng.c with Debian's mbedTLS over a hardware generator that is not random. Under AddressSanitizer. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildNative, NativeProgram } from "../support/boards/native-program";

/** PSA_ERROR_INSUFFICIENT_ENTROPY */
const NO_ENTROPY = -148;
/** 64 bytes: twice the strength of SHA-256. */
const NOISE_WORDS = 16;

let built: Awaited<ReturnType<typeof buildNative>>;
let programs: NativeProgram[] = [];

beforeAll(async () => {
  built = await buildNative({
    name: "rng",
    sources: ["boards/esp32/rng.c", "boards/esp32/rng-psa.c", "test/native/rng/chip.c"],
    includes: ["test/native/rng", "boards/esp32"],
    libraries: ["-lmbedcrypto"],
    script: "test/native/rng/rng.js",
    modules: { rng: "boards/esp32/rng.js" },
  });
});
afterEach(async () => {
  const stopped = programs;
  programs = [];
  // AddressSanitizer has the last word. mbedTLS's generator lives as long as the program.
  for (const program of stopped) expect(await program.stop()).toEqual({ status: 0, words: "" });
});

/** A start of the device. */
class Device {
  private readonly program = new NativeProgram(built);

  constructor() {
    programs.push(this.program);
  }

  async ask(order: string, value: unknown): Promise<unknown> {
    const { result, error } = await this.program.ask({ [order]: value }, order, () => true);
    return error ?? result;
  }

  /** `noise`: the noise source works. */
  static async start(noise = true): Promise<Device> {
    const device = new Device();
    expect(await device.ask("start", noise)).toBe(NOISE_WORDS);
    return device;
  }
}

describe("a hardware generator that repeats itself after the start", () => {
  it.each(["get", "psa"])("two starts give other bytes, and so does each request (%s)", async (order) => {
    const [one, other] = [await Device.start(), await Device.start()];
    const given = [
      await one.ask(order, 16),
      await one.ask(order, 16),
      await other.ask(order, 16),
      await other.ask(order, 16),
    ];
    expect(new Set(given.map(String)).size).toBe(4);
  });

  it("without noise two starts are the same: nothing else tells them apart", async () => {
    const [one, other] = [await Device.start(false), await Device.start(false)];
    expect(await one.ask("get", 32)).toEqual(await other.ask("get", 32));
  });

  it("bytes requested one at a time stay random", async () => {
    const bytes = (await (await Device.start()).ask("singles", 600)) as number[];
    expect(new Set(bytes.slice(-300)).size).toBeGreaterThan(100);
  });
});

it("what is random later makes up for a start without noise", async () => {
  const given: string[] = [];
  for (const device of [await Device.start(false), await Device.start(false)]) {
    await device.ask("get", 32);
    await device.ask("radio", true);
    given.push(String(await device.ask("get", 32)));
  }
  expect(given[0]).not.toBe(given[1]);
});

it.each([0, 1, 1_023, 1_024, 1_025, 3_000])("gives as many bytes as requested: %i", async (length) => {
  const device = await Device.start();
  for (const order of ["get", "psa"]) {
    const bytes = (await device.ask(order, length)) as number[];
    expect(bytes).toHaveLength(length);
    if (length > 1_000) expect(new Set(bytes).size).toBeGreaterThan(200);
  }
});

it("a negative length is an error", async () => {
  expect(await (await Device.start()).ask("get", -1)).toContain("RangeError");
});

it("without memory it gives no bytes instead of predictable ones, and those of the noise later", async () => {
  const [one, other] = [await Device.start(), await Device.start()];
  for (const device of [one, other]) {
    await device.ask("short", true);
    expect(await device.ask("get", 16)).toContain("no memory");
    expect(await device.ask("psa", 16)).toBe(NO_ENTROPY);
    await device.ask("short", false);
  }
  expect(await one.ask("get", 16)).not.toEqual(await other.ask("get", 16));
});

it("tells another reason apart, and works once it is gone", async () => {
  const device = await Device.start();
  await device.ask("broken", true);
  // MBEDTLS_ERR_MD_BAD_INPUT_DATA
  expect(await device.ask("get", 16)).toContain(`random generator: error ${-0x5100}`);
  expect(await device.ask("psa", 16)).toBe(NO_ENTROPY);
  await device.ask("broken", false);
  expect(await device.ask("get", 16)).toHaveLength(16);
});

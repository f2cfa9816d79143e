/** NVS that cannot be set up: boards/esp32/store.c on a flash that is a file, a program a start. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { FIRST_SECTOR, SECTORS } from "../../src/history/layout";

const FOLDER = mkdtempSync(join(tmpdir(), "store-"));
const PROGRAM = join(FOLDER, "store");
const FLASH = join(FOLDER, "flash");
const FLASH_BYTES = 4 * 1024 * 1024;
const SECTOR = 4096;
const EXIT_CUT = 3;
/** `storeState` of types/application.d.ts. */
const AS_IT_WAS = 0;
const SET_ASIDE = 1;
const STOOD_IN = 2;
const LOST = 3;
/** The first bytes of a page in use. */
const MARK = Buffer.from("NVSP");

const partition = (name: string): { start: number; size: number } => {
  const table = readFileSync("boards/esp32/partitions.csv", "utf8");
  const [, start, size] = new RegExp(`^${name},[^,]*,[^,]*, *(\\w+), *(\\w+)`, "m").exec(table)!;
  return { start: Number(start), size: Number(size) };
};
const NVS = partition("nvs");
const HISTORY = partition("history");
/** The partition "history": what is store.c's, and what is not. */
const STORE = { start: HISTORY.start, size: FIRST_SECTOR * SECTOR };
const RINGS = { start: HISTORY.start + FIRST_SECTOR * SECTOR, size: SECTORS * SECTOR };
const RECORDS = Buffer.from(Array.from({ length: RINGS.size }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
const PARTITIONS = [`nvs=${NVS.start},${NVS.size}`, `history=${HISTORY.start},${HISTORY.size}`];

interface Start {
  readonly erased?: boolean;
  readonly state: number;
  readonly goesOn: boolean;
  readonly at: number;
  readonly changes: number;
}

beforeAll(() => {
  const { status, stderr } = spawnSync(
    "cc",
    [
      ...[
        "-g",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
      ],
      ...["-Itest/native/store", "boards/esp32/store.c", "test/native/store/flash.c", "-o", PROGRAM],
    ],
    { encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([0, ""]);
  writeFileSync(FLASH, Buffer.alloc(FLASH_BYTES, 0xff));
});

/** One start of the chip; undefined: the power went. */
function boot(options: readonly string[] = [], partitions: readonly string[] = PARTITIONS): Start | undefined {
  const { status, stdout, stderr } = spawnSync(PROGRAM, [FLASH, ...partitions, ...options], { encoding: "utf8" });
  if (status === EXIT_CUT) return undefined;
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Start;
}

/** Into the flash, past the chip. */
function put(bytes: Buffer, at: number): void {
  const file = openSync(FLASH, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** A store whose pages all begin with `mark`, and hold what can be told apart; "history" is erased up to the rings. */
function flashed(mark: Buffer, seed = 1): Buffer {
  const store = Buffer.alloc(NVS.size);
  for (let at = 0; at < store.length; at++) store[at] = (at * 31 + (at >> 8) + seed) & 0xff;
  for (let page = 0; page < store.length; page += SECTOR) mark.copy(store, page);
  put(store, NVS.start);
  put(Buffer.alloc(STORE.size, 0xff), STORE.start);
  put(RECORDS, RINGS.start);
  return store;
}

const broken = (seed?: number): Buffer => flashed(Buffer.from([1, 2, 3, 4]), seed);

/** Only this of the flash's file: it is asked for hundreds of times. */
function contents({ start, size }: typeof NVS): Buffer {
  const bytes = Buffer.alloc(size);
  const file = openSync(FLASH, "r");
  expect(readSync(file, bytes, 0, size, start)).toBe(size);
  closeSync(file);
  return bytes;
}

const copy = (): Buffer => contents({ start: HISTORY.start, size: NVS.size });

afterEach(() => {
  expect(contents(RINGS).equals(RECORDS), "the rings of the history were touched").toBe(true);
});

it("a store that opens is left alone", () => {
  const before = flashed(MARK);
  expect(boot()).toEqual({ state: AS_IT_WAS, goesOn: true, at: NVS.start, changes: 0 });
  expect(contents(NVS).equals(before)).toBe(true);
  expect(contents(STORE).every((byte) => byte === 0xff)).toBe(true);
});

it("one that fails to open once is tried again and left alone", () => {
  const before = flashed(MARK);
  expect(boot(["unread=1"])).toMatchObject({ state: AS_IT_WAS, goesOn: true, changes: 0 });
  expect(contents(NVS).equals(before)).toBe(true);
});

describe("a store that fails to open", () => {
  it("is set aside unchanged and recreated, once", () => {
    const before = broken();
    expect(boot()).toMatchObject({ state: SET_ASIDE, goesOn: true, at: NVS.start });
    expect(copy().equals(before)).toBe(true);
    expect(boot()).toEqual({ state: AS_IT_WAS, goesOn: true, at: NVS.start, changes: 0 });
    expect(copy().equals(before)).toBe(true);
  });

  it("replaces the one set aside earlier", () => {
    broken();
    boot();
    const set = contents(HISTORY);
    const other = broken(2);
    put(set, HISTORY.start);
    expect(boot()).toMatchObject({ state: SET_ASIDE, goesOn: true });
    expect(copy().equals(other)).toBe(true);
  });

  it("is set aside completely wherever the power fails, and then recreated", () => {
    broken();
    const { changes } = boot()!;
    expect(changes).toBeGreaterThan(NVS.size / SECTOR);
    for (let at = 0; at < changes; at++) {
      const before = broken();
      expect(boot([`cut=${at}`])).toBeUndefined();
      expect(boot()).toMatchObject({ goesOn: true, at: NVS.start });
      expect(copy().equals(before)).toBe(true);
    }
  });
});

describe("a defective place in the flash", () => {
  const BAD = `bad=${NVS.start + SECTOR},${NVS.start + 2 * SECTOR}`;

  it("is abandoned for another one, which holds the settings from then on", () => {
    const before = broken();
    const first = boot([BAD])!;
    expect(first).toMatchObject({ state: STOOD_IN, goesOn: true });
    expect(first.at).toBeGreaterThanOrEqual(HISTORY.start + NVS.size + SECTOR);
    expect(first.at + NVS.size).toBeLessThanOrEqual(STORE.start + STORE.size);
    expect(copy().equals(before)).toBe(true);
    const setting = Buffer.from("a setting");
    put(setting, first.at + 100);
    expect(boot([BAD])).toEqual({ ...first, changes: 0 });
    // Even if the old place seems to be well again: it has old settings at best.
    expect(boot()).toEqual({ ...first, changes: 0 });
    expect(contents({ start: first.at + 100, size: setting.length })).toEqual(setting);
  });

  it("is replaced by one that is erased if it holds something else", () => {
    broken();
    put(Buffer.alloc(STORE.size, 0x11), STORE.start);
    expect(boot([BAD])).toMatchObject({ state: STOOD_IN, goesOn: true });
    expect(boot([BAD])).toMatchObject({ state: STOOD_IN, goesOn: true, changes: 0 });
  });
});

describe("without a place to set it aside", () => {
  it.each([
    ["a flash that is broken there", [`bad=${HISTORY.start},${HISTORY.start + HISTORY.size}`], PARTITIONS],
    ["a table without one", [], PARTITIONS.slice(0, 1)],
    ["one that is too small", [], [PARTITIONS[0]!, `history=${HISTORY.start},${2 * NVS.size}`]],
  ])("%s: it is recreated anyway", (_, options, partitions) => {
    broken();
    expect(boot(options, partitions)).toMatchObject({ state: LOST, goesOn: true, at: NVS.start });
    expect(boot(options, partitions)).toMatchObject({ state: AS_IT_WAS, goesOn: true, changes: 0 });
  });
});

describe("a factory reset", () => {
  /** What a store that was set up anew has besides erased flash. */
  const isErased = (place: Buffer): boolean =>
    place.every((byte, at) => byte === 0xff || (at < MARK.length && byte === MARK[at]));
  const rest = (from: number): Buffer => contents(STORE).subarray(from);

  it("leaves nothing of what NVS held, and NVS open", () => {
    flashed(MARK);
    expect(boot(["reset=1"])).toMatchObject({ state: AS_IT_WAS, goesOn: true, at: NVS.start, erased: true });
    expect(isErased(contents(NVS))).toBe(true);
    expect(boot()).toMatchObject({ state: AS_IT_WAS, goesOn: true, changes: 0 });
  });

  it("erases the copy that was set aside, with its passwords", () => {
    broken();
    expect(boot()).toMatchObject({ state: SET_ASIDE });
    expect(isErased(copy())).toBe(false);
    expect(boot(["reset=1"])).toMatchObject({ goesOn: true, erased: true });
    expect([isErased(contents(NVS)), isErased(rest(0))]).toEqual([true, true]);
    expect(boot()).toMatchObject({ state: AS_IT_WAS, goesOn: true, changes: 0 });
  });

  it("erases the stand-in, which stays in use, and what can be erased of a defective NVS", () => {
    broken();
    const BAD = `bad=${NVS.start + SECTOR},${NVS.start + 2 * SECTOR}`;
    const { at } = boot([BAD])!;
    put(Buffer.from("a password"), at + 100);
    expect(boot([BAD, "reset=1"])).toMatchObject({ state: STOOD_IN, goesOn: true, at, erased: false });
    const nvs = contents(NVS);
    expect(isErased(nvs.subarray(0, SECTOR)) && isErased(nvs.subarray(2 * SECTOR))).toBe(true);
    expect([isErased(copy()), isErased(rest(at - HISTORY.start))]).toEqual([true, true]);
    expect(boot([BAD])).toMatchObject({ state: STOOD_IN, goesOn: true, at, changes: 0 });
  });

  it.each([
    ["a table without a place to set NVS aside", PARTITIONS.slice(0, 1)],
    ["one whose place is too small", [PARTITIONS[0]!, `history=${HISTORY.start},${2 * NVS.size}`]],
  ])("%s: NVS is erased", (_, partitions) => {
    flashed(MARK);
    expect(boot(["reset=1"], partitions)).toMatchObject({ goesOn: true, erased: true });
    expect(isErased(contents(NVS))).toBe(true);
  });

  it("says so when the flash cannot be erased", () => {
    flashed(MARK);
    expect(boot(["reset=1", `bad=${NVS.start + SECTOR},${NVS.start + 2 * SECTOR}`])).toMatchObject({ erased: false });
    flashed(MARK);
    expect(boot(["reset=1", `bad=${HISTORY.start},${HISTORY.start + SECTOR}`])).toMatchObject({ erased: false });
    expect(isErased(contents(NVS))).toBe(true);
  });

  it("can be repeated wherever the power fails", () => {
    broken();
    boot();
    const { changes } = boot(["reset=1"])!;
    expect(changes).toBeGreaterThan(NVS.size / SECTOR);
    for (let at = 0; at < changes; at++) {
      broken();
      boot();
      expect(boot([`cut=${at}`, "reset=1"])).toBeUndefined();
      expect(boot(["reset=1"])).toMatchObject({ goesOn: true, at: NVS.start, erased: true });
      expect([isErased(contents(NVS)), isErased(rest(0))]).toEqual([true, true]);
    }
  });
});

it("a table without NVS and a flash that takes nothing cannot be helped: app_main decides", () => {
  broken();
  expect(boot([], PARTITIONS.slice(1))?.goesOn).toBe(false);
  broken();
  expect(boot([`bad=0,${FLASH_BYTES}`])).toMatchObject({ goesOn: false, changes: 0 });
});

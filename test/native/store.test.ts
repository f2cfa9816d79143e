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
const ASIDE = partition("coredump");
const SPARE = partition("spare");
const HISTORY = partition("history");
/** Of the partition "history": what is store.c's, and what is not. */
const NOTE = { start: HISTORY.start, size: FIRST_SECTOR * SECTOR };
const RINGS = { start: HISTORY.start + FIRST_SECTOR * SECTOR, size: SECTORS * SECTOR };
const RECORDS = Buffer.from(Array.from({ length: RINGS.size }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
const PARTITIONS = Object.entries({ nvs: NVS, coredump: ASIDE, spare: SPARE, history: HISTORY }).map(
  ([name, { start, size }]) => `${name}=${start},${size}`,
);
const without = (...names: string[]): string[] =>
  PARTITIONS.filter((one) => !names.some((name) => one.startsWith(`${name}=`)));
const isErased = (place: Buffer): boolean => place.every((byte) => byte === 0xff);

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

/** A store whose pages all begin with `mark`, and hold what can be told apart; all of store.c's other places are erased. */
function flashed(mark: Buffer, seed = 1): Buffer {
  const store = Buffer.alloc(NVS.size);
  for (let at = 0; at < store.length; at++) store[at] = (at * 31 + (at >> 8) + seed) & 0xff;
  for (let page = 0; page < store.length; page += SECTOR) mark.copy(store, page);
  put(store, NVS.start);
  for (const { start, size } of [ASIDE, SPARE, NOTE]) put(Buffer.alloc(size, 0xff), start);
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

const copy = (): Buffer => contents({ start: ASIDE.start, size: NVS.size });

afterEach(() => {
  expect(contents(RINGS).equals(RECORDS), "the rings of the history were touched").toBe(true);
});

it("a store that opens is left alone", () => {
  const before = flashed(MARK);
  expect(boot()).toEqual({ state: AS_IT_WAS, goesOn: true, at: NVS.start, changes: 0 });
  expect(contents(NVS).equals(before)).toBe(true);
  expect([ASIDE, SPARE, NOTE].every((place) => isErased(contents(place)))).toBe(true);
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
    const [aside, noted] = [contents(ASIDE), contents(NOTE)];
    const other = broken(2);
    put(aside, ASIDE.start);
    put(noted, NOTE.start);
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
    expect(first).toMatchObject({ state: STOOD_IN, goesOn: true, at: SPARE.start });
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
    put(Buffer.alloc(SPARE.size, 0x11), SPARE.start);
    expect(boot([BAD])).toMatchObject({ state: STOOD_IN, goesOn: true });
    expect(boot([BAD])).toMatchObject({ state: STOOD_IN, goesOn: true, changes: 0 });
  });

  const sectors = Object.entries({ nvs: NVS, coredump: ASIDE, spare: SPARE, "the note": NOTE }).flatMap(
    ([name, { start, size }]) =>
      Array.from(
        { length: size / SECTOR },
        (_, at) => [name, at, `bad=${start + at * SECTOR},${start + (at + 1) * SECTOR}`] as const,
      ),
  );

  it.each(sectors)("%s, sector %i: the device goes on, in the same place at each start", (name, _, bad) => {
    broken();
    const { state, at, goesOn } = boot([bad])!;
    expect(goesOn).toBe(true);
    // Without a copy or a note NVS is left as it is; without the spare it is begun anew.
    expect([state, at]).toEqual(name === "spare" ? [SET_ASIDE, NVS.start] : [STOOD_IN, SPARE.start]);
    put(Buffer.from("a setting"), at + 100);
    expect(boot([bad])).toMatchObject({ at, goesOn: true });
    expect(contents({ start: at + 100, size: 9 }).toString()).toBe("a setting");
  });
});

describe("without a place to set it aside", () => {
  const SMALL = [...without("coredump"), `coredump=${ASIDE.start},${NVS.size - SECTOR}`];

  it.each([
    ["a table without one", without("coredump")],
    ["one that is too small", SMALL],
    ["a table without a place for the note", without("history")],
  ])("%s: the spare stands in", (_, partitions) => {
    const before = broken();
    expect(boot([], partitions)).toMatchObject({ state: STOOD_IN, goesOn: true, at: SPARE.start });
    expect(boot([], partitions)).toMatchObject({ state: STOOD_IN, goesOn: true, at: SPARE.start });
    expect(contents(NVS).equals(before)).toBe(true);
  });

  it.each([
    ["a table with neither", [], without("coredump", "spare")],
    ["a flash that is broken in both", [`bad=${ASIDE.start},${SPARE.start + SPARE.size}`], PARTITIONS],
    ["a table with NVS alone", [], without("coredump", "spare", "history")],
  ])("%s: it is recreated anyway", (_, options, partitions) => {
    broken();
    expect(boot(options, partitions)).toMatchObject({ state: LOST, goesOn: true, at: NVS.start });
    expect(boot(options, partitions)).toMatchObject({ state: AS_IT_WAS, goesOn: true, changes: 0 });
  });
});

describe("a factory reset", () => {
  /** What a store that was set up anew has besides erased flash. */
  const isNew = (place: Buffer): boolean =>
    place.every((byte, at) => byte === 0xff || (at < MARK.length && byte === MARK[at]));

  it("leaves nothing of what NVS held, and NVS open", () => {
    flashed(MARK);
    expect(boot(["reset=1"])).toMatchObject({ state: AS_IT_WAS, goesOn: true, at: NVS.start, erased: true });
    expect(isNew(contents(NVS))).toBe(true);
    expect(boot()).toMatchObject({ state: AS_IT_WAS, goesOn: true, changes: 0 });
  });

  it("erases the copy that was set aside, with its passwords", () => {
    broken();
    expect(boot()).toMatchObject({ state: SET_ASIDE });
    expect(isErased(copy())).toBe(false);
    expect(boot(["reset=1"])).toMatchObject({ goesOn: true, erased: true });
    expect([isNew(contents(NVS)), isErased(contents(ASIDE)), isErased(contents(NOTE))]).toEqual([true, true, true]);
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
    expect([isErased(contents(ASIDE)), isNew(contents(SPARE))]).toEqual([true, true]);
    expect(boot([BAD])).toMatchObject({ state: STOOD_IN, goesOn: true, at, changes: 0 });
  });

  it.each([
    ["a table without a place to set NVS aside", without("coredump")],
    ["one with NVS alone", without("coredump", "spare", "history")],
  ])("%s: NVS is erased", (_, partitions) => {
    flashed(MARK);
    expect(boot(["reset=1"], partitions)).toMatchObject({ goesOn: true, erased: true });
    expect(isNew(contents(NVS))).toBe(true);
  });

  it("says so when the flash cannot be erased", () => {
    flashed(MARK);
    expect(boot(["reset=1", `bad=${NVS.start + SECTOR},${NVS.start + 2 * SECTOR}`])).toMatchObject({ erased: false });
    flashed(MARK);
    expect(boot(["reset=1", `bad=${HISTORY.start},${HISTORY.start + SECTOR}`])).toMatchObject({ erased: false });
    expect(isNew(contents(NVS))).toBe(true);
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
      expect([isNew(contents(NVS)), isErased(contents(ASIDE)), isErased(contents(NOTE))]).toEqual([true, true, true]);
    }
  });
});

it("a table without NVS and a flash that takes nothing cannot be helped: app_main decides", () => {
  broken();
  expect(boot([], without("nvs"))?.goesOn).toBe(false);
  broken();
  expect(boot([`bad=0,${FLASH_BYTES}`])).toMatchObject({ goesOn: false, changes: 0 });
});

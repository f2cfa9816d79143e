/**
 * The partition "history" through the SDK's own flash class of the ESP32, over a flash that is a file (linux/flash), and its users together:
 * the rings on the SDK's XS, and boards/esp32/store.c in a program of its own, one start of the chip after the other.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PREPARED } from "flash-log/layout";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FIRST_SECTOR, SECTORS } from "../../src/history/layout";
import { RINGS } from "../support/system/history-flash";
import { LinuxSystem } from "../support/system/linux-system";

const SECTOR = 4_096;
const FLASH_BYTES = 4 * 1024 * 1024;
/** `storeState` of types/application.d.ts. */
const AS_IT_WAS = 0;
const SET_ASIDE = 1;
const STOOD_IN = 2;

const partition = (name: string): { start: number; size: number } => {
  const table = readFileSync("boards/esp32/partitions.csv", "utf8");
  const [, start, size] = new RegExp(`^${name},[^,]*,[^,]*, *(\\w+), *(\\w+)`, "m").exec(table)!;
  return { start: Number(start), size: Number(size) };
};
const NVS = partition("nvs");
const ASIDE = partition("coredump");
const SPARE = partition("spare");
const HISTORY = partition("history");
/** The firmware has begun to record events; time stands, so that it records nothing else. */
const EVENTS_AT = HISTORY.start + RINGS.events.first * SECTOR;
const RINGS_AT = HISTORY.start + FIRST_SECTOR * SECTOR;

let folder: string;
let running: LinuxSystem | undefined;
const flashFile = (): string => join(folder, "flash");
const bytesOf = (start: number, end: number): Buffer => readFileSync(flashFile()).subarray(start, end);

const programs = mkdtempSync(join(tmpdir(), "bms-store-"));
const STORE = join(programs, "store");
beforeAll(() => {
  const parts = ["-Itest/native/store", "boards/esp32/store.c", "test/native/store/flash.c", "-o", STORE];
  const { status, stderr } = spawnSync("cc", ["-g", "-fsanitize=address,undefined", ...parts], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return () => rmSync(programs, { recursive: true });
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "bms-flash-"));
  await start();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  running = await LinuxSystem.start({ storage: folder, unpaced: true });
}
/** The end of the process: a power cut. */
async function stop(): Promise<void> {
  const system = running!;
  running = undefined;
  await system.stop();
}

const order = (order: string, parameters: object = {}): Promise<unknown> =>
  running!.program.order({ order, ...parameters });
type Step = readonly [call: "write" | "read" | "eraseBlock", ...parameters: (number | readonly number[])[]];
/** Of each call what was read, null, or the error. */
const flash = (...steps: readonly Step[]): Promise<unknown> => order("flash", { steps });
/** Appends so many records of ten minutes; how many are kept, the first and the last. */
const record = (count: number): Promise<unknown> => order("record", { count });

/** A start of the chip, with the flash that the rings are in. */
function boot(...options: string[]): { readonly state: number; readonly at: number } {
  const table = Object.entries({ nvs: NVS, coredump: ASIDE, spare: SPARE, history: HISTORY }).map(
    ([name, { start, size }]) => `${name}=${start},${size}`,
  );
  const { status, stdout, stderr } = spawnSync(STORE, [flashFile(), ...table, ...options], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as ReturnType<typeof boot>;
}

/** An NVS that cannot be set up. */
function breakStore(): Buffer {
  const broken = Buffer.alloc(NVS.size, 0x12);
  const file = openSync(flashFile(), "r+");
  writeSync(file, broken, 0, broken.length, NVS.start);
  closeSync(file);
  return broken;
}

it("is flash: erased at first, a write clears bits, an erase sets those of whole sectors", async () => {
  expect(await order("flash status")).toEqual({
    size: HISTORY.size,
    blockLength: SECTOR,
    blocks: HISTORY.size / SECTOR,
  });
  const at = FIRST_SECTOR * SECTOR + 3;
  expect(
    await flash(
      ["read", 3, at],
      ["write", [0xf0, 0x0f, 0x55], at],
      ["write", [0x3c, 0xff, 0xaa], at],
      ["read", 4, at],
      ["write", [0], at + SECTOR],
      ["eraseBlock", FIRST_SECTOR],
      ["read", 3, at],
      ["read", 1, at + SECTOR],
      ["eraseBlock", FIRST_SECTOR, FIRST_SECTOR + 2],
      ["read", 1, at + SECTOR],
    ),
  ).toEqual([[255, 255, 255], null, null, [0x30, 0x0f, 0, 255], null, null, [255, 255, 255], [0], null, [255]]);
  expect(bytesOf(0, EVENTS_AT).every((byte) => byte === 0xff)).toBe(true);
});

it("refuses what lies outside", async () => {
  const { size } = HISTORY;
  const blocks = size / SECTOR;
  expect(
    await flash(
      ["write", [1], size - 1],
      ["write", [1, 2], size - 1],
      ["write", [1], size],
      ["write", [1], -1],
      ["read", 1, size - 1],
      ["read", 2, size - 1],
      ["read", 1, -1],
      ["eraseBlock", blocks - 1],
      ["eraseBlock", blocks],
      ["eraseBlock", -1],
      ["eraseBlock", 3, 2],
    ),
  ).toEqual([
    null,
    "write failed",
    "write failed",
    "write failed",
    [1],
    "read failed",
    "read failed",
    null,
    "erase failed",
    "erase failed",
    "erase failed",
  ]);
  expect(bytesOf(0, EVENTS_AT).every((byte) => byte === 0xff)).toBe(true);
});

it("has what was written after a power cut", async () => {
  await flash(["write", [1, 2, 3], RINGS.fine.first * SECTOR]);
  await stop();
  await start();
  expect(await flash(["read", 4, RINGS.fine.first * SECTOR])).toEqual([[1, 2, 3, 255]]);
});

it("is not there if the file is of another flash", async () => {
  await stop();
  writeFileSync(flashFile(), Buffer.alloc(FLASH_BYTES - 1));
  await start();
  expect(await order("flash status")).toBe("can't find partition");
});

it("is used by rings and store in turn, and neither touches the other's sectors", async () => {
  const { sectors, record: bytes } = RINGS.fine;
  const round = sectors * Math.floor((SECTOR - 16) / bytes);
  expect(await record(300)).toEqual({ kept: 300, first: 1, last: 300 });
  await stop();
  expect(boot()).toMatchObject({ state: AS_IT_WAS, at: NVS.start });

  // What could not be read is set aside, beside the rings.
  const broken = breakStore();
  const rings = bytesOf(RINGS_AT, HISTORY.start + HISTORY.size);
  expect(rings.length).toBe(SECTORS * SECTOR);
  expect(boot()).toMatchObject({ state: SET_ASIDE, at: NVS.start });
  expect(bytesOf(ASIDE.start, ASIDE.start + NVS.size).equals(broken)).toBe(true);
  expect(bytesOf(RINGS_AT, HISTORY.start + HISTORY.size).equals(rings)).toBe(true);

  // The rings turn, and then the flash of NVS fails: the stand-in takes its place.
  const aside = bytesOf(ASIDE.start, RINGS_AT);
  await start();
  expect(await record(round)).toMatchObject({ last: 300 + round });
  await stop();
  expect(bytesOf(ASIDE.start, RINGS_AT).equals(aside)).toBe(true);
  breakStore();
  const turned = bytesOf(RINGS_AT, HISTORY.start + HISTORY.size);
  const { state, at } = boot(`bad=${NVS.start},${NVS.start + NVS.size}`);
  expect([state, at]).toEqual([STOOD_IN, SPARE.start]);
  expect(bytesOf(RINGS_AT, HISTORY.start + HISTORY.size).equals(turned)).toBe(true);

  // And turn beside it.
  const standIn = bytesOf(ASIDE.start, RINGS_AT);
  await start();
  expect(await record(round)).toMatchObject({ last: 300 + 2 * round });
  await stop();
  expect(bytesOf(ASIDE.start, RINGS_AT).equals(standIn)).toBe(true);
  expect(boot(`bad=${NVS.start},${NVS.start + NVS.size}`)).toMatchObject({ state: STOOD_IN, at });

  // A factory reset erases the store's part, and the rings theirs.
  const last = bytesOf(RINGS_AT, HISTORY.start + HISTORY.size);
  boot(`bad=${NVS.start},${NVS.start + NVS.size}`, "reset=1");
  expect(bytesOf(RINGS_AT, HISTORY.start + HISTORY.size).equals(last)).toBe(true);
  const reset = bytesOf(ASIDE.start, RINGS_AT);
  await start();
  expect(await order("forget")).toEqual({ kept: 0, first: null, last: null });
  await stop();
  expect(bytesOf(ASIDE.start, RINGS_AT).equals(reset)).toBe(true);
  // Of the records nothing; the mark of a sector that is prepared may be there.
  const left = bytesOf(RINGS_AT, HISTORY.start + HISTORY.size);
  expect(left.every((byte, at) => byte === 0xff || at % SECTOR === PREPARED)).toBe(true);
});

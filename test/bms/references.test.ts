/** How a pack was set when that was right: what has changed while the device was off is told once, and what differs is known, of the first, a middle and the last pack and of one alone. */
import { afterEach, describe, expect, it } from "vitest";
import { REFERENCE_PERIOD } from "../../src/packs/limits";
import { SettingsBench } from "../support/bms/settings-bench";
import { ADDRESSES } from "../support/places";

/** All settings have been read, and compared. */
const ALL_READ = 400;

let bench: SettingsBench;
const start = (...options: ConstructorParameters<typeof SettingsBench>): SettingsBench => {
  bench = new SettingsBench(...options);
  bench.run(ALL_READ);
  return bench;
};
afterEach(() => bench.stop());

const off = (change: () => void): void => {
  bench.monitor.close();
  change();
  bench.restart();
  bench.run(ALL_READ);
};
const packAt = (address: number) => bench.monitor.packs[address - 1]!;
const differing = (address: number): unknown =>
  bench.references.differences(packAt(address))?.map(({ name, before, value }) => [name, before, value]);
const stored = (address: number): unknown => bench.storage.get("state", `reference${address}`);

describe.each(["registers", "frames"] as const)("read by %s", (readMode) => {
  it.each(ADDRESSES)("of %i packs that at %i: what changed while the device was off, once", (count, address) => {
    const { registers } = start(count, {}, { readMode }).pack(address);
    expect(differing(address)).toEqual([]);
    off(() => {
      registers.write("VolCellOV", 3_600);
      registers.write("RFVTime", 99);
    });
    const label = count > 1 ? address : "";
    expect(bench.told).toEqual([
      `cell_ovp_voltage\t3.65\t3.6\tV\t${label}\tunknown\t`,
      `rfvTime\t12\t9.9\th\t${label}\tunknown\t`,
    ]);
    bench.events.length = 0;
    off(() => undefined);
    expect(bench.told).toEqual([]);
    // It is not right because it is old.
    expect(differing(address)).toEqual([
      ["cell_ovp_voltage", "3.65", "3.6"],
      ["rfvTime", "12", "9.9"],
    ]);
  });
});

it.each(ADDRESSES)(
  "of %i packs that at %i: another pack has no reference, and the same has its own",
  (count, address) => {
    const { registers } = start(count).pack(address);
    off(() => {
      registers.writeText("SerialNumber", "OTHER");
      registers.write("VolCellOV", 3_600);
    });
    expect(bench.told).toEqual([]);
  },
);

it.each(ADDRESSES)("of %i packs that at %i: one setting is right, then all are", (count, address) => {
  const { registers } = start(count).pack(address);
  registers.write("VolCellOV", 3_600);
  registers.write("Switches", registers.read("Switches") ^ 0x40);
  registers.write("RCVTime", 33);
  bench.run(ALL_READ);
  expect(differing(address)).toEqual([
    ["cell_ovp_voltage", "3.65", "3.6"],
    ["smartSleep", "off", "on"],
    ["rcvTime", "1", "3.3"],
  ]);
  for (const name of ["smartSleep", "rcvTime"]) expect(bench.references.keep(packAt(address), name)).toBe(true);
  expect(differing(address)).toEqual([["cell_ovp_voltage", "3.65", "3.6"]]);
  for (const name of ["", "other", "constructor"])
    expect(bench.references.keep(packAt(address), name)).toBe(name === "");
  expect(differing(address)).toEqual([]);
  registers.write("VolCellOV", 3_650);
  bench.run(ALL_READ);
  expect(differing(address)).toEqual([["cell_ovp_voltage", "3.6", "3.65"]]);
});

it.each(ADDRESSES)(
  "of %i packs that at %i: what is set by this device is right; a command is neither",
  (count, address) => {
    const { registers } = start(count).pack(address);
    bench.monitor.parameter("cell_ovp_voltage", 3.6, packAt(address));
    bench.run(10);
    expect(registers.read("VolCellOV")).toBe(3_600);
    bench.monitor.command("charge_mos", false, packAt(address));
    bench.run(ALL_READ);
    expect(registers.read("BatChargeEN")).toBe(0);
    expect(differing(address)).toEqual([]);
    off(() => undefined);
    expect(bench.told).toEqual([]);
  },
);

it.each(ADDRESSES)("of %i packs that at %i: what came with other firmware of the BMS is told so", (count, address) => {
  const { registers } = start(count).pack(address);
  const label = count > 1 ? address : "";
  off(() => {
    registers.writeText("SoftwareVersion", "15.50");
    registers.write("VolCellOV", 3_600);
  });
  expect(bench.told).toEqual([`cell_ovp_voltage\t3.65\t3.6\tV\t${label}\tupdate\t`]);
  bench.events.length = 0;
  // And while the device is on: the BMS is silent meanwhile.
  bench.pack(address).setOnline(false);
  bench.run(60);
  registers.writeText("SoftwareVersion", "15.51");
  registers.write("VolCellOV", 3_640);
  bench.pack(address).setOnline(true);
  bench.run(ALL_READ);
  expect(bench.told).toEqual([`cell_ovp_voltage\t3.6\t3.64\tV\t${label}\tupdate\t`]);
  bench.events.length = 0;
  registers.write("VolCellOV", 3_650);
  bench.run(ALL_READ);
  expect(bench.told).toEqual([`cell_ovp_voltage\t3.64\t3.65\tV\t${label}\tunknown\t`]);
});

it("is written at most once a day, however often settings change, and on a word at once", () => {
  // Polled seldom: a day is long.
  const { registers } = start(1, {}, { interval: 10_000 }).pack(1);
  const texts = new Set([stored(1)]);
  for (let minute = 0; minute < 30; minute++) {
    registers.write("VolCellOV", minute % 2 ? 3_600 + minute : 3_650);
    bench.run(120);
    texts.add(stored(1));
  }
  expect(bench.told.length).toBeGreaterThan(10);
  expect(texts.size).toBe(1);
  bench.run(REFERENCE_PERIOD);
  texts.add(stored(1));
  expect(texts.size).toBe(2);
  registers.write("VolCellOV", 3_610);
  bench.run(ALL_READ);
  expect(bench.references.keep(packAt(1))).toBe(true);
  texts.add(stored(1));
  expect(texts.size).toBe(3);
});

it.each([
  ["a number", 5],
  ["no text", "x"],
  ["cut short", "half"],
  ["with a wrong bit in a limit", "bit"],
])("a reference that is damaged is none: %s", (_, given) => {
  const { registers } = start(1).pack(1);
  const text = stored(1) as string;
  // The thousandths of a cell's over-voltage limit, 3.650 V.
  const wrong = text.replace("420e", "430e").replace("0e42", "0e43");
  expect(wrong).not.toBe(text);
  const stored1 = given === "half" ? text.slice(0, 300) : given === "bit" ? wrong : given;
  bench.storage.put("state", "reference1", stored1);
  off(() => registers.write("VolCellOV", 3_600));
  expect(bench.told).toEqual([]);
  expect(differing(1)).toEqual([]);
});

it("one that cannot be stored is none, and nothing else fails", () => {
  bench = new SettingsBench(1);
  bench.storage.writesLeft = 0;
  bench.run(ALL_READ);
  expect(bench.references.keep(packAt(1))).toBe(false);
  expect(bench.references.differences(packAt(1))).toBeUndefined();
  expect(packAt(1).online).toBe(true);
});

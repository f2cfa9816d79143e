/** A pack that is to be connected to the others: the rule at its limits, for the first, a middle and the last pack. */
import * as FIELDS from "jk-bms/field-table";
import { expect, it } from "vitest";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { inrushOf } from "../../src/packs/inrush";
import { INRUSH_AGE, INRUSH_BY, INRUSH_CELLS, INRUSH_LOADED } from "../../src/packs/limits";
import { TestMonitor } from "../support/bms/bms-link";
import { PLACES } from "../support/places";
import { table } from "../support/table";

const VOLTAGE = 52_800;
const CAPACITY = 280_000;
const SWITCHES = { charge_mos: FIELDS.chargeMos, discharge_mos: FIELDS.dischargeMos };

/** The one at `at` is off. */
function bankOf(count: number, at: number, cells = INRUSH_CELLS): { packs: TestMonitor[]; pack: TestMonitor } {
  const packs = Array.from({ length: count }, (_, index) => {
    const one = Object.assign(new TestMonitor(), { index, age: 0 });
    const state = Number(index !== at);
    one.telemetry.setCells(Array<number>(cells).fill(VOLTAGE / cells)).set(FIELDS.packVoltage, VOLTAGE);
    one.telemetry.set(FIELDS.chargeMos, state).set(FIELDS.dischargeMos, state).set(FIELDS.fullCapacity, CAPACITY);
    return one;
  });
  return { packs, pack: packs[at]! };
}

const SEVERAL = PLACES.filter(([count]) => count > 1);
/** The switch that lets the current flow of a pack that is so many mV above the others. */
const opening = (above: number): keyof typeof SWITCHES => (above < 0 ? "charge_mos" : "discharge_mos");
const other = (name: keyof typeof SWITCHES): keyof typeof SWITCHES => opening(name === "charge_mos" ? 1 : -1);

table(
  SEVERAL.flatMap(([count, at]) => [16, 8].flatMap((cells) => [1, -1].map((side) => ({ count, at, cells, side })))),
)("at the limit nothing, beyond it by how much, of the switch that lets it flow", ({ count, at, cells, side }) => {
  const { packs, pack } = bankOf(count, at, cells);
  const limit = (INRUSH_BY * cells) / INRUSH_CELLS;
  const name = opening(side);
  pack.telemetry.set(FIELDS.packVoltage, VOLTAGE + side * limit);
  expect(inrushOf(pack, packs, name)).toBe(0);
  pack.telemetry.set(FIELDS.packVoltage, VOLTAGE + side * (limit + 1));
  expect(inrushOf(pack, packs, name)).toBe(side * (limit + 1));
  for (const { name: one } of COMMANDS_TABLE) if (one !== name) expect(inrushOf(pack, packs, one)).toBe(0);
  // On already: nothing begins to flow.
  pack.telemetry.set(SWITCHES[name], 1);
  expect(inrushOf(pack, packs, name)).toBe(0);
  pack.telemetry.set(SWITCHES[name], 0).set(SWITCHES[other(name)], 1);
  expect(inrushOf(pack, packs, name)).toBe(side * (limit + 1));
});

table(SEVERAL.flatMap(([count, at]) => [1, -1].map((current) => ({ count, at, current }))))(
  "the current of the others makes a difference of its own",
  ({ count, at, current }) => {
    const { packs, pack } = bankOf(count, at);
    // Half of their capacity in an hour.
    for (const one of packs) if (one !== pack) one.telemetry.set(FIELDS.packCurrent, (current * CAPACITY) / 2);
    const limit = INRUSH_BY + INRUSH_LOADED / 2;
    pack.telemetry.set(FIELDS.packVoltage, VOLTAGE - limit);
    expect(inrushOf(pack, packs, "charge_mos")).toBe(0);
    pack.telemetry.set(FIELDS.packVoltage, VOLTAGE - limit - 1);
    expect(inrushOf(pack, packs, "charge_mos")).toBe(-limit - 1);
  },
);

table(SEVERAL)("what is old, contradicts itself, or is off is not compared", (count, at) => {
  for (const spoil of [
    (one: TestMonitor) => void (one.age = INRUSH_AGE),
    (one: TestMonitor) => void (one.age = undefined),
    (one: TestMonitor) => void (one.online = false),
    (one: TestMonitor) => void (one.telemetry.valid = false),
    (one: TestMonitor) => void (one.telemetry.contradicts = true),
  ]) {
    const { packs, pack } = bankOf(count, at);
    pack.telemetry.set(FIELDS.packVoltage, VOLTAGE - 1_900);
    spoil(pack);
    expect(inrushOf(pack, packs, "charge_mos")).toBe(undefined);
    const further = bankOf(count, at);
    further.pack.telemetry.set(FIELDS.packVoltage, VOLTAGE - 1_900);
    const others = further.packs.filter((one) => one !== further.pack);
    others.slice(1).forEach(spoil);
    expect(inrushOf(further.pack, further.packs, "charge_mos")).toBe(-1_900);
    others.forEach(spoil);
    expect(inrushOf(further.pack, further.packs, "charge_mos")).toBe(undefined);
  }
  const { packs, pack } = bankOf(count, at);
  pack.telemetry.set(FIELDS.packVoltage, VOLTAGE - 1_900);
  for (const one of [...packs, pack]) one.age = INRUSH_AGE - 1;
  expect(inrushOf(pack, packs, "charge_mos")).toBe(-1_900);
  for (const one of packs) one.telemetry.set(FIELDS.chargeMos, 0).set(FIELDS.dischargeMos, 0);
  expect(inrushOf(pack, packs, "charge_mos")).toBe(undefined);
  packs.find((one) => one !== pack)!.telemetry.set(FIELDS.dischargeMos, 1);
  expect(inrushOf(pack, packs, "charge_mos")).toBe(-1_900);
});

it("a single odd one among the others does not move what is compared with", () => {
  const { packs, pack } = bankOf(4, 3);
  packs[0]!.telemetry.set(FIELDS.packVoltage, VOLTAGE - 3_000);
  expect(inrushOf(pack, packs, "discharge_mos")).toBe(0);
});

it("one pack alone is never compared", () => {
  const { packs, pack } = bankOf(1, 0);
  for (const above of [-9_000, 9_000]) {
    pack.telemetry.set(FIELDS.packVoltage, VOLTAGE + above);
    for (const { name } of COMMANDS_TABLE) expect(inrushOf(pack, packs, name)).toBe(0);
  }
});

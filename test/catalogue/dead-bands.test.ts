/** A number within its dead band repeats what was published last: what is published on a change does not follow noise. */
import * as FIELDS from "jk-bms/field-table";
import type { Field } from "jk-bms/fields";
import { MAX_CELLS } from "jk-bms/cells";
import { beforeEach, describe, expect, it } from "vitest";
import { LIVE, writeCells, writeTelemetry } from "../../src/catalogue/document";
import { CELL_VOLTS, DEGREES, SECONDS, VOLTS, WATTS, type Quantity } from "../../src/catalogue/quantities";
import { TELEMETRY_TABLE, telemetryRow } from "../../src/catalogue/telemetry";
import { TestMonitor } from "../support/bms/bms-link";
import { jsonText } from "../support/json-text";

let pack: TestMonitor;
let telemetry: Float32Array;
let cells: Float32Array;

interface Document {
  readonly [member: string]: unknown;
}

const written = (write: Parameters<typeof jsonText>[0]): Document => JSON.parse(jsonText(write)) as Document;

/** As published, in units of the quantity. */
function published(path: string): number {
  const document = written((json) => writeTelemetry(json, pack, LIVE, telemetry));
  const value = path.split(".").reduce<unknown>((object, name) => (object as Document)[name], document);
  return Math.round((value as number) * 10 ** telemetryRow(path).quantity.decimals);
}

const voltages = (): number[] => {
  const document = written((json) => writeCells(json, pack, LIVE, cells));
  return (document["cells"] as { voltage: number }[]).map(({ voltage }) => Math.round(voltage * 1000));
};

beforeEach(() => {
  telemetry = new Float32Array(TELEMETRY_TABLE.length).fill(NaN);
  cells = new Float32Array(MAX_CELLS).fill(NaN);
  pack = new TestMonitor();
  pack.telemetry.setCells([3300, 3300, 3300]).set(FIELDS.temperatureSensors, 0xff);
});

const ROWS: readonly [path: string, field: Field, quantity: Quantity, perUnit: number][] = [
  ["pack.voltage", FIELDS.packVoltage, VOLTS, 1],
  ["temperatures.mosfet", FIELDS.mosfetTemperature, DEGREES, 1],
  // Computed, of mW.
  ["pack.power", FIELDS.packPower, WATTS, 10],
];

/**
 * Between what numbers a value usually is, in its unit, for a pack of 16 cells and 280 Ah. A dead band of more than a tenth of that hides
 * what the value is there to show: Home Assistant would see a countdown of 60 s stay at 0.
 */
// prettier-ignore
const USUAL: ReadonlyMap<string, readonly [from: number, to: number]> = new Map([
  ["capacityAh", [0, 280]],
  ["remainingCapacityAh", [0, 280]],
  ["cycleCapacityAh", [0, 100_000]],
  ["runtimeSeconds", [0, 100_000_000]],
  ["averageCellVoltage", [3, 3.5]],
  // Counts down from a day (docs/jk-modbus.md, 0x1308).
  ["timeEnterSleepSeconds", [0, 86_400]],
  // Never captured above 0: half an hour is assumed.
  ["emergencyTimeSeconds", [0, 1_800]],
  ["info.totalRuntimeSeconds", [0, 100_000_000]],
  ["pack.voltage", [48, 56]],
  ["pack.current", [-100, 100]],
  ["pack.power", [-5_000, 5_000]],
  ["pack.heatingCurrent", [0, 5]],
  ["pack.balanceCurrent", [-2, 2]],
  ["pack.chargeStageSeconds", [0, 7_200]],
  ["pack.maxChargeCurrent", [0, 200]],
  ["pack.maxDischargeCurrent", [0, 200]],
  ["cellsSummary.minVoltage", [3, 3.5]],
  ["cellsSummary.maxVoltage", [3, 3.5]],
  ["cellsSummary.delta", [0, 0.05]],
  ["temperatures.mosfet", [0, 60]],
  ["temperatures.battery1", [0, 45]],
  ["temperatures.battery2", [0, 45]],
  ["temperatures.battery3", [0, 45]],
  ["temperatures.battery4", [0, 45]],
  ["temperatures.battery5", [0, 45]],
]);
const TENTH = 10;

const hides = ({ deadBand, decimals }: Quantity, [from, to]: readonly [number, number]): boolean =>
  TENTH * deadBand > (to - from) * 10 ** decimals;

describe("the dead band of a row", () => {
  const wide = TELEMETRY_TABLE.filter(({ quantity }) => quantity.deadBand > 1);

  it("is one unit, or its usual range is listed here", () => {
    expect([...USUAL.keys()].toSorted()).toEqual(wide.map(({ path }) => path).toSorted());
  });

  it.each(wide)("$path does not hide what it shows", ({ path, quantity }) => {
    expect(hides(quantity, USUAL.get(path)!)).toBe(false);
  });

  it("would hide a countdown of a minute: 0x12C4 in seconds takes another quantity", () => {
    expect(hides(SECONDS, [0, 60])).toBe(true);
    expect(hides({ ...SECONDS, deadBand: 6 }, [0, 60])).toBe(false);
    expect(hides({ ...SECONDS, deadBand: 7 }, [0, 60])).toBe(true);
  });
});

describe("a number", () => {
  it.each(ROWS)("%s is published again when it has left its dead band", (path, field, { deadBand }, perUnit) => {
    const at = (units: number): number => {
      pack.telemetry.set(field, units * perUnit);
      return published(path);
    };
    const first = 10 * deadBand;
    expect(at(first)).toBe(first);
    for (const within of [deadBand - 1, 1 - deadBand, 0]) expect(at(first + within)).toBe(first);
    expect(at(first + deadBand)).toBe(first + deadBand);
    // From what was published, not from the value before it.
    expect(at(first + 1)).toBe(first + deadBand);
    expect(at(first)).toBe(first);
  });

  it.each(ROWS)("%s is published when it has become 0, which means that something has ended", (path, field) => {
    pack.telemetry.set(field, 1);
    published(path);
    pack.telemetry.set(field, 0);
    expect(published(path)).toBe(0);
  });

  it("without a wider dead band is published at each change", () => {
    for (const soc of [50, 51, 50]) {
      pack.telemetry.set(FIELDS.soc, soc);
      expect(published("soc")).toBe(soc);
    }
  });

  it("has its own place, beside texts and switches", () => {
    pack.deviceInfo.set(FIELDS.bluetoothName, "Garage");
    pack.telemetry.set(FIELDS.soc, 50);
    published("soc");
    const known = TELEMETRY_TABLE.map(({ path }, index) => [path, telemetry[index]] as const);
    expect(known.find(([path]) => path === "soc")).toEqual(["soc", 50]);
    for (const path of ["online", "name", "model"]) expect(known.find(([name]) => name === path)).toEqual([path, NaN]);
  });

  it("that is unknown is null, and published when it is known again", () => {
    pack.telemetry.set(FIELDS.packVoltage, 52_000);
    expect(published("pack.voltage")).toBe(52_000);
    pack.online = false;
    const members = written((json) => writeTelemetry(json, pack, LIVE, telemetry))["pack"] as object;
    expect(Object.keys(members)).toContain("voltage");
    expect(new Set(Object.values(members))).toEqual(new Set([null]));
    pack.online = true;
    pack.telemetry.set(FIELDS.packVoltage, 52_001);
    expect(published("pack.voltage")).toBe(52_000);
  });
});

it("each cell has a dead band of its own", () => {
  const { deadBand } = CELL_VOLTS;
  expect(voltages()).toEqual([3300, 3300, 3300]);
  pack.telemetry.setCells([3300 + deadBand - 1, 3300 + deadBand, 3300 - deadBand]);
  expect(voltages()).toEqual([3300, 3300 + deadBand, 3300 - deadBand]);
  pack.telemetry.setCells([0, 3300, 3300]);
  expect(voltages()).toEqual([0, 3300, 3300]);
});

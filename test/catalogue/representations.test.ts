/** What stands in a document for what is not known: it depends on who reads it. */
import * as FIELDS from "jk-bms/field-table";
import { JsonWriter } from "json/writer";
import { describe, expect, it } from "vitest";
import {
  LAST_KNOWN,
  LIVE,
  REST,
  writeConfiguration,
  writeStatus,
  type Representation,
} from "../../src/catalogue/document.ts";
import { TestImage, TestMonitor } from "../support/bms/bms-link.ts";
import { jsonText } from "../support/json-text.ts";

interface Document {
  online?: boolean;
  [member: string]: unknown;
}

const written = (write: typeof writeStatus, pack: TestMonitor, representation: Representation): Document =>
  JSON.parse(jsonText((json) => write(json, pack, representation))) as Document;
const status = (pack: TestMonitor, representation: Representation): Document =>
  written(writeStatus, pack, representation);

/** Telemetry and device information read, the settings not; no Bluetooth name, and a chemistry that nobody knows. */
function half(): TestMonitor {
  const pack = new TestMonitor();
  pack.telemetry.setCells([3300, 3310]).set(FIELDS.soc, 0).set(FIELDS.fullCapacity, 251_000).set(FIELDS.batteryType, 9);
  pack.deviceInfo.set(FIELDS.model, "JK_PB2A16S20P").set(FIELDS.bluetoothName, "");
  return pack;
}
const KNOWN = { online: true, model: "JK_PB2A16S20P", soc: 0, capacityAh: 251, cellCount: 2 };
const CELLS = [
  { number: 1, voltage: 3.3 },
  { number: 2, voltage: 3.31 },
];

const leaves = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [value];

describe("a pack that is online", () => {
  it.each<Representation>([LIVE, LAST_KNOWN])(
    "writes known values, 0 included, and null for unknown ones (representation %i)",
    (representation) => {
      const document = status(half(), representation);
      expect(document).toMatchObject({ ...KNOWN, name: null, batteryType: null, cells: CELLS });
      expect(document["temperatures"]).toEqual({ mosfet: null, battery1: null, battery2: null });
    },
  );

  it("REST writes an empty text or 0 for unknown values, as its contract demands", () => {
    const document = status(half(), REST);
    expect(document).toMatchObject({ ...KNOWN, name: "", batteryType: "", cells: CELLS });
    expect(document["temperatures"]).toEqual({ mosfet: 0, battery1: 0, battery2: 0 });
  });
});

describe("a pack that is offline", () => {
  const offline = (): TestMonitor => Object.assign(half(), { online: false });

  it("live: everything else is unknown", () => {
    const { online, ...rest } = status(offline(), LIVE);
    expect(online).toBe(false);
    expect(new Set(leaves(rest))).toEqual(new Set([null]));
    expect(rest["cells"]).toBeNull();
  });

  it.each<Representation>([LAST_KNOWN, REST])("keeps the last known values (representation %i)", (representation) => {
    expect(status(offline(), representation)).toMatchObject({ ...KNOWN, online: false, cells: CELLS });
  });
});

describe("before the first block", () => {
  it.each<Representation>([LIVE, LAST_KNOWN])(
    "everything is null, cells included (representation %i)",
    (representation) => {
      const { online, ...rest } = status(new TestMonitor(), representation);
      expect(online).toBe(true);
      expect(new Set(leaves(rest))).toEqual(new Set([null]));
    },
  );

  it("REST has no cells, also when the BMS reports none", () => {
    expect(status(new TestMonitor(), REST)["cells"]).toEqual([]);
    const pack = half();
    pack.telemetry.setCells([]);
    expect(status(pack, REST)["cells"]).toEqual([]);
  });
});

it("a switch of the configuration that is unknown is false for REST and null for others", () => {
  const balance = (pack: TestMonitor, representation: Representation): unknown =>
    (written(writeConfiguration, pack, representation)["balance"] as Document)["enabled"];
  const pack = half();
  for (const [raw, on] of [
    [1, true],
    [0, false],
  ] as const) {
    pack.setup.set(FIELDS.balanceEnabled, raw);
    for (const representation of [REST, LIVE, LAST_KNOWN] as const) expect(balance(pack, representation)).toBe(on);
  }
  pack.setup = new TestImage();
  expect(([REST, LIVE, LAST_KNOWN] as const).map((representation) => balance(pack, representation))).toEqual([
    false,
    null,
    null,
  ]);
});

it("members after one that did not fit are not written either", () => {
  const memory = new Uint8Array(256).fill(0xaa);
  const json = new JsonWriter().begin(memory.subarray(0, 100)).open();
  writeStatus(json, half());
  expect(() => json.close().end()).toThrow(RangeError);
  expect(new Set(memory.subarray(100))).toEqual(new Set([0xaa]));
});

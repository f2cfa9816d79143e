/** GET /api/bms/setup against docs/jk-modbus.md, by the bytes of real packs. */
import { readFileSync } from "node:fs";
import * as FIELDS from "jk-bms/field-table";
import { registerOf } from "jk-bms/fields";
import { JsonWriter } from "json/writer";
import { expect, it } from "vitest";
import { writeConfiguration } from "../../src/catalogue/document";
import type { Pack } from "../../src/catalogue/pack";
import { setupRows, setupSwitches, writeSetup } from "../../src/catalogue/setup";
import { capture, captureNames, swapped } from "../support/bms/captures";
import { TestMonitor } from "../support/bms/bms-link";
import { table } from "../support/table";

const HEAD = 6;
const FRAME_END = 299;
const SETUP = 1;
const DEVICE_INFO = 3;
const BASES = { [SETUP]: 0x1000, [DEVICE_INFO]: 0x1400 } as const;
type Block = keyof typeof BASES;
const PAGE = readFileSync("docs/jk-modbus.md", "utf8");
const [settings = "", switches = ""] = PAGE.split(/^## Settings$/m)[1]!
  .split(/^## /m)[0]!
  .split(/^### Switch word$/m);
const further = PAGE.split(/^### Further settings$/m)[1]!.split(/^### /m)[0]!;
const DOCUMENTED = [...(settings + further).matchAll(/^\| 0x(\w{4}) +\| (\w+) +\| (.*?) +\| (.*?) +\|/gm)].map(
  ([, register, type, what, unit]) => ({ register: parseInt(register!, 16), type: type!, what: what!, unit: unit! }),
);
/** Digits behind the point of a value in its own unit, by the unit of its register. */
const DIGITS: Readonly<Record<string, number>> = { mV: 3, mA: 3, mAh: 3, "0.1 °C": 1, "0.1 h": 1 };

const numbers = setupRows().map(([name, field]) => [name, registerOf(field)] as const);
const captured = (block: Block): string[] =>
  captureNames.filter((name) => capture(name).length === 300 && capture(name)[4] === block);
const setups = captured(SETUP);

interface Setup {
  readonly [name: string]: unknown;
  readonly switches: Readonly<Record<string, boolean>>;
}

function written(pack: Pack, write: (json: JsonWriter, pack: Pack) => void): unknown {
  const buffer = new Uint8Array(8_192);
  const json = new JsonWriter().begin(buffer).open();
  write(json, pack);
  return JSON.parse(new TextDecoder().decode(buffer.subarray(0, json.close().end())));
}
const setupOf = (pack: Pack): Setup => written(pack, writeSetup) as Setup;

/** A pack whose settings, or device information, are these bytes of a frame; `isFrame`: read as one. */
function packOf(payload: Uint8Array, isFrame = true, block: Block = SETUP): TestMonitor {
  const bytes = isFrame ? payload : swapped(block, payload);
  const pack = new TestMonitor();
  const image = block === SETUP ? pack.setup : pack.deviceInfo;
  bytes.forEach((byte, at) => image.view.setUint8(at, byte));
  image.littleEndian = isFrame;
  image.valid = true;
  return pack;
}
const payloadOf = (name: string): Uint8Array => capture(name).slice(HEAD, FRAME_END);

it("has each documented setting, and no other", () => {
  const elsewhere = [FIELDS.chargeEnabled, FIELDS.dischargeEnabled, FIELDS.balanceEnabled, FIELDS.switchWord];
  // Not set: the board's.
  const known = [...numbers.map(([, register]) => register), ...elsewhere.map(registerOf), 0x1110];
  expect(known.sort()).toEqual(DOCUMENTED.map(({ register }) => register).sort());
});

/** What a capture has and the pack's firmware does not, by the register and the first characters of the version. */
const ABSENT: Readonly<Record<number, RegExp>> = {
  0x1122: /./,
  0x1123: /./,
  0x1507: /^(14\.20|15\.10)/,
  0x1510: /^1[45]/,
};
const versionOf = (payload: Uint8Array): string => new TextDecoder().decode(payload.subarray(0x18, 0x20));

table(
  ([SETUP, DEVICE_INFO] as const).flatMap((block) =>
    captured(block).flatMap((name) => [true, false].map((isFrame) => [name, isFrame, block] as const)),
  ),
)("shows what the bytes say, by frames and by registers", (name, isFrame, block) => {
  const payload = payloadOf(name);
  const view = new DataView(payload.buffer);
  const raw = { u32: "getUint32", i32: "getInt32", u16: "getUint16", i8: "getInt8", u8: "getUint8" } as const;
  const setup = setupOf(packOf(payload, isFrame, block));
  const base = BASES[block];
  for (const { register, type, unit } of DOCUMENTED) {
    const found = numbers.find(([, at]) => at === register);
    if (!found || register < base || register > base + 0x1ff) continue;
    const value = view[raw[type as keyof typeof raw]](register - base, true) / 10 ** (DIGITS[unit] ?? 0);
    const isAbsent = ABSENT[register]?.test(versionOf(payload));
    expect([found[0], setup[found[0]]]).toEqual([found[0], isAbsent ? undefined : value]);
  }
});

table(setups)("agrees with GET /api/bms/config", (name) => {
  const pack = packOf(payloadOf(name));
  const setup = setupOf(pack);
  const { balance, battery, protections, temperature } = written(pack, writeConfiguration) as Record<string, Setup>;
  expect(setup).toMatchObject({ ...protections, ...temperature });
  expect([setup["cellCount"], setup["capacity"]]).toEqual([battery!["cellCount"], battery!["capacityAh"]]);
  expect([setup["balanceEnabled"], setup["balanceTriggerVoltage"], setup["balanceStartVoltage"]]).toEqual([
    balance!["enabled"],
    balance!["triggerVoltage"],
    balance!["startVoltage"],
  ]);
});

it("has the switches by their bits, each alone", () => {
  expect([...switches.matchAll(/\| (\d+) +\|/g)].map(([, bit]) => Number(bit)).sort((a, b) => a - b)).toEqual([
    ...setupSwitches().keys(),
  ]);
  setupSwitches().forEach((name, bit) => {
    const pack = new TestMonitor();
    pack.setup.set(FIELDS.switchWord, 1 << bit);
    const on = Object.entries(setupOf(pack).switches).filter(([, isOn]) => isOn);
    expect(on).toEqual([[name, true]]);
  });
});

it.each([
  ["15.41", 5, 7, undefined],
  ["19.27", 5, 7, 5],
  ["19.27", -12, 0, -12],
  ["19.27", 0, 7, 0],
  ["19.27", 0, 0, undefined],
])("firmware %s with %i and %i °C: too cold to discharge below %s", (version, limit, release, shown) => {
  const pack = new TestMonitor();
  pack.deviceInfo.set(FIELDS.softwareVersion, version);
  pack.setup.set(FIELDS.dischargeUtp, limit).set(FIELDS.dischargeUtpr, release);
  const setup = setupOf(pack);
  expect([setup["dischargeUtp"], setup["dischargeUtpr"]]).toEqual([shown, shown === undefined ? undefined : release]);
});

it.each([
  ["have not been read", 0],
  ["are refused", -1],
])("has no further settings while they %s", (_, period) => {
  const pack = packOf(payloadOf(captured(DEVICE_INFO)[0]!), true, DEVICE_INFO);
  expect(setupOf(pack)).toHaveProperty("rcvTime");
  pack.deviceInfo.set(FIELDS.storePeriod, period);
  expect(Object.keys(setupOf(pack)).filter((name) => /^(r[cf]v|dry|buzzer|store|rebulk|emergency)/.test(name))).toEqual(
    [],
  );
});

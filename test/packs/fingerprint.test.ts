/** A pack without a serial number is known by what never changes of its device information, and by its Bluetooth name. */
import * as FIELDS from "jk-bms/field-table";
import { lengthOf, offsetOf, type Field } from "jk-bms/fields";
import { expect, it } from "vitest";
import { fingerprintOf } from "../../src/packs/fingerprint";
import { TestImage } from "../support/bms/bms-link";
import { table } from "../support/table";

const bytesOf = (field: Field): readonly [from: number, to: number] => [
  offsetOf(field),
  offsetOf(field) + lengthOf(field),
];
/** Model, versions of hardware and software. */
const MODEL = [0, bytesOf(FIELDS.softwareVersion)[1]] as const;
const NAME = bytesOf(FIELDS.bluetoothName);
const DATE = bytesOf(FIELDS.manufactureDate);

const telemetry = (cells: number): TestImage => new TestImage().setCells(new Array<number>(cells).fill(3_300));

/** Whether the fingerprint is another one after a change of this byte. */
function isPart(at: number, named: boolean): boolean {
  const info = new TestImage();
  const before = fingerprintOf(info, telemetry(16), named);
  info.view.setUint8(at, 1);
  return fingerprintOf(info, telemetry(16), named) !== before;
}

table([
  ["model and versions", MODEL, true, true],
  ["the counters between these and the name", [MODEL[1], NAME[0]], false, true],
  ["the name", NAME, true, true],
  ["the name, where it may have been written to", NAME, false, false],
  ["the password behind it", [NAME[1], DATE[0]], false, true],
  ["the date", DATE, true, true],
  ["what is behind the date", [DATE[1], DATE[1] + 8], false, true],
] as const)("every byte is part of the fingerprint, or none", (_, [from, to], expected, named) => {
  expect(to).toBeGreaterThan(from);
  for (let at = from; at < to; at++) expect([at, isPart(at, named)]).toEqual([at, expected]);
});

it("packs of 15 and 16 cells, with all else alike, are told apart once their telemetry is known", () => {
  const info = new TestImage();
  const of = (cells: TestImage): string => fingerprintOf(info, cells, true);
  expect(of(telemetry(15))).not.toBe(of(telemetry(16)));
  expect(of(new TestImage())).not.toBe(of(telemetry(16)));
});

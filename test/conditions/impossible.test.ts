/** What no pack is set to: at each limit, and one over; every public capture is possible. */
import { FRAME_HEADER } from "jk-bms/frame";
import * as FIELDS from "jk-bms/field-table";
import { DEVICE_INFO, SETUP, type BlockType } from "jk-bms/types";
import { expect, it } from "vitest";
import { isImpossible } from "../../src/conditions/impossible";
import { FAR_BEYOND } from "../../src/catalogue/limits";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { TestImage } from "../support/bms/bms-link";
import { capture, captureNames } from "../support/bms/captures";
import { table } from "../support/table";

const settings = (): TestImage =>
  new TestImage()
    .set(FIELDS.cellCount, 16)
    .set(FIELDS.capacity, 280_000)
    .set(FIELDS.cellUvpVoltage, 2_600)
    .set(FIELDS.cellOvpVoltage, 3_650);

table(
  PARAMETERS_TABLE.filter(({ quantity: { kind } }) => kind === "number" || kind === "integer").map(
    ({ name, source, quantity: { max } }) => [name, source, FAR_BEYOND * max] as const,
  ),
)("a parameter of more than twenty times its range", (name, source, most) => {
  // UVP is below OVP all the same, and two bytes cannot hold as much.
  if (source === FIELDS.cellUvpVoltage) return;
  if (most > 0x7fff && (source >> 16) % 8 < 4) return;
  for (const [value, expected] of [
    [most, false],
    [most + 1, true],
  ] as const) {
    const image = settings()
      .set(FIELDS.cellOvpVoltage, FAR_BEYOND * 5_000)
      .set(source, value);
    expect([name, isImpossible(SETUP, image)]).toEqual([name, expected]);
  }
});

it("UVP not below OVP, no cells, no capacity, no model, and a serial number that is no text", () => {
  expect(isImpossible(SETUP, settings().set(FIELDS.cellUvpVoltage, 3_649))).toBe(false);
  expect(isImpossible(SETUP, settings().set(FIELDS.cellUvpVoltage, 3_650))).toBe(true);
  expect(isImpossible(SETUP, settings().set(FIELDS.cellCount, 0))).toBe(true);
  expect(isImpossible(SETUP, settings().set(FIELDS.capacity, 0))).toBe(true);
  expect(isImpossible(SETUP, new TestImage())).toBe(true);
  for (const [serial, expected] of [
    ["", false],
    ["4060123456", false],
    ["40601\x7f3456", true],
    ["\xff", true],
  ] as const)
    expect(isImpossible(DEVICE_INFO, new TestImage().set(FIELDS.model, "JK").set(FIELDS.serialNumber, serial))).toBe(
      expected,
    );
  expect(isImpossible(DEVICE_INFO, new TestImage().set(FIELDS.serialNumber, "4060123456"))).toBe(true);
});

it("nothing that a real pack was recorded to be", () => {
  let blocks = 0;
  for (const name of captureNames) {
    const bytes = capture(name);
    for (let at = 0; at + 300 <= bytes.length; at++) {
      if (!FRAME_HEADER.every((byte, place) => bytes[at + place] === byte)) continue;
      const block = bytes[at + 4] as BlockType;
      if (block !== SETUP && block !== DEVICE_INFO) continue;
      const image = new TestImage(true);
      new Uint8Array(image.view.buffer).set(bytes.subarray(at + 6, at + 6 + 293));
      expect([name, isImpossible(block, image)]).toEqual([name, false]);
      blocks++;
    }
  }
  expect(blocks).toBeGreaterThan(10);
});

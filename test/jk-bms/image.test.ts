/** The images of the three blocks, which lie one behind the other. */
import { expect, it } from "vitest";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { lengthOf, readRaw, readText } from "../../modules/jk-bms/fields";
import { FRAME_PAYLOAD } from "../../modules/jk-bms/frame";
import { Images } from "../../modules/jk-bms/image";
import { BLOCK_BYTES } from "../../modules/jk-bms/limits";
import { DEVICE_INFO, SETUP, TELEMETRY } from "../../modules/jk-bms/types";
import { capture } from "../support/bms/captures";
import { hex } from "../support/hex";

const FRAMES = {
  [SETUP]: capture("dbus-sb_t01_addr3_PB2A16S20P_15.41"),
  [TELEMETRY]: capture("dbus-sb_t02_addr3_PB2A16S20P_15.41"),
  [DEVICE_INFO]: capture("dbus-sb_t03_addr3_PB2A16S20P_15.41"),
};
const BLOCKS = [SETUP, TELEMETRY, DEVICE_INFO] as const;

function filled(): Images {
  const images = new Images();
  for (const block of BLOCKS) images.replace(block, true, 0, FRAMES[block], FRAME_PAYLOAD, BLOCK_BYTES);
  return images;
}

const bytesOf = (images: Images): string[] =>
  BLOCKS.map((block) => {
    const { view } = images[block];
    return hex(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  });

it("are empty at first, and not valid", () => {
  const images = new Images();
  for (const block of BLOCKS) {
    expect(images[block]).toMatchObject({ valid: false, littleEndian: false });
    expect(images[block].view.byteLength).toBe(BLOCK_BYTES);
  }
});

it("take no more than their block", () => {
  const images = filled();
  const before = bytesOf(images);
  const last = FRAME_PAYLOAD + BLOCK_BYTES - 2;
  for (const block of BLOCKS) {
    const long = new Uint8Array(FRAMES[block].length + 100).fill(0xee);
    long.set(FRAMES[block]);
    images.replace(block, true, BLOCK_BYTES - 2, long, last, 50);
    images.begin(images[block]);
    images.take(block, BLOCK_BYTES - 2, long, last, 50);
    images.spare.renewed(true);
    images.publish(block);
  }
  expect(bytesOf(images)).toEqual(before);
});

it("keep what is beside a value that is stored", () => {
  const images = filled();
  const device = images[DEVICE_INFO];
  // One directly behind the other.
  const [before, text, behind] = [FIELDS.model, FIELDS.hardwareVersion, FIELDS.softwareVersion];
  const beside = [before, behind].map((field) => readText(device, field));
  for (const value of ["x".repeat(lengthOf(text)), "short"]) {
    device.patch(text, value);
    expect(readText(device, text)).toBe(value);
    expect([before, behind].map((field) => readText(device, field))).toEqual(beside);
  }
  const setup = images[SETUP];
  const uvpr = readRaw(setup, FIELDS.cellUvprVoltage);
  const ovpr = readRaw(setup, FIELDS.cellOvprVoltage);
  setup.patch(FIELDS.cellOvpVoltage, 3_601);
  expect(
    [FIELDS.cellUvprVoltage, FIELDS.cellOvpVoltage, FIELDS.cellOvprVoltage].map((field) => readRaw(setup, field)),
  ).toEqual([uvpr, 3_601, ovpr]);
});

/** The countdowns to a protection's release against docs/jk-modbus.md, and in the bytes of real packs. */
import { readFileSync } from "node:fs";
import { registerOf } from "jk-bms/fields";
import { expect, it } from "vitest";
import { ALARMS_TABLE, releaseOf } from "../../src/catalogue/alarms";
import { TestMonitor } from "../support/bms/bms-link";
import { capture, captureNames, swapped } from "../support/bms/captures";
import { table } from "../support/table";

const TELEMETRY = 2;
const HEAD = 6;
const FRAME_END = 299;
const FIRST = 0xc4;
/** By the words of the documentation. */
const NAMES = {
  "discharge over-current": "discharge_overcurrent",
  "discharge short circuit": "discharge_short_circuit",
  "charge over-current": "charge_overcurrent",
  "charge short circuit": "charge_short_circuit",
  "under-voltage": "cell_undervoltage",
  "over-voltage": "cell_overvoltage",
} as const;
const captured = captureNames.filter((name) => capture(name).length === 300 && capture(name)[4] === TELEMETRY);

function packOf(payload: Uint8Array, isFrame: boolean): TestMonitor {
  const pack = new TestMonitor();
  (isFrame ? payload : swapped(TELEMETRY, payload)).forEach((byte, at) => pack.telemetry.view.setUint8(at, byte));
  pack.telemetry.littleEndian = isFrame;
  pack.telemetry.valid = pack.online = true;
  return pack;
}
const releasesOf = (pack: TestMonitor): (readonly [string, number])[] =>
  ALARMS_TABLE.flatMap((row) => (row.release ? [[row.name, releaseOf(pack, row)] as const] : []));

it("are the six that are documented", () => {
  const documented = [
    ...readFileSync("docs/jk-modbus.md", "utf8").matchAll(/^\| 0x(12C\w) +\| u16 +\| (.+?): time to release +\| s /gm),
  ].map(([, register, what]) => [NAMES[what as keyof typeof NAMES], parseInt(register!, 16)]);
  expect(documented).toHaveLength(6);
  const known = ALARMS_TABLE.flatMap(({ name, release }) => (release ? [[name, registerOf(release)]] : []));
  expect(known).toEqual(expect.arrayContaining(documented));
  // Both over-voltages have the same.
  expect(known).toHaveLength(7);
});

table(captured.flatMap((name) => [true, false].map((isFrame) => [name, isFrame] as const)))(
  "run in no capture, and each alone where its two bytes say so, by frames and by registers",
  (name, isFrame) => {
    const payload = capture(name).slice(HEAD, FRAME_END);
    expect(releasesOf(packOf(payload, isFrame)).every(([, seconds]) => seconds === 0)).toBe(true);
    Object.values(NAMES).forEach((alarm, at) => {
      const running = payload.slice();
      new DataView(running.buffer).setUint16(FIRST + 2 * at, 300, true);
      const found = releasesOf(packOf(running, isFrame)).filter(([, seconds]) => seconds);
      const both = alarm === "cell_overvoltage" ? ["battery_overvoltage", alarm] : [alarm];
      expect(found).toEqual(both.map((one) => [one, 300]));
    });
  },
);

import { FIELDS } from "jk-bms/fields";
import { BLOCK_BYTES } from "jk-bms/limits";
import { expect, it } from "vitest";
import { relayTelemetry } from "../../src/relay/telemetry";

/** Bits 4 and 19: fully charged, change the password. Bit 31 has no meaning yet. */
const NOTICES = 0x0008_0010;
const UNUSED = 0x8000_0000;

it("the rule gets percent, volts and the alarms that are faults", () => {
  const view = new DataView(new ArrayBuffer(BLOCK_BYTES));
  view.setUint32(FIELDS.packVoltage.offset, 52_695);
  view.setUint8(FIELDS.soc.offset, 55);
  view.setUint32(FIELDS.alarmCode.offset, 0x1003 + NOTICES + UNUSED);
  const pack = { online: true, telemetry: { view, littleEndian: false, valid: true } };
  expect(relayTelemetry(pack as unknown as Parameters<typeof relayTelemetry>[0])).toEqual({
    online: true,
    soc: 55,
    voltage: 52.695,
    alarmCode: 0x1003 + UNUSED,
  });
});

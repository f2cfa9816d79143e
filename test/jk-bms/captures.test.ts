/** Every capture of real packs, through the same code that runs on the device. */
import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { toJson } from "../../host-sim/decode-json";
import { hasValidCrc } from "../../modules/modbus/crc";
import { frameAt, PDU, seal } from "../../modules/modbus/rtu";
import { encodeRead } from "../../modules/modbus/pdu";
import * as FIELDS from "../../modules/jk-bms/field-table";
import {
  BLOCK_BASE,
  blockOf,
  decimalsOf,
  getterOf,
  lengthOf,
  offsetOf,
  readRaw,
  readText,
  registerOf,
  type Field,
  type Getter,
} from "../../modules/jk-bms/fields";
import { FRAME_BYTES, hasValidSum, headerAt } from "../../modules/jk-bms/frame";
import { Images } from "../../modules/jk-bms/image";
import { BLOCK_BYTES } from "../../modules/jk-bms/limits";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import { encodeAllowedWrite, TRIGGERS, writableByName } from "../../modules/jk-bms/writes";
import { capture, captureNames, expectable, expected, swapped } from "../support/bms/captures";
import { frame, sealed } from "../support/bms/fake-bms";
import { hex, unhex } from "../support/hex";
import { table } from "../support/table";

const frames = captureNames.filter((name) => capture(name).length === 300);
const blockFrames = frames.filter((name) => (capture(name)[4] as number) <= 3);

function imageOfFrame(bytes: Uint8Array): { block: BlockType; images: Images } {
  const images = new Images();
  const block = bytes[4] as BlockType;
  images.begin();
  images.take(block, 0, bytes, 6, BLOCK_BYTES);
  images.spare.renewed(true);
  images.publish(block);
  return { block, images };
}

/** What FC03 reads would give of the block, put together. */
function imageOfRegisters(bytes: Uint8Array): { block: BlockType; images: Images } {
  const images = new Images();
  const block = bytes[4] as BlockType;
  const registers = swapped(block, bytes.slice(6, 299));
  images.begin();
  for (let from = 0; from < BLOCK_BYTES; from += 57)
    images.take(block, from, registers, from, Math.min(57, BLOCK_BYTES - from));
  images.spare.renewed(false);
  images.publish(block);
  return { block, images };
}

const json = ({ block, images }: { block: BlockType; images: Images }): unknown =>
  expectable(toJson({ block, image: images[block], from: 0, to: BLOCK_BYTES }));

describe("captured frames", () => {
  it("are all present", () => {
    expect(captureNames).toHaveLength(85);
    expect(frames).toHaveLength(30);
    expect(blockFrames).toHaveLength(29);
  });

  table(frames)("have a valid header and checksum", (name) => {
    const bytes = capture(name);
    expect(headerAt(bytes, 0, 300)).toBe(4);
    expect(hasValidSum(bytes, 0)).toBe(true);
  });

  it("are summed alike wherever they are in memory, and any other byte is noticed", () => {
    const [place, at] = [fc.nat({ max: 9 }), fc.nat({ max: FRAME_BYTES - 2 })];
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 300, maxLength: 300 }),
        place,
        place,
        at,
        (bytes, offset, start, wrong) => {
          const frame = new Uint8Array(offset + start + FRAME_BYTES).subarray(offset);
          frame.set(bytes, start);
          frame[start + 299] = bytes.subarray(0, 299).reduce((sum, byte) => sum + byte);
          expect(hasValidSum(frame, start)).toBe(true);
          frame[start + wrong]! ^= 0x10;
          expect(hasValidSum(frame, start)).toBe(false);
        },
      ),
    );
  });

  it("of the highest sum are summed without an overflow", () => {
    const frame = new Uint8Array(FRAME_BYTES).fill(0xff);
    frame[299] = 299 * 0xff;
    expect(hasValidSum(frame, 0)).toBe(true);
  });

  table(blockFrames)("decode to their expected files as frames", (name) => {
    expect(json(imageOfFrame(capture(name)))).toEqual(expected(name));
  });

  table(blockFrames)("decode to their expected files as registers", (name) => {
    expect(json(imageOfRegisters(capture(name)))).toEqual(expected(name));
  });

  table(blockFrames)("give the same for every field of the table in both read modes", (name) => {
    const { block, images } = imageOfFrame(capture(name));
    const { images: others } = imageOfRegisters(capture(name));
    for (const field of Object.values(FIELDS))
      if (blockOf(field) === block) {
        const read = getterOf(field) ? readRaw : readText;
        expect(read(others[block], field)).toBe(read(images[block], field));
      }
  });

  it("of the device information leave no password in the image", () => {
    for (const name of blockFrames.filter((other) => other.includes("_t03"))) {
      const bytes = capture(name);
      bytes.fill(0x41, 62, 78).fill(0x42, 118, 134);
      for (const { images } of [imageOfFrame(bytes), imageOfRegisters(bytes)]) {
        const { view } = images[DEVICE_INFO];
        for (const from of [0x38, 0x70]) for (let at = from; at < from + 16; at++) expect(view.getUint8(at)).toBe(0);
        expect(hex(new Uint8Array(view.buffer))).not.toMatch(/41 41 41 41|42 42 42 42/);
      }
    }
  });
});

describe("captured register replies", () => {
  const reply = (name: string, register: number): unknown => {
    const bytes = capture(name);
    expect(hasValidCrc(bytes, 0, bytes.length)).toBe(true);
    expect(frameAt(bytes, 0, bytes.length)).toBe(bytes.length);
    const block = blockOf(register);
    const from = register - BLOCK_BASE[block];
    const images = new Images();
    images.take(block, from, bytes, 3, bytes.length - 5);
    images.spare.renewed(false);
    images.publish(block);
    return expectable(toJson({ block, image: images[block], from, to: from + bytes.length - 5 }));
  };

  // The values that the sources state beside these captures.
  it("recon_fc03_1000x100", () => {
    expect(reply("recon_fc03_1000x100_reply", 0x1000)).toEqual({
      type: "settings",
      battery: { cellCount: 16, capacityAh: 314 },
      balance: { enabled: true, startVoltage: 3, triggerVoltage: 0.01, maxCurrent: 2 },
      protections: {
        cellUvpVoltage: 2.58,
        cellUvprVoltage: 2.62,
        cellOvpVoltage: 3.65,
        cellOvprVoltage: 3.58,
        cellRcvVoltage: 3.6,
        powerOffVoltage: 2.5,
      },
      temperature: {
        chargeOtp: 70,
        chargeOtpr: 60,
        chargeUtp: 2,
        chargeUtpr: 7,
        dischargeOtp: 70,
        dischargeOtpr: 60,
        mosOtp: 80,
        mosOtpr: 70,
      },
      chargeEnabled: true,
      dischargeEnabled: true,
    });
  });

  it("recon_fc03_1114x1", () => {
    expect(reply("recon_fc03_1114x1_reply", 0x1114)).toEqual({ type: "settings", switchWord: 0x3200 });
  });

  it("recon_fc03_1200x120", () => {
    expect(reply("recon_fc03_1200x120_reply", 0x1200)).toMatchObject({
      cellCount: 16,
      soc: 59,
      stateOfHealth: 100,
      cycles: 0,
      fullChargeCapacityAh: 314,
      remainingCapacityAh: expect.closeTo(184, 1) as number,
      cycleCapacityAh: expect.closeTo(24.9, 1) as number,
      pack: { voltage: expect.closeTo(50.92, 2) as number, current: 0 },
      temperatures: { mosfet: 23.1, battery1: 21.6 },
      cells: [62, 66, 76, 78, 92, 99, 114, 120, 102, 84, 91, 76, 73, 70, 67, 59].map((resistance, index) => ({
        number: index + 1,
        voltage: 3.183,
        wireResistanceMilliOhm: resistance,
      })),
      alarmCode: 0,
      sensorsPresent: 255,
    });
  });

  it("recon_fc03_12F0x16", () => {
    expect(reply("recon_fc03_12F0x16_reply", 0x12f0)).toEqual({
      type: "realtime",
      detailLogsCount: 36,
      timeEnterSleepSeconds: 86400,
      batteryType: "LiFePO4",
    });
    const bytes = capture("recon_fc03_12F0x16_reply");
    const at = (field: Field): number =>
      new DataView(bytes.buffer)[getterOf(field)!](3 + registerOf(field) - 0x12f0) / 10 ** decimalsOf(field);
    expect(at(FIELDS.battery3Temperature)).toBe(23.1);
    expect(at(FIELDS.battery4Temperature)).toBe(21.6);
    expect(at(FIELDS.battery5Temperature)).toBe(21.8);
  });

  it("recon_fc03_1400x80", () => {
    expect(reply("recon_fc03_1400x80_reply", 0x1400)).toMatchObject({
      model: "JK_PB2A16S20P",
      hardwareVersion: "15A",
      softwareVersion: "15.41",
      totalRuntimeSeconds: 0xbaa734,
      powerOnTimes: 9,
      manufactureDate: "260110",
      serialNumber: "10000000000",
    });
  });

  it("fc03_alarm_12A0", () => {
    expect(reply("fc03_alarm_12A0_reply", 0x12a0)).toEqual({ type: "realtime", alarmCode: 0 });
  });

  it("phinix-uart1-fc03 (three replies of one pack)", () => {
    expect(reply("phinix-uart1-fc03_reply_addr0_0", 0x1000)).toMatchObject({
      battery: { cellCount: 16, capacityAh: 314 },
      balance: { enabled: true, triggerVoltage: 0.01, maxCurrent: 1 },
      protections: { cellUvpVoltage: 2.58, cellOvpVoltage: 3.65, powerOffVoltage: 2.5 },
      temperature: { chargeOtp: 70, chargeUtp: 2, chargeUtpr: 7, mosOtp: 80, mosOtpr: 70 },
    });
    expect(reply("phinix-uart1-fc03_reply_addr0_1", 0x1080)).toEqual({
      type: "settings",
      balance: { startVoltage: 3 },
    });
    expect(reply("phinix-uart1-fc03_reply_addr0_2", 0x10a0)).toEqual({ type: "settings", switchWord: 0x3200 });
  });
});

describe("captured requests", () => {
  const adu = new Uint8Array(32);

  it.each([
    ["fc03_alarm_12A0_req", 0x12a0, 2],
    ["recon_fc03_1000x100_req", 0x1000, 100],
    ["recon_fc03_1114x1_req", 0x1114, 1],
    ["recon_fc03_1200x120_req", 0x1200, 120],
    ["recon_fc03_12F0x16_req", 0x12f0, 16],
    ["recon_fc03_1400x80_req", 0x1400, 80],
  ])("%s is the read the encoder makes", (name, register, quantity) => {
    expect(hex(adu.subarray(0, seal(adu, 1, encodeRead(adu, PDU, register, quantity))))).toBe(hex(capture(name)));
  });

  it.each([
    ["trigger_req_161C_addr1", 1, DEVICE_INFO],
    ["trigger_req_161E_addr1", 1, SETUP],
    ["trigger_req_1620_addr1", 1, TELEMETRY],
    ["phinix-parallel_req_1620_addr2", 2, TELEMETRY],
  ] as const)("%s is the trigger the encoder makes", (name, address, block) => {
    expect(hex(adu.subarray(0, seal(adu, address, encodeAllowedWrite(adu, TRIGGERS[block], 0))))).toBe(
      hex(capture(name)),
    );
  });

  it.each([
    ["wr_charge_on", "charge_mos", 1],
    ["wr_charge_off", "charge_mos", 0],
    ["wr_discharge_on", "discharge_mos", 1],
    ["wr_discharge_off", "discharge_mos", 0],
    ["wr_balance_on", "balance", 1],
    ["wr_balance_off", "balance", 0],
    ["wr_display_on_1114_3251", "display_always_on", 0x3251],
    ["wr_display_off_1114_3241", "display_always_on", 0x3241],
    ["vendor_capacity_50Ah", "capacity_ah", 50_000],
    ["vendor_cellCount_15", "cell_count", 15],
    ["vendor_cellUVP_2830mV", "cell_uvp_voltage", 2830],
    ["vendor_maxBalance_1A", "max_balance_current", 1000],
  ])("%s is the write the encoder makes, and its acknowledgement repeats it", (name, setting, value) => {
    const request = adu.slice(0, seal(adu, 1, encodeAllowedWrite(adu, writableByName(setting), value)));
    expect(hex(request)).toBe(hex(capture(`${name}_req`)));
    expect(hex(capture(`${name}_ack`))).toBe(hex(sealed(...request.subarray(0, 6))));
  });

  it("wr_heating_off sets another bit of the same word", () => {
    const request = adu.slice(0, seal(adu, 1, encodeAllowedWrite(adu, writableByName("display_always_on"), 0x3250)));
    expect(hex(request)).toBe(hex(capture("wr_heating_off_1114_3250_req")));
  });

  table(captureNames.filter((name) => capture(name).length < 300))("are one frame each with a valid CRC", (name) => {
    const bytes = capture(name);
    expect(frameAt(bytes, 0, bytes.length)).toBe(name.includes("fc06") ? 5 : bytes.length);
  });
});

describe("the protocol's worked examples", () => {
  const adu = new Uint8Array(32);
  it.each([
    [1, "charge_mos", 1, "01 10 10 70 00 02 04 00 00 00 01 F8 8B", "01 10 10 70 00 02 44 D3"],
    [1, "charge_mos", 0, "01 10 10 70 00 02 04 00 00 00 00 39 4B", "01 10 10 70 00 02 44 D3"],
    [1, "discharge_mos", 1, "01 10 10 74 00 02 04 00 00 00 01 F9 78", "01 10 10 74 00 02 05 12"],
    [1, "discharge_mos", 0, "01 10 10 74 00 02 04 00 00 00 00 38 B8", "01 10 10 74 00 02 05 12"],
    [1, "balance", 1, "01 10 10 78 00 02 04 00 00 00 01 F9 2D", "01 10 10 78 00 02 C5 11"],
    [1, "balance_enabled", 0, "01 10 10 78 00 02 04 00 00 00 00 38 ED", "01 10 10 78 00 02 C5 11"],
    [4, "balance", 1, "04 10 10 78 00 02 04 00 00 00 01 E8 E1", "04 10 10 78 00 02 C5 44"],
    [2, "balance", 0, "02 10 10 78 00 02 04 00 00 00 00 37 A9", "02 10 10 78 00 02 C5 22"],
    [1, "display_always_on", 0x3251, "01 10 11 14 00 01 02 32 51 70 D9", "01 10 11 14 00 01 44 F1"],
    [1, "display_always_on", 0x3241, "01 10 11 14 00 01 02 32 41 71 15", "01 10 11 14 00 01 44 F1"],
    [1, "temperature_sensors_disabled", 0x3212, "01 10 11 14 00 01 02 32 12 31 28", "01 10 11 14 00 01 44 F1"],
    [1, "temperature_sensors_disabled", 0x3210, "01 10 11 14 00 01 02 32 10 B0 E9", "01 10 11 14 00 01 44 F1"],
    [1, "cell_count", 15, "01 10 10 6C 00 02 04 00 00 00 0F 78 16", "01 10 10 6C 00 02 85 15"],
    [1, "cell_count", 16, "01 10 10 6C 00 02 04 00 00 00 10 39 DE", "01 10 10 6C 00 02 85 15"],
    [1, "capacity_ah", 50_000, "01 10 10 7C 00 02 04 00 00 C3 50 69 D2", "01 10 10 7C 00 02 84 D0"],
    [1, "capacity_ah", 280_000, "01 10 10 7C 00 02 04 00 04 45 C0 4A 1F", "01 10 10 7C 00 02 84 D0"],
    [1, "cell_uvp_voltage", 2830, "01 10 10 04 00 02 04 00 00 0B 0E B9 68", "01 10 10 04 00 02 04 C9"],
    [1, "cell_uvp_voltage", 2600, "01 10 10 04 00 02 04 00 00 0A 28 39 22", "01 10 10 04 00 02 04 C9"],
    [1, "charge_utp", -250, "01 10 10 5C 00 02 04 FF FF FF 06 FA D0", "01 10 10 5C 00 02 85 1A"],
    [1, "charge_utp", -200, "01 10 10 5C 00 02 04 FF FF FF 38 7B 00", "01 10 10 5C 00 02 85 1A"],
    [1, "max_balance_current", 1000, "01 10 10 48 00 02 04 00 00 03 E8 3B 47", "01 10 10 48 00 02 C5 1E"],
    [1, "max_balance_current", 2000, "01 10 10 48 00 02 04 00 00 07 D0 38 55", "01 10 10 48 00 02 C5 1E"],
    [1, "balance_start_voltage", 3100, "01 10 10 84 00 02 04 00 00 0C 1C 33 35", "01 10 10 84 00 02 05 21"],
    [1, "balance_start_voltage", 3450, "01 10 10 84 00 02 04 00 00 0D 7A B2 8F", "01 10 10 84 00 02 05 21"],
    [1, "emergency", 1, "01 10 16 10 00 01 02 00 01 12 C1", "01 10 16 10 00 01 04 44"],
    [1, "emergency", 0, "01 10 16 10 00 01 02 00 00 D3 01", "01 10 16 10 00 01 04 44"],
    [
      1,
      "bluetooth_name",
      "TestBMS",
      "01 10 14 28 00 08 10 54 65 73 74 42 4D 53 00 00 00 00 00 00 00 00 00 15 FE",
      "01 10 14 28 00 08 44 37",
    ],
  ])("slave %i, %s %s", (address, name, value, request, reply) => {
    const made = adu.slice(0, seal(adu, address, encodeAllowedWrite(adu, writableByName(name), value)));
    expect(hex(made)).toBe(request);
    expect(hex(sealed(...made.subarray(0, 6)))).toBe(reply);
  });

  it.each([
    [0x1114, 1, "01 03 11 14 00 01 C1 32"],
    [0x1200, 120, "01 03 12 00 00 78 40 90"],
    [0x12f0, 26, "01 03 12 F0 00 1A C1 4A"],
    [0x12a0, 2, "01 03 12 A0 00 02 C1 51"],
  ])("read %i x %i", (register, quantity, request) => {
    expect(hex(adu.subarray(0, seal(adu, 1, encodeRead(adu, PDU, register, quantity))))).toBe(request);
  });

  it.each(["01 90 03 0C 01", "01 90 02 CD C1", "01 83 02 C0 F1", "01 03 02 32 00 AD 24", "01 10 16 1C 00 01 C4 47"])(
    "%s is a frame",
    (text) => {
      const bytes = unhex(text);
      expect(frameAt(bytes, 0, bytes.length)).toBe(bytes.length);
    },
  );
});

describe("any value", () => {
  const numbers = Object.entries(FIELDS).filter(([, field]) => getterOf(field));
  const RANGES: Record<Exclude<Getter, "getFloat32">, [number, number]> = {
    getUint8: [0, 0xff],
    getInt8: [-0x80, 0x7f],
    getUint16: [0, 0xffff],
    getInt16: [-0x8000, 0x7fff],
    getUint32: [0, 0xffffffff],
    getInt32: [-0x80000000, 0x7fffffff],
  };

  table(numbers)("of a number survives the round trip by frame and by registers", (_, field) => {
    const getter = getterOf(field)!;
    const values =
      getter === "getFloat32"
        ? fc.float({ noNaN: true })
        : fc.integer({ min: RANGES[getter][0], max: RANGES[getter][1] });
    fc.assert(
      fc.property(values, (value) => {
        const payload = new Uint8Array(BLOCK_BYTES);
        const view = new DataView(payload.buffer);
        if (getter === "getFloat32") view.setFloat32(offsetOf(field), value, true);
        else if (lengthOf(field) === 4) view.setUint32(offsetOf(field), value >>> 0, true);
        else if (lengthOf(field) === 2) view.setUint16(offsetOf(field), value & 0xffff, true);
        else view.setUint8(offsetOf(field), value & 0xff);
        const bytes = frame(blockOf(field), payload);
        for (const { images } of [imageOfFrame(bytes), imageOfRegisters(bytes)])
          expect(readRaw(images[blockOf(field)], field)).toBe(value);
      }),
      { numRuns: runs(20) },
    );
  });

  it("of a text survives both round trips", () => {
    const texts = Object.values(FIELDS).filter((field) => !getterOf(field));
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.string({ maxLength: 16 }), (field, text) => {
        const printable = Array.from(text, (character) => (/^[ -~]$/.test(character) ? character : "x"))
          .join("")
          .slice(0, lengthOf(field));
        const payload = new Uint8Array(BLOCK_BYTES);
        payload.set(new TextEncoder().encode(printable), offsetOf(field));
        for (const { images } of [imageOfFrame(frame(3, payload)), imageOfRegisters(frame(3, payload))])
          expect(readText(images[DEVICE_INFO], field)).toBe(printable);
      }),
    );
  });

  it("of unprintable bytes becomes question marks", () => {
    const payload = new Uint8Array(BLOCK_BYTES);
    payload.set([0x41, 0x07, 0xff, 0x7f, 0x42, 0, 0x43], offsetOf(FIELDS.bluetoothName));
    expect(readText(imageOfFrame(frame(3, payload)).images[DEVICE_INFO], FIELDS.bluetoothName)).toBe("A???B");
  });

  it("a text is not a number", () => {
    expect(() => readRaw(new Images()[DEVICE_INFO], FIELDS.model)).toThrow(TypeError);
  });
});

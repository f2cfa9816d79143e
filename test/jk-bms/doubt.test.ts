/** Telemetry that contradicts itself, or a frame that jumps: asked again, left out, or shown once three in a row have said the same. */
import { shapeOf } from "../support/bms/field-shape";
import { beforeEach, describe, expect, it } from "vitest";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { readRaw, type Field } from "../../modules/jk-bms/fields";
import { Image, Images } from "../../modules/jk-bms/image";
import { judge, type Doubt } from "../../modules/jk-bms/doubt";
import { BLOCK_BYTES, CELLS_JUMP, DOUBTED_REPLIES, TEMPERATURE_JUMP, VOLTAGE_JUMP } from "../../modules/jk-bms/limits";
import { TELEMETRY } from "../../modules/jk-bms/types";
import { capture, captureNames } from "../support/bms/captures";
import { concat, frame, sealed } from "../support/bms/fake-bms";
import { bms, bus, fake, open, read, register } from "../support/bms/opened-bms";
import { passFrames } from "../suites/bit-errors";

const value = (field: Field): number => readRaw(bms.telemetry, field);
/** Sets a field of what the fake BMS holds, big-endian. */
function hold(field: Field, raw: number): void {
  const { offset, length } = shapeOf(field);
  const view = new DataView((fake.blocks[2] as Uint8Array).buffer);
  if (length === 1) view.setUint8(offset, raw);
  else if (length === 2) view.setInt16(offset, raw);
  else view.setInt32(offset, raw);
}
/** Damages the next `count` replies of telemetry: a raw value in place of the right one, with a right checksum. */
function lie(field: Field, raw: number, count = 1): void {
  const right = readRaw(
    { view: new DataView((fake.blocks[2] as Uint8Array).buffer), littleEndian: false, valid: true },
    field,
  );
  let left = count;
  hold(field, raw);
  fake.instead = (bytes) => {
    if (register(bytes) !== 0x1200 && register(bytes) !== 0x1620) return undefined;
    // It has answered with it already.
    if (--left === 0) setTimeoutless(() => hold(field, right));
    return undefined;
  };
}
const setTimeoutless = (change: () => void): void => void fake.board.clock.after(1, change);

describe.each(["registers", "frames"] as const)("by %s", (readMode) => {
  beforeEach(() => {
    open({ readMode });
    read();
    fake.requests.length = 0;
  });

  it.each([
    ["a current of 4,194 A", FIELDS.packCurrent, 4_194_304],
    ["a current of 2,000,000 A", FIELDS.packCurrent, 2_000_000_000],
    ["a power of 8 kW without a current", FIELDS.packPower, 8_388_608],
    ["a voltage of 20 V", FIELDS.packVoltage, 20_000],
    ["no charge beside 155 Ah", FIELDS.soc, 0],
    ["a charge of 101 %", FIELDS.soc, 101],
    ["a charge of 255 %", FIELDS.soc, 255],
    ["a health of 101 %", FIELDS.stateOfHealth, 101],
    ["no cells", FIELDS.cellsPresent, 0],
    ["no voltage", FIELDS.packVoltage, 0],
    ["no capacity", FIELDS.fullCapacity, 0],
  ])("%s is asked again at once, and not shown, counted or a lost poll", (_, field, raw) => {
    const before = value(field);
    lie(field, raw);
    expect(read().outcome).toBe("ok");
    expect(value(field)).toBe(before);
    expect(fake.requests).toHaveLength(2);
    expect(bus.statistics).toMatchObject({ doubted: 1, timeouts: 0 });
    expect(bms.telemetry.contradicts).toBe(false);
  });

  it("what contradicts itself three times in a row is shown, as one that does, until it does not", () => {
    hold(FIELDS.soc, 0);
    const before = value(FIELDS.soc);
    expect([read().outcome, value(FIELDS.soc)]).toEqual(["doubtful", before]);
    expect(fake.requests).toHaveLength(DOUBTED_REPLIES - 1);
    expect([read().outcome, value(FIELDS.soc), bms.telemetry.contradicts]).toEqual(["ok", 0, true]);
    // It is known now: nothing is asked twice for it.
    fake.requests.length = 0;
    expect([read().outcome, fake.requests.length, bms.telemetry.contradicts]).toEqual(["ok", 1, true]);
    hold(FIELDS.soc, before);
    read();
    expect([value(FIELDS.soc), bms.telemetry.contradicts]).toEqual([before, false]);
  });

  it.each([1, 2])("all zeros, %i times, are asked again, and nothing of them is shown", (count) => {
    const { buffer } = fake.blocks[2] as Uint8Array;
    const right = new Uint8Array(buffer.slice(0));
    let left = count;
    fake.instead = (bytes, usual) => {
      if ((register(bytes) !== 0x1200 && register(bytes) !== 0x1620) || left-- <= 0 || !usual) return undefined;
      return readMode === "frames"
        ? concat(frame(2, new Uint8Array(293)), usual.subarray(300))
        : sealed(1, 3, 240, ...new Array<number>(240).fill(0));
    };
    const shown = new Uint8Array(bms.telemetry.view.buffer.slice(0));
    expect(read().outcome).toBe(count === 1 ? "ok" : "doubtful");
    expect(new Uint8Array(bms.telemetry.view.buffer.slice(0, 32))).toEqual(shown.subarray(0, 32));
    expect(read().outcome).toBe("ok");
    expect([new Uint8Array(buffer), bms.telemetry.contradicts]).toEqual([right, false]);
  });

  it("all zeros from the first reply on are shown as a contradiction, for as long as they come", () => {
    open({ readMode });
    (fake.blocks[2] as Uint8Array).fill(0);
    expect(read().outcome).toBe("doubtful");
    for (let polls = 0; polls < 5; polls++) expect([read().outcome, bms.telemetry.contradicts]).toEqual(["ok", true]);
  });

  it("a torn sense wire, 0 V in a cell of a right voltage, is shown in the end", () => {
    fake.setWord(0x1204, 0);
    read();
    expect(read().outcome).toBe("ok");
    expect([bms.telemetry.view.getUint16(4, bms.telemetry.littleEndian), bms.telemetry.contradicts]).toEqual([0, true]);
  });

  it("of which the second look is lost, it has answered all the same", () => {
    lie(FIELDS.packCurrent, 2_000_000_000);
    const { instead } = fake;
    let asked = 0;
    fake.instead = (bytes, usual) => (asked++ ? null : instead?.(bytes, usual));
    expect(read().outcome).toBe("doubtful");
  });
});

describe("a frame", () => {
  beforeEach(() => {
    open({ readMode: "frames" });
    read();
    fake.requests.length = 0;
  });

  it("is taken the second time when it is the first one, and is no doubt for that", () => {
    open({ readMode: "frames" });
    expect([read().outcome, fake.requests.length, bus.statistics.doubted]).toEqual(["ok", 2, 0]);
    expect([read().outcome, fake.requests.length]).toEqual(["ok", 3]);
  });

  it("with an alarm that only the first one has is never shown", () => {
    open({ readMode: "frames" });
    lie(FIELDS.alarmCode, 1 << 11);
    expect([read().outcome, bms.telemetry.valid]).toEqual(["doubtful", false]);
    expect([read().outcome, value(FIELDS.alarmCode), fake.requests.length]).toEqual(["ok", 0, 3]);
  });

  it("of which each has another alarm, none is shown, however many come in a row", () => {
    let bit = 0;
    fake.instead = () => void hold(FIELDS.alarmCode, 1 << (bit = (bit + 1) % 20));
    hold(FIELDS.alarmCode, 1);
    for (let poll = 0; poll < 10; poll++) expect([read().outcome, value(FIELDS.alarmCode)]).toEqual(["doubtful", 0]);
  });

  it("with an alarm is the third in a row to be shown at the latest, however the load varies", () => {
    const before = value(FIELDS.packVoltage);
    let voltage = before;
    fake.instead = () => void hold(FIELDS.packVoltage, (voltage += VOLTAGE_JUMP + 1));
    hold(FIELDS.alarmCode, 1 << 11);
    expect([read().outcome, value(FIELDS.alarmCode)]).toEqual(["doubtful", 0]);
    expect([read().outcome, value(FIELDS.alarmCode), fake.requests.length]).toEqual(["ok", 1 << 11, DOUBTED_REPLIES]);
  });

  const probe = 0x129c;
  it.each([
    ["an alarm", FIELDS.alarmCode, 1 << 11],
    ["a MOSFET that is off", FIELDS.chargeMos, 0],
    ["another charge", FIELDS.soc, 56],
    ["emergency mode", FIELDS.emergencyTime, 4],
    ["an alarm of a wire", FIELDS.wireResistanceAlarms, 8],
    ["a probe less", FIELDS.temperatureSensors, 0xfd],
  ])("with %s has to come twice, at once", (_, field, raw) => {
    const before = value(field);
    lie(field, raw);
    expect([read().outcome, value(field), fake.requests.length]).toEqual(["ok", before, 2]);
    hold(field, raw);
    expect([read().outcome, value(field), fake.requests.length]).toEqual(["ok", raw, 4]);
  });

  it.each([
    ["a probe", TEMPERATURE_JUMP, (raw: number) => fake.setWord(probe, fake.word(probe) + raw)],
    ["the voltage", VOLTAGE_JUMP, (raw: number) => hold(FIELDS.packVoltage, value(FIELDS.packVoltage) - raw)],
    ["the highest cell", CELLS_JUMP, (raw: number) => fake.setWord(0x1200, highest() + raw)],
  ])("with %s that differs by %i is taken, by one more it has to come twice", (_, most, change) => {
    // From here on the first cell is the highest.
    fake.setWord(0x1200, highest());
    read();
    fake.requests.length = 0;
    change(most);
    read();
    expect(fake.requests).toHaveLength(1);
    change(most + 1);
    read();
    expect(fake.requests).toHaveLength(3);
  });
});

/** mV, of what is shown. */
function highest(): number {
  const { telemetry } = bms;
  return telemetry.view.getUint16(2 * (telemetry.extremes! >> 8) - 2, telemetry.littleEndian);
}

it("by registers, which have a CRC, a jump is taken at once", () => {
  open();
  read();
  fake.requests.length = 0;
  hold(FIELDS.alarmCode, 1 << 11);
  expect([read().outcome, value(FIELDS.alarmCode), fake.requests.length]).toEqual(["ok", 1 << 11, 1]);
});

it.each(captureNames.filter((name) => name.includes("_t02")))("%s contradicts itself in nothing", (name) => {
  const bytes = capture(name);
  const image = new Image(new DataView(bytes.buffer, bytes.byteOffset + 6, BLOCK_BYTES));
  image.renewed(true);
  const holder: { doubt: Doubt | undefined } = { doubt: undefined };
  const unread = new Images()[TELEMETRY];
  // The first frame has to come twice.
  expect([0, 1].map(() => judge(image, unread, true, holder))).toEqual(["ask", "take"]);
  expect([image.contradicts, holder.doubt]).toEqual([false, undefined]);
});

it("hinders no pack, and shows no wrong alarm and counts no energy of frames with two wrong bits; 10,000,000 of them: test/soak", () => {
  expect(passFrames(30_000, 1, 0, 3)).toMatchObject({ hindered: 0, said: 0 });
  const { doubted, energy, said, wrong } = passFrames(60_000, 1, 100);
  expect(said).toBe(0);
  expect(Math.abs(energy)).toBeLessThan(0.5);
  expect(wrong).toBeGreaterThan(100);
  // The others have the wrong bits in what nobody acts on.
  expect(doubted).toBeGreaterThan(wrong / 3);
});

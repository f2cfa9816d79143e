import { shapeOf } from "../support/bms/field-shape";
import { describe, expect, it } from "vitest";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { BLOCK_BASE, lengthOf, offsetOf, registerOf, type Field } from "../../modules/jk-bms/fields";
import { SECRETS } from "../../modules/jk-bms/image";
import { LONG_QUANTITY, MAX_PLAN_QUANTITY, MIN_READ_BACK_QUANTITY } from "../../modules/jk-bms/limits";
import { FURTHER_PLAN, LONG_PLAN, READ_PLANS, SERIAL_PLANS, TAIL, type PlannedRead } from "../../modules/jk-bms/plans";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import { usedFields } from "../support/bms/used-fields";

/** Largest quantity + byte offset / 2 of a read; beyond it exception 2 (docs/jk-modbus.md, "Reads"). */
const LAST_READABLE_WORD = 146;
/** Of a text with the most further words. A read reply contains its length but not its register. */
const LONGEST_READ_BACK = 11;

const placed = (block: BlockType, plan: readonly PlannedRead[]) =>
  plan.map((read) => ({ ...read, block, from: read.register - BLOCK_BASE[block] }));
const BLOCKS = [SETUP, TELEMETRY, DEVICE_INFO] as const;
const short = BLOCKS.flatMap((block) => placed(block, READ_PLANS[block]));
const long = placed(TELEMETRY, LONG_PLAN);
const serials = SERIAL_PLANS.flatMap((plan) => placed(DEVICE_INFO, plan));
const reads = [...short, ...long.slice(0, -1), ...serials];

describe("the read plans", () => {
  it.each(reads)("$register x $quantity obeys the BMS's limits", (read) => {
    const { register, quantity, from } = read;
    expect(register % 2).toBe(0);
    expect(quantity + from / 2).toBeLessThanOrEqual(LAST_READABLE_WORD);
    expect(quantity).toBeLessThan(124);
    expect(quantity === LONG_QUANTITY || quantity <= MAX_PLAN_QUANTITY).toBe(true);
  });

  it.each(Object.entries(FIELDS))("read %s in one piece", (_, field) => {
    const { block, offset, length } = shapeOf(field);
    const whole = (plan: typeof reads) =>
      plan.filter(
        (read) => read.block === block && offset >= read.from && offset + length <= read.from + 2 * read.quantity,
      );
    expect(whole(short)).toHaveLength(1);
    if (block === TELEMETRY) expect(whole(long).length).toBeGreaterThan(0);
  });

  /** Of a pack that answers only short reads it comes with the tail: heaters and chargers change in minutes, and a third read would cost every poll more. */
  const SLOW = ["heatingCurrent", "chargerPlugged"];

  it("leave to the tail only counters, the chemistry and what changes in minutes", () => {
    const [first] = long;
    const used = usedFields();
    const all = Object.entries<Field>(FIELDS).flatMap(([name, field]) =>
      used.has(name) ? { name, ...shapeOf(field) } : [],
    );
    const late = all.filter(
      ({ block, offset, length }) => block === TELEMETRY && offset + length > 2 * first!.quantity,
    );
    expect(late.map(({ name }) => name).toSorted()).toEqual([
      "battery3Temperature",
      "battery4Temperature",
      "battery5Temperature",
      "batteryType",
      "chargeStage",
      "chargeStageTime",
      "detailLogsCount",
      "dryContacts",
      "timeEnterSleep",
    ]);
    for (const { offset } of late) expect(offset).toBeGreaterThanOrEqual(TAIL.register - BLOCK_BASE[TELEMETRY]);
    const early = short.filter(({ block, register }) => block === TELEMETRY && register !== TAIL.register);
    const end = Math.max(...early.map(({ from, quantity }) => from + 2 * quantity));
    for (const { name, block, offset, length } of all)
      if (block === TELEMETRY && !SLOW.includes(name) && !late.some((one) => one.name === name))
        expect(offset + length).toBeLessThanOrEqual(end);
  });

  it("read the cells: 32 voltages, their mask, 32 wire resistances", () => {
    for (let offset = 0; offset < 0x8a; offset += 2)
      expect(
        reads.some(
          ({ block, from, quantity }) => block === TELEMETRY && offset >= from && offset + 2 <= from + 2 * quantity,
        ),
      ).toBe(true);
  });

  it("never touch the Bluetooth PIN (0x1438) and the password (0x1470)", () => {
    expect(SECRETS).toEqual([
      { from: 0x38, to: 0x48 },
      { from: 0x70, to: 0x80 },
    ]);
    for (const { block, from, quantity } of reads)
      if (block === DEVICE_INFO)
        for (const secret of SECRETS) expect(from + 2 * quantity <= secret.from || from >= secret.to).toBe(true);
  });

  it("identify every reply by its length: no two reads share one, nor a read and a read-back", () => {
    const quantities = reads.map(({ quantity }) => quantity);
    expect(new Set(quantities).size).toBe(quantities.length);
    const isOfReadBacks = (quantity: number): boolean =>
      quantity >= MIN_READ_BACK_QUANTITY && quantity <= LONGEST_READ_BACK;
    expect(quantities.filter(isOfReadBacks)).toEqual([]);
  });

  it("have the serial number in one read of its own, which begins with it", () => {
    for (const plan of SERIAL_PLANS) expect(plan).toHaveLength(1);
    for (const { from, quantity } of serials) {
      expect(from).toBe(offsetOf(FIELDS.serialNumber));
      expect(2 * quantity).toBeGreaterThanOrEqual(lengthOf(FIELDS.serialNumber));
    }
  });

  it("need few reads", () => {
    expect(LONG_PLAN).toHaveLength(2);
    expect(READ_PLANS[TELEMETRY]).toHaveLength(3);
    expect(READ_PLANS[SETUP]).toHaveLength(4);
    expect(READ_PLANS[DEVICE_INFO]).toHaveLength(4);
    expect(FURTHER_PLAN).toEqual(READ_PLANS[DEVICE_INFO].slice(-1));
  });
});

describe("the field table", () => {
  it("is deeply frozen", () => {
    for (const field of Object.values(FIELDS)) expect(Object.isFrozen(field)).toBe(true);
  });

  it("has every field inside its block, without overlap", () => {
    let end = 0;
    const byRegister = Object.values(FIELDS).toSorted((one, other) => registerOf(one) - registerOf(other));
    for (const field of byRegister) {
      expect(registerOf(field)).toBeGreaterThanOrEqual(end);
      end = registerOf(field) + lengthOf(field);
    }
  });
});

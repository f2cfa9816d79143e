import * as FIELDS from "jk-bms/field-table";
import { cellPresent, cellVoltage } from "jk-bms/cells";
import { readText } from "jk-bms/fields";
import { DEVICE_INFO } from "jk-bms/types";
import { MAX_READ_QUANTITY } from "modbus/limits";
import { ILLEGAL_ADDRESS, NO_RESPONSE } from "modbus/pdu";
import { LONGEST_ADU_BYTES } from "modbus/tcp";
import Time from "time";
import { lastBlock } from "../catalogue/read";
import type { BusPack } from "../packs/types";
import { BANK_UNIT, MODULE_CELLS, OWN_BASE, OWN_VALUES, PACK_UNITS, SNAPSHOT_MS, SUNSPEC_BASE } from "./limits";
import {
  BANK,
  BANK_CHAIN,
  BMS_SERIAL,
  CONSTANT,
  EACH,
  EACH_CELL,
  EACH_PACK,
  FIRST_CELL,
  HUGE,
  LONG,
  MANUFACTURER,
  MODEL,
  type Model,
  MODULE,
  NAMELESS,
  PACK_CHAIN,
  SERIAL,
  SIGNED,
  TEXT,
  UNSIGNED,
  VERSION,
} from "./models";
import type { ModbusDevice } from "./types";
import { CHARGE, CURRENT, POWER, readBattery, UNIT, VALUES, VOLTAGE } from "./values";

/** What a unit of the value is divided by, of one pack and of several: see the scales of models.ts. SunSpec's current and power are positive while discharging. */
const SCALES: readonly (readonly number[])[] = Object.freeze(
  [
    [1, 10, -100, -100, 100, 10, 1, 0.1],
    [1, 10, -100, -1_000, 1_000, 100, 10, 0.1],
  ],
  true,
);

/** Other units that are the bank's: of clients that take 0 or 255 for "the device itself", and SunSpec's default. */
const ALIASES: readonly number[] = Object.freeze([BANK_UNIT, 0, 126, 255], true);

const HIGHEST = 0x7fff_ffff;
/** Of the own block. */
const UNKNOWN = -0x8000_0000;

/** A model as it was at one moment, for the client that reads it in pieces. */
export interface Snapshot {
  readonly unit: number;
  readonly bytes: Uint8Array;
  readonly takenAt: number;
  /** Register after the last that was read. */
  next: number;
}

/** For whom the registers are read. */
export interface Reader {
  snapshot: Snapshot | undefined;
}

/** The registers of all units, made when they are read. */
export class Registers {
  /** For the request being answered, then its reply: of all clients. */
  readonly buffer = new Uint8Array(LONGEST_ADU_BYTES);
  private readonly device: ModbusDevice;
  private readonly values = new Float64Array(VALUES);
  private scales = SCALES[0] as readonly number[];
  /* Where the words of the model being written go: those of [first, end) to `base` on. */
  private view: DataView = new DataView(this.buffer.buffer);
  private base = 0;
  private first = 0;
  private end = 0;

  constructor(device: ModbusDevice) {
    this.device = device;
  }

  /** Writes `quantity` registers from `register` on into the buffer at `at`. Returns 0, or the exception instead. */
  read(unit: number, register: number, quantity: number, at: number, reader: Reader): number {
    const { buffer } = this;
    const isBank = ALIASES.includes(unit);
    const all = this.device.monitor.packs;
    const packs = isBank ? all : all.filter(({ identity }) => identity.address === unit - PACK_UNITS);
    if (!packs.length) return NO_RESPONSE;
    const end = register + quantity;
    if (register >= OWN_BASE && end <= OWN_BASE + 2 * OWN_VALUES) {
      this.readBattery(packs);
      this.aim(buffer, at, register, end);
      for (let index = 0; index < OWN_VALUES; index++) this.putOwn(OWN_BASE + 2 * index, this.values[index] as number);
      return 0;
    }
    if (register < SUNSPEC_BASE) return ILLEGAL_ADDRESS;
    let isRead = false;
    let start = SUNSPEC_BASE;
    for (const model of isBank ? BANK_CHAIN : PACK_CHAIN) {
      const words = model.words + (model === BANK ? EACH_PACK * packs.length : 0);
      const from = Math.max(register, start);
      const to = Math.min(end, start + words);
      if (from < to) {
        const hasData = to > start + 2;
        const into = at + 2 * (from - register);
        if (hasData && words > MAX_READ_QUANTITY) {
          const taken = this.snapshot(unit, model, start, words, from, packs, reader);
          if (!taken) return NO_RESPONSE;
          buffer.set(taken.bytes.subarray(2 * (from - start), 2 * (to - start)), into);
          taken.next = to;
          if (to === start + words) reader.snapshot = undefined;
        } else {
          if (hasData && model.isLive && !isRead) {
            if (!this.readBattery(packs)) return NO_RESPONSE;
            isRead = true;
          }
          this.aim(buffer, into, from, to);
          this.write(model, start, words, hasData, packs, unit);
        }
      }
      start += words;
    }
    return end > start ? ILLEGAL_ADDRESS : 0;
  }

  /** The reader's, if it goes on with it; otherwise a new one. Undefined: nothing is known of the battery. */
  private snapshot(
    unit: number,
    model: Model,
    start: number,
    words: number,
    from: number,
    packs: readonly BusPack[],
    reader: Reader,
  ): Snapshot | undefined {
    const now = Time.ticks;
    const { snapshot } = reader;
    if (
      snapshot?.unit === unit &&
      snapshot.bytes.length === 2 * words &&
      from >= snapshot.next &&
      ((now - snapshot.takenAt) | 0) < SNAPSHOT_MS
    )
      return snapshot;
    reader.snapshot = undefined;
    if (!this.readBattery(packs)) return undefined;
    const bytes = new Uint8Array(2 * words);
    this.aim(bytes, 0, start, start + words);
    this.write(model, start, words, true, packs, unit);
    return (reader.snapshot = { unit, bytes, takenAt: now, next: start });
  }

  /** False: nothing is known of it. */
  private readBattery(packs: readonly BusPack[]): boolean {
    const { values } = this;
    readBattery(values, packs, this.device);
    this.scales = SCALES[packs.length > 1 ? 1 : 0] as readonly number[];
    const sum = at(values, CHARGE) + at(values, VOLTAGE) + at(values, CURRENT) + at(values, POWER);
    return sum === sum;
  }

  private aim(bytes: Uint8Array, base: number, first: number, end: number): void {
    if (this.view.buffer !== bytes.buffer) this.view = new DataView(bytes.buffer);
    this.base = base;
    this.first = first;
    this.end = end;
    // "Not implemented" of all that is not signed.
    bytes.fill(0xff, base, base + 2 * (end - first));
  }

  private put(register: number, word: number): void {
    if (register >= this.first && register < this.end)
      this.view.setUint16(this.base + 2 * (register - this.first), word);
  }

  private write(
    { id, isLive, points }: Model,
    start: number,
    words: number,
    hasData: boolean,
    packs: readonly BusPack[],
    unit: number,
  ): void {
    this.put(start, id);
    this.put(start + 1, words - 2);
    this.values[UNIT] = unit;
    if (!hasData && isLive) return;
    this.writePoints(points, start, packs, unit);
    if (id === MODULE.id) this.writeCells(start + FIRST_CELL, packs[0] as BusPack);
    if (id !== BANK.id) return;
    start += BANK.words;
    for (const pack of packs) {
      readBattery(this.values, [pack], this.device);
      this.writePoints(EACH, start, packs, unit);
      start += EACH_PACK;
    }
  }

  private writePoints(points: Int32Array, start: number, packs: readonly BusPack[], unit: number): void {
    const { base, end, first, scales, values, view } = this;
    const { length } = points;
    // Not variables of the loop: XS recreates them in each iteration.
    let point = 0;
    let register = 0;
    let kind = 0;
    let exact = 0;
    for (let index = 0; index < length; index++) {
      point = points[index] as number;
      register = start + (point & 0x3ff);
      if (register >= end) return;
      kind = (point >> 10) & 7;
      if (kind === CONSTANT) {
        if (register >= first) view.setUint16(base + 2 * (register - first), point >> 16);
      } else if (kind === TEXT) this.putText(register, (point >> 10) & 0x38, this.textOf(point >> 16, packs, unit));
      else {
        exact = (values[point >> 16] as number) / (scales[(point >> 13) & 7] as number);
        // What most are: a number of one register that can hold it.
        if (kind === UNSIGNED && register >= first && exact >= 0 && exact < 0xfffe)
          view.setUint16(base + 2 * (register - first), Math.round(exact));
        else this.putNumber(register, kind, exact);
      }
    }
  }

  /** Saturated at what the type can hold. */
  private putNumber(register: number, kind: number, exact: number): void {
    const isSigned = kind === SIGNED;
    if (exact !== exact) return isSigned ? this.put(register, 0x8000) : undefined;
    let rest = Math.round(exact);
    if (isSigned) return this.put(register, Math.max(-0x7fff, Math.min(rest, 0x7fff)));
    const words = kind === HUGE ? 4 : kind === LONG ? 2 : 1;
    rest = Math.max(0, Math.min(rest, words > 1 ? HIGHEST : 0xfffe));
    for (let word = words - 1; word >= 0; word--) {
      this.put(register + word, rest & 0xffff);
      rest >>= 16;
    }
  }

  private putOwn(register: number, value: number): void {
    const whole = value === value ? Math.min(Math.round(value), HIGHEST) : UNKNOWN;
    this.put(register, whole >> 16);
    this.put(register + 1, whole & 0xffff);
  }

  private putText(register: number, words: number, text: string): void {
    for (let word = 0; word < words; word++)
      this.put(register + word, (text.charCodeAt(2 * word) << 8) | text.charCodeAt(2 * word + 1));
  }

  private textOf(which: number, packs: readonly BusPack[], unit: number): string {
    const { build, network } = this.device;
    const first = packs[0] as BusPack;
    const info = lastBlock(first, DEVICE_INFO);
    switch (which) {
      case MANUFACTURER:
        return build.softwareName;
      case MODEL:
        return (info && readText(info, FIELDS.model)) || "JK BMS";
      case VERSION:
        return build.version;
      case SERIAL:
        return ALIASES.includes(unit) ? network.mac : `${network.mac}-${first.identity.address}`;
      case BMS_SERIAL:
        return info ? readText(info, FIELDS.serialNumber) : "";
      case NAMELESS:
      default:
        return "";
    }
  }

  private writeCells(start: number, { telemetry }: BusPack): void {
    for (let cell = 0; cell < MODULE_CELLS; cell++) {
      if (cellPresent(telemetry, cell)) this.put(start + EACH_CELL * cell, cellVoltage(telemetry, cell));
      this.put(start + EACH_CELL * cell + 1, 0x8000);
    }
  }
}

const at = (values: Float64Array, index: number): number => values[index] as number;

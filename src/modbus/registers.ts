import * as FIELDS from "jk-bms/field-table";
import { cellPresent, cellVoltage } from "jk-bms/cells";
import { readText } from "jk-bms/fields";
import { DEVICE_INFO } from "jk-bms/types";
import { MAX_READ_QUANTITY } from "modbus/limits";
import { ILLEGAL_ADDRESS, NO_RESPONSE } from "modbus/pdu";
import { LONGEST_ADU_BYTES, putWord } from "modbus/tcp";
import Time from "time";
import { lastBlock } from "../catalogue/read";
import type { BusPack } from "../packs/types";
import { BANK_UNIT, MODULE_CELLS, OWN_BASE, PACK_UNITS, SNAPSHOT_MS, SUNSPEC_BASE } from "./limits";
import {
  AT,
  BANK,
  BANK_CHAIN,
  BMS_SERIAL,
  EACH,
  EACH_CELL,
  EACH_PACK,
  FIRST_CELL,
  HUGE,
  imageOf,
  LONG,
  KIND,
  MANUFACTURER,
  MODEL,
  type Model,
  MODULE,
  NAMELESS,
  LONGER,
  PACK_CHAIN,
  SCALED,
  SERIAL,
  SIGNED,
  TEXT,
  UNSIGNED,
  VALUE,
  VERSION,
} from "./models";
import type { ModbusDevice } from "./types";
import { CHARGE, CURRENT, OWN, POWER, POWER_SCALE, readBattery, SCALE, UNIT, VALUES, VOLTAGE } from "./values";

/** What a unit of the value is divided by, of one pack and of several: the scales of values.ts, in their order; first what has none. SunSpec's current and power are positive while discharging. */
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

/** For whom the registers are read. */
export interface Reader {
  /**
   * A model as it was at one moment, while it is read in pieces; behind its registers the ticks of that moment, the word after the last that was read,
   * and the unit. One buffer: an object takes three times the slots.
   */
  snapshot: ArrayBuffer | undefined;
}

/** Of a snapshot behind its registers: length and offsets. */
const BEHIND = 8;
const NEXT = 4;
const WHOSE = 6;

/** Its pieces would no longer be of one moment. */
export function isOver(snapshot: ArrayBuffer, now: number): boolean {
  return ((now - new DataView(snapshot).getInt32(snapshot.byteLength - BEHIND)) | 0) >= SNAPSHOT_MS;
}

/** The registers of all units, made when they are read. */
export class Registers {
  /** For the request being answered, then its reply: of all clients. */
  readonly buffer = new Uint8Array(LONGEST_ADU_BYTES);
  private readonly device: ModbusDevice;
  private readonly values = new Float64Array(VALUES);
  private scales = SCALES[0] as readonly number[];

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
    if (register >= OWN_BASE && end <= OWN_BASE + 2 * OWN.length) {
      buffer.set(this.ownBlock(packs).subarray(2 * (register - OWN_BASE), 2 * (end - OWN_BASE)), at);
      return 0;
    }
    if (register < SUNSPEC_BASE) return ILLEGAL_ADDRESS;
    const chain = isBank ? BANK_CHAIN : PACK_CHAIN;
    let start = SUNSPEC_BASE;
    let words = 0;
    let model: Model;
    for (let place = 0; place < chain.length; place++) {
      model = chain[place] as Model;
      words = model.words + (model === BANK ? EACH_PACK * packs.length : 0);
      if (register < start + words) {
        const from = register > start ? register - start : 0;
        const to = end < start + words ? end - start : words;
        const bytes = this.bytesOf(model, words, from, to, unit, packs, reader);
        if (!bytes) return NO_RESPONSE;
        buffer.set(bytes.subarray(2 * from, 2 * to), at + 2 * (start + from - register));
      }
      start += words;
      if (end <= start) return 0;
    }
    return ILLEGAL_ADDRESS;
  }

  /**
   * A model, of which the words [from, to) are asked for: its ID and length alone if nothing else is. Undefined: nothing is known of the battery, and
   * more than its head is asked for. One that takes several requests is the reader's, if it goes on with it.
   */
  private bytesOf(
    model: Model,
    words: number,
    from: number,
    to: number,
    unit: number,
    packs: readonly BusPack[],
    reader: Reader,
  ): Uint8Array | undefined {
    const isLive = to > model.head;
    const isLong = isLive && words > MAX_READ_QUANTITY;
    const end = 2 * words;
    const now = Time.ticks;
    const { snapshot } = reader;
    let bytes: Uint8Array;
    let about: DataView | undefined;
    if (isLong && snapshot?.byteLength === end + BEHIND && !isOver(snapshot, now)) about = new DataView(snapshot, end);
    if (about?.getUint8(WHOSE) === unit && from >= about.getUint16(NEXT))
      bytes = new Uint8Array(snapshot as ArrayBuffer);
    else {
      // The models before 803 have no temperatures.
      if (to > 2 && !this.readBattery(packs, model.id >= BANK.id) && isLive) return undefined;
      bytes = imageOf(model.points);
      if (bytes.length < end || isLong) {
        const first = bytes;
        bytes = new Uint8Array(isLong ? end + BEHIND : end).fill(0xff);
        bytes.set(first);
        putWord(bytes, 2, words - 2);
      }
      if (to > 2) this.write(bytes, model, unit, packs);
      if (!isLong) return bytes;
      about = new DataView(bytes.buffer, end);
      about.setInt32(0, now);
      about.setUint8(WHOSE, unit);
    }
    about.setUint16(NEXT, to);
    reader.snapshot = to < words ? (bytes.buffer as ArrayBuffer) : undefined;
    return bytes;
  }

  /** False: nothing is known of it. */
  private readBattery(packs: readonly BusPack[], hasTemperatures = true): boolean {
    const { values } = this;
    readBattery(values, packs, this.device, hasTemperatures);
    this.scales = SCALES[packs.length > 1 ? 1 : 0] as readonly number[];
    const sum = at(values, CHARGE) + at(values, VOLTAGE) + at(values, CURRENT) + at(values, POWER);
    return sum === sum;
  }

  private write(bytes: Uint8Array, { id, points }: Model, unit: number, packs: readonly BusPack[]): void {
    const { buffer } = bytes;
    this.values[UNIT] = unit;
    this.writePoints(new DataView(buffer), points, unit, packs);
    if (id === MODULE.id) writeCells(new DataView(buffer), packs[0] as BusPack);
    if (id !== BANK.id) return;
    let start = 2 * BANK.words;
    for (const pack of packs) {
      readBattery(this.values, [pack], this.device);
      bytes.set(imageOf(EACH), start);
      this.writePoints(new DataView(buffer, start), EACH, unit, packs);
      start += 2 * EACH_PACK;
    }
  }

  private writePoints(view: DataView, points: Int32Array, unit: number, packs: readonly BusPack[]): void {
    const { scales, values } = this;
    let { length } = points;
    // The image has the scale factors of one pack.
    if (scales === SCALES[0]) while (((points[length - 1] as number) & VALUE) >= POWER_SCALE) length--;
    // Not variables of the loop: XS recreates them in each iteration.
    let index = 0;
    let point = 0;
    let exact = 0;
    let kind = 0;
    while (index < length) {
      point = points[index++] as number;
      exact = values[point & VALUE] as number;
      if (point & SCALED) exact /= scales[(point >> SCALE) & 7] as number;
      // What most are: a number that one register of any kind can hold.
      if (exact >= 0 && exact < 0x7fff && !(point & LONGER)) view.setUint16(point >> AT, exact + 0.5);
      else {
        kind = (point >> KIND) & 7;
        if (kind === LONG && exact >= 0 && exact <= HIGHEST) view.setUint32(point >> AT, exact);
        else if (kind === TEXT)
          putText(view, point >> AT, (point >> 2) & 0x70, this.textOf(point & VALUE, packs, unit));
        else putNumber(view, point >> AT, kind, exact);
      }
    }
  }

  private ownBlock(packs: readonly BusPack[]): Uint8Array {
    const view = new DataView(new ArrayBuffer(4 * OWN.length));
    this.readBattery(packs);
    for (let index = 0; index < OWN.length; index++) {
      const value = this.values[OWN.charCodeAt(index)] as number;
      view.setInt32(4 * index, value === value ? Math.min(Math.round(value), HIGHEST) : UNKNOWN);
    }
    return new Uint8Array(view.buffer);
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
}

/** Saturated at what the type can hold. */
function putNumber(view: DataView, byte: number, kind: number, exact: number): void {
  const isSigned = kind === SIGNED;
  if (exact !== exact) {
    if (isSigned) view.setUint16(byte, 0x8000);
    return;
  }
  const whole = Math.round(exact);
  if (isSigned) view.setInt16(byte, Math.max(-0x7fff, Math.min(whole, 0x7fff)));
  else if (kind === UNSIGNED) view.setUint16(byte, Math.max(0, Math.min(whole, 0xfffe)));
  else {
    // Of four registers the last two.
    if (kind === HUGE) view.setUint32(byte, 0);
    view.setUint32(kind === HUGE ? byte + 4 : byte, Math.max(0, Math.min(whole, HIGHEST)));
  }
}

/** The rest of its `length` bytes is 0. */
function putText(view: DataView, byte: number, length: number, text: string): void {
  for (let index = 0; index < length; index++) view.setUint8(byte + index, text.charCodeAt(index));
}

function writeCells(view: DataView, { telemetry }: BusPack): void {
  for (let cell = 0; cell < MODULE_CELLS; cell++) {
    const byte = 2 * (FIRST_CELL + EACH_CELL * cell);
    if (cellPresent(telemetry, cell)) view.setUint16(byte, cellVoltage(telemetry, cell));
    view.setUint16(byte + 2, 0x8000);
  }
}

const at = (values: Float64Array, index: number): number => values[index] as number;

/**
 * The only registers that are ever written, and the only function that forms a write request. Adjacent registers act on
 * any value: one-key chemistry presets (0x160A to 0x160E), shutdown (0x1604), restart and restore (0x1616 to 0x161A), firmware upgrade
 * (0x1626). They cannot be reached: a request is formed only from an entry of these tables.
 */
import { encodeWriteInPlace } from "modbus/pdu";
import { PDU, WRITE_DATA } from "modbus/rtu";
import * as FIELDS from "./field-table";
import { getterOf, registerOf, type Field } from "./fields";
import { MAX_TEXT } from "./limits";
import { DEVICE_INFO, LOG, SETUP, TELEMETRY } from "./types";

/**
 * switch: 0 or 1 in 32 bits. number: 32 bits, signed if its field is. bit: one bit of a word that must be read first. pulse: 0 or 1 in
 * one word, read back from another register. text: NUL-padded. trigger: always 0.
 */
export type WriteKind = "switch" | "number" | "bit" | "pulse" | "text" | "trigger";

export interface Writable {
  readonly register: number;
  /** 16-bit words. */
  readonly words: number;
  readonly kind: WriteKind;
  /** Where the value is read back. */
  readonly field: Field;
  /** The bit of `bit`. */
  readonly mask: number;
}

/** Frozen here as well: engines other than XS freeze only the top level of a table. */
const entry = (kind: WriteKind, field: Field, words: number, register = registerOf(field), mask = 0): Writable =>
  Object.freeze({ register, words, kind, field, mask }, true);
const onOff = (field: Field): Writable => entry("switch", field, 2);
const number = (field: Field): Writable => entry("number", field, 2);
const switchBit = (bit: number): Writable =>
  entry("bit", FIELDS.switchWord, 1, registerOf(FIELDS.switchWord), 1 << bit);

/** Names of the bits of 0x1114, from bit 0 on (docs/jk-modbus.md, "Switch word"). */
export const SWITCHES =
  "heating, temperature sensors disabled, GPS heartbeat, shared port is RS485, display always on, special charger, smart sleep, parallel current limiter off, timed stored data, float mode, emergency by the button, dry contacts intermittent, discharge OCP II, discharge OCP III, GPS locks charging, GPS locks discharging";

/** The documented commands and parameters, by API name. */
export const WRITES = Object.freeze(
  {
    charge_mos: onOff(FIELDS.chargeEnabled), // 0x1070
    discharge_mos: onOff(FIELDS.dischargeEnabled), // 0x1074
    balance: onOff(FIELDS.balanceEnabled), // 0x1078
    emergency: entry("pulse", FIELDS.emergencyTime, 1, 0x1610), // seen at 0x12D4
    temperature_sensors_disabled: switchBit(1), // of 0x1114
    display_always_on: switchBit(4), // of 0x1114

    cell_count: number(FIELDS.cellCount), // 0x106C
    capacity_ah: number(FIELDS.capacity), // 0x107C
    bluetooth_name: entry("text", FIELDS.bluetoothName, 8), // 0x1428
    balance_enabled: onOff(FIELDS.balanceEnabled), // 0x1078
    balance_trigger_voltage: number(FIELDS.balanceTriggerVoltage), // 0x1014
    balance_start_voltage: number(FIELDS.balanceStartVoltage), // 0x1084
    max_balance_current: number(FIELDS.maxBalanceCurrent), // 0x1048
    cell_uvp_voltage: number(FIELDS.cellUvpVoltage), // 0x1004
    cell_uvpr_voltage: number(FIELDS.cellUvprVoltage), // 0x1008
    cell_ovp_voltage: number(FIELDS.cellOvpVoltage), // 0x100C
    cell_ovpr_voltage: number(FIELDS.cellOvprVoltage), // 0x1010
    cell_rcv_voltage: number(FIELDS.cellRcvVoltage), // 0x1020
    power_off_voltage: number(FIELDS.powerOffVoltage), // 0x1028
    charge_otp: number(FIELDS.chargeOtp), // 0x104C
    charge_otpr: number(FIELDS.chargeOtpr), // 0x1050
    charge_utp: number(FIELDS.chargeUtp), // 0x105C
    charge_utpr: number(FIELDS.chargeUtpr), // 0x1060
    discharge_otp: number(FIELDS.dischargeOtp), // 0x1054
    discharge_otpr: number(FIELDS.dischargeOtpr), // 0x1058
    mos_otp: number(FIELDS.mosOtp), // 0x1064
    mos_otpr: number(FIELDS.mosOtpr), // 0x1068
  },
  true,
);

export type WriteName = keyof typeof WRITES;

/** Requests for the frame of a block, or of the log (docs/jk-modbus.md, "Triggers"). */
export const TRIGGERS = Object.freeze(
  {
    [SETUP]: entry("trigger", FIELDS.smartSleepVoltage, 1, 0x161e),
    [TELEMETRY]: entry("trigger", FIELDS.packVoltage, 1, 0x1620),
    [DEVICE_INFO]: entry("trigger", FIELDS.model, 1, 0x161c),
    [LOG]: entry("trigger", FIELDS.runtime, 1, 0x1624),
  } as const,
  true,
);

const ALLOWED: readonly Writable[] = Object.freeze([...Object.values(WRITES), ...Object.values(TRIGGERS)], true);

/** @throws RangeError for a name that is not in the list */
export function writableByName(name: string): Writable {
  // Inherited members (constructor, __proto__) are not entries of this table.
  if (typeof name !== "string" || !Object.hasOwn(WRITES, name)) throw new RangeError("not a writable register");
  return WRITES[name as WriteName];
}

/**
 * Whether `entry` can take `value`, which is raw (3650 for 3.650 V) or a text.
 * @throws RangeError if not: a switch takes 0 and 1, a number an integer of 32 bits, a text 1 to 16 printable ASCII characters
 */
export function checkValue({ kind, field }: Writable, value: number | string): void {
  if (kind === "text") {
    if (typeof value === "string" && isPrintable(value)) return;
  } else if (typeof value === "number" && Number.isInteger(value)) {
    if (
      kind !== "number"
        ? value === 0 || value === 1
        : value === (getterOf(field) === "getInt32" ? value | 0 : value >>> 0)
    )
      return;
  }
  throw new RangeError("value out of range of its register");
}

function isPrintable(text: string): boolean {
  if (!text.length || text.length > MAX_TEXT) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/**
 * Writes the request's PDU into `adu` and returns its length.
 * @param entry of this module's tables; anything else, even a copy, is rejected
 * @param value of all the entry's words; for a bit, the whole word
 * @throws RangeError if the entry is not in the tables or cannot take the value
 */
export function encodeAllowedWrite(adu: Uint8Array, entry: Writable, value: number | string): number {
  if (!ALLOWED.includes(entry)) throw new RangeError("not a writable register");
  if (entry.kind === "trigger" && value !== 0) throw new RangeError("a trigger must be written with 0");
  if (entry.kind !== "bit") checkValue(entry, value);
  else if (value !== ((value as number) & 0xffff)) throw new RangeError("not a word");
  const bytes = 2 * entry.words;
  for (let index = 0; index < bytes; index++)
    adu[WRITE_DATA + index] =
      typeof value === "string"
        ? index < value.length
          ? value.charCodeAt(index)
          : 0
        : value >> (8 * (bytes - 1 - index));
  return encodeWriteInPlace(adu, PDU, entry.register, entry.words);
}

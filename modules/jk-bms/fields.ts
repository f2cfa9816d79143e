/**
 * Layout of the three blocks (docs/jk-modbus.md, "Settings", "Telemetry", "Device info"). One table for both read modes: a register address
 * is the block's base plus a byte offset; in the block's frame the field is at the same offset after the six header bytes.
 */
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "./types";

/** DataView method that reads a type of number: on XS a look-up by method name is faster than a branch on the type. */
export type Getter = "getUint8" | "getInt8" | "getUint16" | "getInt16" | "getUint32" | "getInt32" | "getFloat32";

/** Unit of a raw number: the value in `unit` is raw / 10 ** decimals. */
export interface Scale {
  readonly decimals: number;
  readonly unit: string;
}

export interface Field {
  readonly block: BlockType;
  /** Byte offset in the block. The even offset of a word is its high byte. */
  readonly offset: number;
  /** Undefined for a text. */
  readonly getter: Getter | undefined;
  readonly scale: Scale;
  /** Bytes. */
  readonly length: number;
}

/** Register of the first byte of each block. */
export const BLOCK_BASE = Object.freeze({ [SETUP]: 0x1000, [TELEMETRY]: 0x1200, [DEVICE_INFO]: 0x1400 } as const, true);

export function blockOf(register: number): BlockType {
  if (register < BLOCK_BASE[TELEMETRY]) return SETUP;
  return register < BLOCK_BASE[DEVICE_INFO] ? TELEMETRY : DEVICE_INFO;
}

/** The register of a field's first byte, as in the protocol. */
export const registerOf = ({ block, offset }: Field): number => BLOCK_BASE[block] + offset;

const BYTES = Object.freeze({ u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4 } as const, true);
const GETTERS: Readonly<Record<keyof typeof BYTES, Getter>> = Object.freeze(
  {
    u8: "getUint8",
    i8: "getInt8",
    u16: "getUint16",
    i16: "getInt16",
    u32: "getUint32",
    i32: "getInt32",
    f32: "getFloat32",
  },
  true,
);

const scaleOf = (decimals: number, unit = ""): Scale => Object.freeze({ decimals, unit }, true);
const PLAIN = scaleOf(0);
const MILLIVOLTS = scaleOf(3, "V");
const MILLIAMPERES = scaleOf(3, "A");
const MILLIAMPERE_HOURS = scaleOf(3, "Ah");
const MILLIWATTS = scaleOf(3, "W");
const TENTHS_OF_DEGREE = scaleOf(1, "°C");
const SECONDS = scaleOf(0, "s");
const HOURS = scaleOf(0, "h");
const MICROSECONDS = scaleOf(0, "µs");
const DEGREES = scaleOf(0, "°C");
const TENTHS_OF_SECOND = scaleOf(1, "s");
const CELLS = scaleOf(0, "cells");
const PERCENT = scaleOf(0, "%");

function number(register: number, type: keyof typeof BYTES, scale = PLAIN): Field {
  const block = blockOf(register);
  const offset = register - BLOCK_BASE[block];
  return Object.freeze({ block, offset, getter: GETTERS[type], scale, length: BYTES[type] }, true);
}

function text(register: number, length: number): Field {
  const block = blockOf(register);
  const offset = register - BLOCK_BASE[block];
  return Object.freeze({ block, offset, getter: undefined, scale: PLAIN, length } as const, true);
}

/** By register. The device's bundle has only those that the firmware uses (scripts/device-fields.mjs). */
export const FIELDS = Object.freeze(
  {
    smartSleepVoltage: number(0x1000, "u32", MILLIVOLTS),
    cellUvpVoltage: number(0x1004, "u32", MILLIVOLTS),
    cellUvprVoltage: number(0x1008, "u32", MILLIVOLTS),
    cellOvpVoltage: number(0x100c, "u32", MILLIVOLTS),
    cellOvprVoltage: number(0x1010, "u32", MILLIVOLTS),
    balanceTriggerVoltage: number(0x1014, "u32", MILLIVOLTS),
    soc100Voltage: number(0x1018, "u32", MILLIVOLTS),
    soc0Voltage: number(0x101c, "u32", MILLIVOLTS),
    cellRcvVoltage: number(0x1020, "u32", MILLIVOLTS),
    cellRfvVoltage: number(0x1024, "u32", MILLIVOLTS),
    powerOffVoltage: number(0x1028, "u32", MILLIVOLTS),
    maxChargeCurrent: number(0x102c, "u32", MILLIAMPERES),
    chargeOcpDelay: number(0x1030, "u32", SECONDS),
    chargeOcpRelease: number(0x1034, "u32", SECONDS),
    maxDischargeCurrent: number(0x1038, "u32", MILLIAMPERES),
    dischargeOcpDelay: number(0x103c, "u32", SECONDS),
    dischargeOcpRelease: number(0x1040, "u32", SECONDS),
    shortCircuitRelease: number(0x1044, "u32", SECONDS),
    maxBalanceCurrent: number(0x1048, "u32", MILLIAMPERES),
    chargeOtp: number(0x104c, "i32", TENTHS_OF_DEGREE),
    chargeOtpr: number(0x1050, "i32", TENTHS_OF_DEGREE),
    dischargeOtp: number(0x1054, "i32", TENTHS_OF_DEGREE),
    dischargeOtpr: number(0x1058, "i32", TENTHS_OF_DEGREE),
    chargeUtp: number(0x105c, "i32", TENTHS_OF_DEGREE),
    chargeUtpr: number(0x1060, "i32", TENTHS_OF_DEGREE),
    mosOtp: number(0x1064, "i32", TENTHS_OF_DEGREE),
    mosOtpr: number(0x1068, "i32", TENTHS_OF_DEGREE),
    cellCount: number(0x106c, "u32", CELLS),
    /** The switches as set, 0 or 1; chargeMos and dischargeMos are the state of the MOSFETs. */
    chargeEnabled: number(0x1070, "u32"),
    dischargeEnabled: number(0x1074, "u32"),
    balanceEnabled: number(0x1078, "u32"),
    /** Design capacity; the learned one is fullCapacity. */
    capacity: number(0x107c, "u32", MILLIAMPERE_HOURS),
    shortCircuitDelay: number(0x1080, "u32", MICROSECONDS),
    balanceStartVoltage: number(0x1084, "u32", MILLIVOLTS),
    /** The DIP switch. */
    deviceAddress: number(0x1108, "u32"),
    prechargeTime: number(0x110c, "u32", SECONDS),
    currentRange: number(0x1110, "u32", MILLIAMPERES),
    /** 16 switches (docs/jk-modbus.md, "Switch word"). */
    switchWord: number(0x1114, "u16"),
    heatingStart: number(0x1116, "i8", DEGREES),
    heatingStop: number(0x1117, "i8", DEGREES),
    smartSleepTime: number(0x1118, "u8", HOURS),

    /** Bit n: cell n + 1 is present. Cell voltages and wire resistances: cells.ts. */
    cellsPresent: number(0x1240, "u32"),
    averageCellVoltage: number(0x1244, "u16", MILLIVOLTS),
    /** Computed by the BMS, some polls behind the cell voltages. */
    cellDelta: number(0x1246, "u16", MILLIVOLTS),
    mosfetTemperature: number(0x128a, "i16", TENTHS_OF_DEGREE),
    /** Bit n: alarm of wire n + 1. */
    wireResistanceAlarms: number(0x128c, "u32"),
    packVoltage: number(0x1290, "u32", MILLIVOLTS),
    /** Magnitude only; packCurrent has the sign. */
    packPower: number(0x1294, "u32", MILLIWATTS),
    /** Positive when charging. */
    packCurrent: number(0x1298, "i32", MILLIAMPERES),
    battery1Temperature: number(0x129c, "i16", TENTHS_OF_DEGREE),
    battery2Temperature: number(0x129e, "i16", TENTHS_OF_DEGREE),
    /** docs/jk-modbus.md, "Alarms". */
    alarmCode: number(0x12a0, "u32"),
    balanceCurrent: number(0x12a4, "i16", MILLIAMPERES),
    /** 0: not balancing. */
    balanceState: number(0x12a6, "u8"),
    soc: number(0x12a7, "u8", PERCENT),
    remainingCapacity: number(0x12a8, "i32", MILLIAMPERE_HOURS),
    fullCapacity: number(0x12ac, "u32", MILLIAMPERE_HOURS),
    cycles: number(0x12b0, "u32"),
    cycleCapacity: number(0x12b4, "u32", MILLIAMPERE_HOURS),
    stateOfHealth: number(0x12b8, "u8", PERCENT),
    precharge: number(0x12b9, "u8"),
    userAlarm: number(0x12ba, "u16"),
    runtime: number(0x12bc, "u32", SECONDS),
    /** Outputs, 0 or 1; also off while a protection is active. */
    chargeMos: number(0x12c0, "u8"),
    dischargeMos: number(0x12c1, "u8"),
    /** Meaning disputed. */
    userAlarm2: number(0x12c2, "u16"),
    /** Countdown to the release of a protection, like the five behind it. */
    dischargeOcpCountdown: number(0x12c4, "u16", SECONDS),
    dischargeScpCountdown: number(0x12c6, "u16", SECONDS),
    chargeOcpCountdown: number(0x12c8, "u16", SECONDS),
    chargeScpCountdown: number(0x12ca, "u16", SECONDS),
    uvpCountdown: number(0x12cc, "u16", SECONDS),
    ovpCountdown: number(0x12ce, "u16", SECONDS),
    /** 1: present, despite the vendor's name. Bit 0: MOSFET, bits 1 to 5: battery 1 to 5. */
    temperatureSensors: number(0x12d0, "u8"),
    heating: number(0x12d1, "u8"),
    /** Countdown; above 0: emergency mode is on. */
    emergencyTime: number(0x12d4, "u16", SECONDS),
    voltageCorrection: number(0x12dc, "f32"),
    heatingCurrent: number(0x12e6, "i16", MILLIAMPERES),
    chargerPlugged: number(0x12ef, "u8"),
    /** Since the BMS booted. */
    sysRunTicks: number(0x12f0, "u32", TENTHS_OF_SECOND),
    battery3Temperature: number(0x12f8, "i16", TENTHS_OF_DEGREE),
    battery4Temperature: number(0x12fa, "i16", TENTHS_OF_DEGREE),
    battery5Temperature: number(0x12fc, "i16", TENTHS_OF_DEGREE),
    /** Seconds since 2020-01-01 00:00, as far as the BMS knows. */
    clock: number(0x1300, "u32", SECONDS),
    detailLogsCount: number(0x1304, "u32"),
    timeEnterSleep: number(0x1308, "u32", SECONDS),
    parallelModule: number(0x130c, "u8"),
    /** 0 LiFePO4, 1 Li-ion, 2 LTO. */
    batteryType: number(0x130d, "u8"),
    chargeStageTime: number(0x1310, "u16", SECONDS),
    /** 0 bulk, 1 absorption, 2 float. */
    chargeStage: number(0x1312, "u8"),
    /** Bit 0: buzzer of the display, bits 1 and 2: dry contacts. */
    dryContacts: number(0x1313, "u8"),

    model: text(0x1400, 15),
    /** 0 on older firmware. */
    maxCells: number(0x140f, "u8", CELLS),
    hardwareVersion: text(0x1410, 8),
    softwareVersion: text(0x1418, 8),
    totalRuntime: number(0x1420, "u32", SECONDS),
    powerOnTimes: number(0x1424, "u32"),
    bluetoothName: text(0x1428, 16),
    /** YYMMDD. */
    manufactureDate: text(0x1448, 8),
    serialNumber: text(0x1450, 16),
    userData: text(0x1460, 16),
  },
  true,
);

/** A question mark replaces each byte of a text that is not printable ASCII. */
export const UNPRINTABLE = 0x3f;

/** The text at byte `at`, at most `length` bytes, up to a NUL; bytes that are not printable ASCII become `?`. */
export function textAt(view: DataView, at: number, length: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  const nul = bytes.indexOf(0);
  const end = nul < 0 ? length : nul;
  const codes = new Array<number>(end);
  let code = 0;
  for (let index = 0; index < end; index++) {
    code = bytes[index] as number;
    codes[index] = code >= 0x20 && code < 0x7f ? code : UNPRINTABLE;
  }
  return String.fromCharCode.apply(undefined, codes);
}

/** A field's number as the BMS sent it, in units of `field.scale`. Throws a TypeError for a text field. */
export function readRaw(image: BlockImage, field: Field): number {
  const { getter } = field;
  if (!getter) throw new TypeError("a text is not a number");
  return image.view[getter](field.offset, image.littleEndian);
}

/** A text field. */
export function readText(image: BlockImage, field: Field): string {
  return textAt(image.view, field.offset, field.length);
}

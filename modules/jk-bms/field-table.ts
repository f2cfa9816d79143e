/**
 * The fields of the blocks, by register: `import * as FIELDS`. Each takes some 150 bytes of flash, and the device's bundle leaves out those
 * that the firmware does not name. It can do so as long as nobody lists or indexes the namespace.
 */
import { BLOCK_BASE, blockOf, type Field, type Getter, type Scale } from "./fields";

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

/* @__NO_SIDE_EFFECTS__ */
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

/* @__NO_SIDE_EFFECTS__ */
function number(register: number, type: keyof typeof BYTES, scale = PLAIN): Field {
  const block = blockOf(register);
  const offset = register - BLOCK_BASE[block];
  return Object.freeze({ block, offset, getter: GETTERS[type], scale, length: BYTES[type] }, true);
}

/* @__NO_SIDE_EFFECTS__ */
function text(register: number, length: number): Field {
  const block = blockOf(register);
  const offset = register - BLOCK_BASE[block];
  return Object.freeze({ block, offset, getter: undefined, scale: PLAIN, length } as const, true);
}

export const smartSleepVoltage = number(0x1000, "u32", MILLIVOLTS);
export const cellUvpVoltage = number(0x1004, "u32", MILLIVOLTS);
export const cellUvprVoltage = number(0x1008, "u32", MILLIVOLTS);
export const cellOvpVoltage = number(0x100c, "u32", MILLIVOLTS);
export const cellOvprVoltage = number(0x1010, "u32", MILLIVOLTS);
export const balanceTriggerVoltage = number(0x1014, "u32", MILLIVOLTS);
export const soc100Voltage = number(0x1018, "u32", MILLIVOLTS);
export const soc0Voltage = number(0x101c, "u32", MILLIVOLTS);
export const cellRcvVoltage = number(0x1020, "u32", MILLIVOLTS);
export const cellRfvVoltage = number(0x1024, "u32", MILLIVOLTS);
export const powerOffVoltage = number(0x1028, "u32", MILLIVOLTS);
export const maxChargeCurrent = number(0x102c, "u32", MILLIAMPERES);
export const chargeOcpDelay = number(0x1030, "u32", SECONDS);
export const chargeOcpRelease = number(0x1034, "u32", SECONDS);
export const maxDischargeCurrent = number(0x1038, "u32", MILLIAMPERES);
export const dischargeOcpDelay = number(0x103c, "u32", SECONDS);
export const dischargeOcpRelease = number(0x1040, "u32", SECONDS);
export const shortCircuitRelease = number(0x1044, "u32", SECONDS);
export const maxBalanceCurrent = number(0x1048, "u32", MILLIAMPERES);
export const chargeOtp = number(0x104c, "i32", TENTHS_OF_DEGREE);
export const chargeOtpr = number(0x1050, "i32", TENTHS_OF_DEGREE);
export const dischargeOtp = number(0x1054, "i32", TENTHS_OF_DEGREE);
export const dischargeOtpr = number(0x1058, "i32", TENTHS_OF_DEGREE);
export const chargeUtp = number(0x105c, "i32", TENTHS_OF_DEGREE);
export const chargeUtpr = number(0x1060, "i32", TENTHS_OF_DEGREE);
export const mosOtp = number(0x1064, "i32", TENTHS_OF_DEGREE);
export const mosOtpr = number(0x1068, "i32", TENTHS_OF_DEGREE);
export const cellCount = number(0x106c, "u32", CELLS);
/** The switches as set, 0 or 1; chargeMos and dischargeMos are the state of the MOSFETs. */
export const chargeEnabled = number(0x1070, "u32");
export const dischargeEnabled = number(0x1074, "u32");
export const balanceEnabled = number(0x1078, "u32");
/** Design capacity; the learned one is fullCapacity. */
export const capacity = number(0x107c, "u32", MILLIAMPERE_HOURS);
export const shortCircuitDelay = number(0x1080, "u32", MICROSECONDS);
export const balanceStartVoltage = number(0x1084, "u32", MILLIVOLTS);
/** The DIP switch. */
export const deviceAddress = number(0x1108, "u32");
export const prechargeTime = number(0x110c, "u32", SECONDS);
export const currentRange = number(0x1110, "u32", MILLIAMPERES);
/** 16 switches (docs/jk-modbus.md, "Switch word"). */
export const switchWord = number(0x1114, "u16");
export const heatingStart = number(0x1116, "i8", DEGREES);
export const heatingStop = number(0x1117, "i8", DEGREES);
export const smartSleepTime = number(0x1118, "u8", HOURS);

/** Bit n: cell n + 1 is present. Cell voltages and wire resistances: cells.ts. */
export const cellsPresent = number(0x1240, "u32");
export const averageCellVoltage = number(0x1244, "u16", MILLIVOLTS);
/** Computed by the BMS, some polls behind the cell voltages. */
export const cellDelta = number(0x1246, "u16", MILLIVOLTS);
export const mosfetTemperature = number(0x128a, "i16", TENTHS_OF_DEGREE);
/** Bit n: alarm of wire n + 1. */
export const wireResistanceAlarms = number(0x128c, "u32");
export const packVoltage = number(0x1290, "u32", MILLIVOLTS);
/** Magnitude only; packCurrent has the sign. */
export const packPower = number(0x1294, "u32", MILLIWATTS);
/** Positive when charging. */
export const packCurrent = number(0x1298, "i32", MILLIAMPERES);
export const battery1Temperature = number(0x129c, "i16", TENTHS_OF_DEGREE);
export const battery2Temperature = number(0x129e, "i16", TENTHS_OF_DEGREE);
/** docs/jk-modbus.md, "Alarms". */
export const alarmCode = number(0x12a0, "u32");
export const balanceCurrent = number(0x12a4, "i16", MILLIAMPERES);
/** 0: not balancing. */
export const balanceState = number(0x12a6, "u8");
export const soc = number(0x12a7, "u8", PERCENT);
export const remainingCapacity = number(0x12a8, "i32", MILLIAMPERE_HOURS);
export const fullCapacity = number(0x12ac, "u32", MILLIAMPERE_HOURS);
export const cycles = number(0x12b0, "u32");
export const cycleCapacity = number(0x12b4, "u32", MILLIAMPERE_HOURS);
export const stateOfHealth = number(0x12b8, "u8", PERCENT);
export const precharge = number(0x12b9, "u8");
export const userAlarm = number(0x12ba, "u16");
export const runtime = number(0x12bc, "u32", SECONDS);
/** Outputs, 0 or 1; also off while a protection is active. */
export const chargeMos = number(0x12c0, "u8");
export const dischargeMos = number(0x12c1, "u8");
/** Meaning disputed. */
export const userAlarm2 = number(0x12c2, "u16");
/** Countdown to the release of a protection, like the five behind it. */
export const dischargeOcpCountdown = number(0x12c4, "u16", SECONDS);
export const dischargeScpCountdown = number(0x12c6, "u16", SECONDS);
export const chargeOcpCountdown = number(0x12c8, "u16", SECONDS);
export const chargeScpCountdown = number(0x12ca, "u16", SECONDS);
export const uvpCountdown = number(0x12cc, "u16", SECONDS);
export const ovpCountdown = number(0x12ce, "u16", SECONDS);
/** 1: present, despite the vendor's name. Bit 0: MOSFET, bits 1 to 5: battery 1 to 5. */
export const temperatureSensors = number(0x12d0, "u8");
export const heating = number(0x12d1, "u8");
/** Countdown; above 0: emergency mode is on. */
export const emergencyTime = number(0x12d4, "u16", SECONDS);
export const voltageCorrection = number(0x12dc, "f32");
export const heatingCurrent = number(0x12e6, "i16", MILLIAMPERES);
export const chargerPlugged = number(0x12ef, "u8");
/** Since the BMS booted. */
export const sysRunTicks = number(0x12f0, "u32", TENTHS_OF_SECOND);
export const battery3Temperature = number(0x12f8, "i16", TENTHS_OF_DEGREE);
export const battery4Temperature = number(0x12fa, "i16", TENTHS_OF_DEGREE);
export const battery5Temperature = number(0x12fc, "i16", TENTHS_OF_DEGREE);
/** Seconds since 2020-01-01 00:00, as far as the BMS knows. */
export const clock = number(0x1300, "u32", SECONDS);
export const detailLogsCount = number(0x1304, "u32");
export const timeEnterSleep = number(0x1308, "u32", SECONDS);
export const parallelModule = number(0x130c, "u8");
/** 0 LiFePO4, 1 Li-ion, 2 LTO. */
export const batteryType = number(0x130d, "u8");
export const chargeStageTime = number(0x1310, "u16", SECONDS);
/** 0 bulk, 1 absorption, 2 float. */
export const chargeStage = number(0x1312, "u8");
/** Bit 0: buzzer of the display, bits 1 and 2: dry contacts. */
export const dryContacts = number(0x1313, "u8");

export const model = text(0x1400, 15);
/** 0 on older firmware. */
export const maxCells = number(0x140f, "u8", CELLS);
export const hardwareVersion = text(0x1410, 8);
export const softwareVersion = text(0x1418, 8);
export const totalRuntime = number(0x1420, "u32", SECONDS);
export const powerOnTimes = number(0x1424, "u32");
export const bluetoothName = text(0x1428, 16);
/** YYMMDD. */
export const manufactureDate = text(0x1448, 8);
export const serialNumber = text(0x1450, 16);
export const userData = text(0x1460, 16);
/** Numbers of the vendor's list of protocols; of UART2 it follows the DIP switch. */
export const uart1Protocol = number(0x14b2, "u8");
export const canProtocol = number(0x14b3, "u8");
export const uart2Protocol = number(0x14d4, "u8");

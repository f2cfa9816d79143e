/** The fields of the blocks, by register: `import * as FIELDS`. The device's bundle has the numbers in place of their names. */
import {
  CELLS,
  DEGREES,
  F32,
  HOURS,
  I16,
  I32,
  I8,
  MICROSECONDS,
  MILLIAMPERES,
  MILLIAMPERE_HOURS,
  MILLIVOLTS,
  MILLIWATTS,
  MINUTES,
  PERCENT,
  SECONDS,
  TENTHS_OF_DEGREE,
  TENTHS_OF_HOUR,
  TENTHS_OF_SECOND,
  TEXT_15,
  TEXT_16,
  TEXT_8,
  U16,
  U32,
  U8,
} from "./fields";

export const smartSleepVoltage = 0x1000 | U32 | MILLIVOLTS;
export const cellUvpVoltage = 0x1004 | U32 | MILLIVOLTS;
export const cellUvprVoltage = 0x1008 | U32 | MILLIVOLTS;
export const cellOvpVoltage = 0x100c | U32 | MILLIVOLTS;
export const cellOvprVoltage = 0x1010 | U32 | MILLIVOLTS;
export const balanceTriggerVoltage = 0x1014 | U32 | MILLIVOLTS;
export const soc100Voltage = 0x1018 | U32 | MILLIVOLTS;
export const soc0Voltage = 0x101c | U32 | MILLIVOLTS;
export const cellRcvVoltage = 0x1020 | U32 | MILLIVOLTS;
export const cellRfvVoltage = 0x1024 | U32 | MILLIVOLTS;
export const powerOffVoltage = 0x1028 | U32 | MILLIVOLTS;
export const maxChargeCurrent = 0x102c | U32 | MILLIAMPERES;
export const chargeOcpDelay = 0x1030 | U32 | SECONDS;
export const chargeOcpRelease = 0x1034 | U32 | SECONDS;
export const maxDischargeCurrent = 0x1038 | U32 | MILLIAMPERES;
export const dischargeOcpDelay = 0x103c | U32 | SECONDS;
export const dischargeOcpRelease = 0x1040 | U32 | SECONDS;
export const shortCircuitRelease = 0x1044 | U32 | SECONDS;
export const maxBalanceCurrent = 0x1048 | U32 | MILLIAMPERES;
export const chargeOtp = 0x104c | I32 | TENTHS_OF_DEGREE;
export const chargeOtpr = 0x1050 | I32 | TENTHS_OF_DEGREE;
export const dischargeOtp = 0x1054 | I32 | TENTHS_OF_DEGREE;
export const dischargeOtpr = 0x1058 | I32 | TENTHS_OF_DEGREE;
export const chargeUtp = 0x105c | I32 | TENTHS_OF_DEGREE;
export const chargeUtpr = 0x1060 | I32 | TENTHS_OF_DEGREE;
export const mosOtp = 0x1064 | I32 | TENTHS_OF_DEGREE;
export const mosOtpr = 0x1068 | I32 | TENTHS_OF_DEGREE;
export const cellCount = 0x106c | U32 | CELLS;
/** The switches as set, 0 or 1; chargeMos and dischargeMos are the state of the MOSFETs. */
export const chargeEnabled = 0x1070 | U32;
export const dischargeEnabled = 0x1074 | U32;
export const balanceEnabled = 0x1078 | U32;
/** Design capacity; the learned one is fullCapacity. */
export const capacity = 0x107c | U32 | MILLIAMPERE_HOURS;
export const shortCircuitDelay = 0x1080 | U32 | MICROSECONDS;
export const balanceStartVoltage = 0x1084 | U32 | MILLIVOLTS;
/** The DIP switch. */
export const deviceAddress = 0x1108 | U32;
export const prechargeTime = 0x110c | U32 | SECONDS;
export const currentRange = 0x1110 | U32 | MILLIAMPERES;
/** 16 switches (docs/jk-modbus.md, "Switch word"). */
export const switchWord = 0x1114 | U16;
export const heatingStart = 0x1116 | I8 | DEGREES;
export const heatingStop = 0x1117 | I8 | DEGREES;
export const smartSleepTime = 0x1118 | U8 | HOURS;
/** From firmware 19 on. Both 0: not in use. */
export const dischargeUtp = 0x1122 | I8 | DEGREES;
export const dischargeUtpr = 0x1123 | I8 | DEGREES;

/** Bit n: cell n + 1 is present. Cell voltages and wire resistances: cells.ts. */
export const cellsPresent = 0x1240 | U32;
export const averageCellVoltage = 0x1244 | U16 | MILLIVOLTS;
/** Computed by the BMS, some polls behind the cell voltages. */
export const cellDelta = 0x1246 | U16 | MILLIVOLTS;
export const mosfetTemperature = 0x128a | I16 | TENTHS_OF_DEGREE;
/** Bit n: alarm of wire n + 1. */
export const wireResistanceAlarms = 0x128c | U32;
export const packVoltage = 0x1290 | U32 | MILLIVOLTS;
/** Magnitude only; packCurrent has the sign. */
export const packPower = 0x1294 | U32 | MILLIWATTS;
/** Positive when charging. */
export const packCurrent = 0x1298 | I32 | MILLIAMPERES;
export const battery1Temperature = 0x129c | I16 | TENTHS_OF_DEGREE;
export const battery2Temperature = 0x129e | I16 | TENTHS_OF_DEGREE;
/** docs/jk-modbus.md, "Alarms". */
export const alarmCode = 0x12a0 | U32;
export const balanceCurrent = 0x12a4 | I16 | MILLIAMPERES;
/** 0: not balancing. */
export const balanceState = 0x12a6 | U8;
export const soc = 0x12a7 | U8 | PERCENT;
export const remainingCapacity = 0x12a8 | I32 | MILLIAMPERE_HOURS;
export const fullCapacity = 0x12ac | U32 | MILLIAMPERE_HOURS;
export const cycles = 0x12b0 | U32;
export const cycleCapacity = 0x12b4 | U32 | MILLIAMPERE_HOURS;
export const stateOfHealth = 0x12b8 | U8 | PERCENT;
export const precharge = 0x12b9 | U8;
export const userAlarm = 0x12ba | U16;
export const runtime = 0x12bc | U32 | SECONDS;
/** Outputs, 0 or 1; also off while a protection is active. */
export const chargeMos = 0x12c0 | U8;
export const dischargeMos = 0x12c1 | U8;
/** Meaning disputed. */
export const userAlarm2 = 0x12c2 | U16;
/** Countdown to the release of a protection, like the five behind it. */
export const dischargeOcpCountdown = 0x12c4 | U16 | SECONDS;
export const dischargeScpCountdown = 0x12c6 | U16 | SECONDS;
export const chargeOcpCountdown = 0x12c8 | U16 | SECONDS;
export const chargeScpCountdown = 0x12ca | U16 | SECONDS;
export const uvpCountdown = 0x12cc | U16 | SECONDS;
export const ovpCountdown = 0x12ce | U16 | SECONDS;
/** 1: present, despite the vendor's name. Bit 0: MOSFET, bits 1 to 5: battery 1 to 5. */
export const temperatureSensors = 0x12d0 | U8;
export const heating = 0x12d1 | U8;
/** Countdown; above 0: emergency mode is on. */
export const emergencyTime = 0x12d4 | U16 | SECONDS;
export const voltageCorrection = 0x12dc | F32;
export const heatingCurrent = 0x12e6 | I16 | MILLIAMPERES;
export const chargerPlugged = 0x12ef | U8;
/** Since the BMS booted. */
export const sysRunTicks = 0x12f0 | U32 | TENTHS_OF_SECOND;
export const battery3Temperature = 0x12f8 | I16 | TENTHS_OF_DEGREE;
export const battery4Temperature = 0x12fa | I16 | TENTHS_OF_DEGREE;
export const battery5Temperature = 0x12fc | I16 | TENTHS_OF_DEGREE;
/** Seconds since 2020-01-01 00:00, as far as the BMS knows. */
export const clock = 0x1300 | U32 | SECONDS;
export const detailLogsCount = 0x1304 | U32;
export const timeEnterSleep = 0x1308 | U32 | SECONDS;
export const parallelModule = 0x130c | U8;
/** 0 LiFePO4, 1 Li-ion, 2 LTO. */
export const batteryType = 0x130d | U8;
export const chargeStageTime = 0x1310 | U16 | SECONDS;
/** 0 bulk, 1 absorption, 2 float. */
export const chargeStage = 0x1312 | U8;
/** Bit 0: buzzer of the display, bits 1 and 2: dry contacts. */
export const dryContacts = 0x1313 | U8;

export const model = 0x1400 | TEXT_15;
/** 0 on older firmware. */
export const maxCells = 0x140f | U8 | CELLS;
export const hardwareVersion = 0x1410 | TEXT_8;
export const softwareVersion = 0x1418 | TEXT_8;
export const totalRuntime = 0x1420 | U32 | SECONDS;
export const powerOnTimes = 0x1424 | U32;
export const bluetoothName = 0x1428 | TEXT_16;
/** YYMMDD. */
export const manufactureDate = 0x1448 | TEXT_8;
export const serialNumber = 0x1450 | TEXT_16;
export const userData = 0x1460 | TEXT_16;
/** Numbers of the vendor's list of protocols; of UART2 it follows the DIP switch. */
export const uart1Protocol = 0x14b2 | U8;
export const canProtocol = 0x14b3 | U8;
export const uart2Protocol = 0x14d4 | U8;
/** What switches them (docs/jk-modbus.md, "Further settings"), on and off again in its own unit. */
export const buzzerTrigger = 0x14e4 | U8;
export const dry1Trigger = 0x14e5 | U8;
export const dry2Trigger = 0x14e6 | U8;
export const buzzerOn = 0x14e8 | I32;
export const buzzerOff = 0x14ec | I32;
export const dry1On = 0x14f0 | I32;
export const dry1Off = 0x14f4 | I32;
export const dry2On = 0x14f8 | I32;
export const dry2Off = 0x14fc | I32;
/** Never 0 where the further settings have been read. */
export const storePeriod = 0x1500 | I32 | SECONDS;
export const rcvTime = 0x1504 | U8 | TENTHS_OF_HOUR;
export const rfvTime = 0x1505 | U8 | TENTHS_OF_HOUR;
export const emergencyDuration = 0x1507 | U8 | MINUTES;
export const rebulkCharge = 0x1510 | U8 | PERCENT;

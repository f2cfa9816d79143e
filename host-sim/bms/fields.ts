/**
 * The simulator's own register map of a JK PB BMS (docs/jk-modbus.md, "Settings", "Telemetry", "Device info"). It
 * shares nothing with the firmware under test, so that a misreading of the protocol shows up as a difference.
 */
export type Kind = "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "text";

export const WIDTH: Readonly<Record<Kind, number>> = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, text: 1 };

export interface Field {
  readonly name: string;
  /** Register address: block base + byte offset. */
  readonly register: number;
  readonly kind: Kind;
  /** Number of consecutive elements; for a text, its bytes. */
  readonly count: number;
  /** Raw limits for FC16 writes; without them the field is read-only. */
  readonly write?: readonly [minimum: number, maximum: number];
  /** For a writable text: the only accepted quantity of registers. */
  readonly words?: number;
  /** Present only in the 55AAEB90 frame; FC03 reads zeros. */
  readonly frameOnly?: true;
}

type Extra = Partial<Pick<Field, "count" | "write" | "words" | "frameOnly">>;

const field = (register: number, kind: Kind, name: string, extra: Extra = {}): Field => ({
  name,
  register,
  kind,
  count: 1,
  ...extra,
});

const CELL_VOLTAGE: Extra = { write: [1200, 4400] };
const DELAY: Extra = { write: [2, 600] };
const SWITCH: Extra = { write: [0, 1] };
const HOT: Extra = { write: [300, 800] };
const COLD: Extra = { write: [-450, 200] };
const MOS_HOT: Extra = { write: [500, 1100] };
const WHOLE_DEGREES: Extra = { write: [-40, 100] };
const ANY_U8: Extra = { write: [0, 255] };
const ANY_I32: Extra = { write: [-(2 ** 31), 2 ** 31 - 1] };

const SETTINGS: readonly Field[] = [
  field(0x1000, "u32", "VolSmartSleep", CELL_VOLTAGE),
  field(0x1004, "u32", "VolCellUV", CELL_VOLTAGE),
  field(0x1008, "u32", "VolCellUVPR", CELL_VOLTAGE),
  field(0x100c, "u32", "VolCellOV", CELL_VOLTAGE),
  field(0x1010, "u32", "VolCellOVPR", CELL_VOLTAGE),
  field(0x1014, "u32", "VolBalanTrig", { write: [3, 1000] }),
  field(0x1018, "u32", "VolSOC100", CELL_VOLTAGE),
  field(0x101c, "u32", "VolSOC0", CELL_VOLTAGE),
  field(0x1020, "u32", "VolCellRCV", CELL_VOLTAGE),
  field(0x1024, "u32", "VolCellRFV", CELL_VOLTAGE),
  field(0x1028, "u32", "VolSysPwrOff", CELL_VOLTAGE),
  field(0x102c, "u32", "CurBatCOC", { write: [1000, 600_000] }),
  field(0x1030, "u32", "TIMBatCOCPDly", DELAY),
  field(0x1034, "u32", "TIMBatCOCPRDly", DELAY),
  field(0x1038, "u32", "CurBatDcOC", { write: [1000, 1_200_000] }),
  field(0x103c, "u32", "TIMBatDcOCPDly", DELAY),
  field(0x1040, "u32", "TIMBatDcOCPRDly", DELAY),
  field(0x1044, "u32", "TIMBatSCPRDly", DELAY),
  field(0x1048, "u32", "CurBalanMax", { write: [300, 15_000] }),
  field(0x104c, "i32", "TMPBatCOT", HOT),
  field(0x1050, "i32", "TMPBatCOTPR", HOT),
  field(0x1054, "i32", "TMPBatDcOT", HOT),
  field(0x1058, "i32", "TMPBatDcOTPR", HOT),
  field(0x105c, "i32", "TMPBatCUT", COLD),
  field(0x1060, "i32", "TMPBatCUTPR", COLD),
  field(0x1064, "i32", "TMPMosOT", MOS_HOT),
  field(0x1068, "i32", "TMPMosOTPR", MOS_HOT),
  field(0x106c, "u32", "CellCount", { write: [2, 32] }),
  field(0x1070, "u32", "BatChargeEN", SWITCH),
  field(0x1074, "u32", "BatDisChargeEN", SWITCH),
  field(0x1078, "u32", "BalanEN", SWITCH),
  field(0x107c, "u32", "CapBatCell", { write: [2000, 20_000_000] }),
  field(0x1080, "u32", "SCPDelay", { write: [0, 1_000_000] }),
  field(0x1084, "u32", "VolStartBalan", { write: [1200, 4250] }),
  field(0x1088, "u32", "CellConWireRes", { count: 32, write: [0, 2_000_000] }),
  // Set by the DIP switch: these boards refuse to write it.
  field(0x1108, "u32", "DevAddr"),
  field(0x110c, "u32", "TIMProdischarge", { write: [0, 300] }),
  field(0x1110, "u32", "CurrentRange", { write: [100_000, 20_000_000] }),
  field(0x1114, "u16", "Switches", { write: [0, 0xffff] }),
  field(0x1116, "i8", "TMPHeatStart", WHOLE_DEGREES),
  field(0x1117, "i8", "TMPHeatStop", WHOLE_DEGREES),
  field(0x1118, "u8", "TIMSmartSleep", { write: [1, 100] }),
  field(0x1119, "u8", "SettingsEnableFlags", { count: 9, frameOnly: true }),
  // Writable according to the vendor; firmware 15.41 refuses every write.
  field(0x1122, "i8", "TMPBatDCHUT"),
  field(0x1123, "i8", "TMPBatDCHUTPR"),
];

const TELEMETRY: readonly Field[] = [
  field(0x1200, "u16", "CellVol", { count: 32 }),
  field(0x1240, "u32", "CellSta"),
  field(0x1244, "u16", "CellVolAve"),
  field(0x1246, "u16", "CellVdifMax"),
  field(0x1248, "u8", "MaxVolCellNbr"),
  field(0x1249, "u8", "MinVolCellNbr"),
  field(0x124a, "u16", "CellWireRes", { count: 32 }),
  field(0x128a, "i16", "TempMos"),
  field(0x128c, "u32", "CellWireResSta"),
  field(0x1290, "u32", "BatVol"),
  field(0x1294, "u32", "BatWatt"),
  field(0x1298, "i32", "BatCurrent"),
  field(0x129c, "i16", "TempBat1"),
  field(0x129e, "i16", "TempBat2"),
  field(0x12a0, "u32", "Alarms"),
  field(0x12a4, "i16", "BalanCurrent"),
  field(0x12a6, "u8", "BalanSta"),
  field(0x12a7, "u8", "SOC"),
  field(0x12a8, "i32", "SOCCapRemain"),
  field(0x12ac, "u32", "SOCFullChargeCap"),
  field(0x12b0, "u32", "SOCCycleCount"),
  field(0x12b4, "u32", "SOCCycleCap"),
  field(0x12b8, "u8", "SOCSOH"),
  field(0x12b9, "u8", "Precharge"),
  field(0x12ba, "u16", "UserAlarm"),
  field(0x12bc, "u32", "RunTime"),
  field(0x12c0, "u8", "ChargeMos"),
  field(0x12c1, "u8", "DischargeMos"),
  field(0x12c2, "u16", "UserAlarm2"),
  field(0x12c4, "u16", "TimeDcOCPR"),
  field(0x12c6, "u16", "TimeDcSCPR"),
  field(0x12c8, "u16", "TimeCOCPR"),
  field(0x12ca, "u16", "TimeCSCPR"),
  field(0x12cc, "u16", "TimeUVPR"),
  field(0x12ce, "u16", "TimeOVPR"),
  // 1 = present, despite the vendor's name TempSensorAbsent.
  field(0x12d0, "u8", "TempSensors"),
  field(0x12d1, "u8", "Heating"),
  field(0x12d2, "u8", "Reserved12D2", { count: 2 }),
  field(0x12d4, "u16", "TimeEmergency"),
  field(0x12d6, "u16", "BatDisCurCorrect"),
  field(0x12d8, "u16", "VolChargCur"),
  field(0x12da, "u16", "VolDischargCur"),
  field(0x12dc, "f32", "BatVolCorrect"),
  field(0x12e0, "u16", "ChargePWMDutyCycle"),
  field(0x12e2, "u16", "DischargPWMDutyCycle"),
  field(0x12e4, "u16", "BatVol2"),
  field(0x12e6, "i16", "HeatCurrent"),
  field(0x12e8, "u8", "Relay"),
  field(0x12e9, "u8", "AccStatus"),
  field(0x12ea, "u8", "SpecialChargerSta"),
  field(0x12eb, "u8", "StartupFlag"),
  field(0x12ec, "u8", "VolCMinus"),
  field(0x12ed, "u8", "McuId"),
  field(0x12ee, "u8", "Reserved12EE"),
  field(0x12ef, "u8", "ChargerPlugged"),
  field(0x12f0, "u32", "SysRunTicks"),
  field(0x12f4, "u32", "PVDTrigTimestamps"),
  field(0x12f8, "i16", "TempBat3"),
  field(0x12fa, "i16", "TempBat4"),
  field(0x12fc, "i16", "TempBat5"),
  field(0x12fe, "u16", "ChrgCurCorrect"),
  field(0x1300, "u32", "RTCTicks"),
  field(0x1304, "u32", "DetailLogsCount"),
  field(0x1308, "u32", "TimeEnterSleep"),
  field(0x130c, "u8", "PCLModuleSta"),
  field(0x130d, "u8", "CellType"),
  field(0x130e, "u8", "Reserved130E", { count: 2 }),
  field(0x1310, "u16", "ChargeStatusTime"),
  field(0x1312, "u8", "ChargeStatus"),
  field(0x1313, "u8", "SwitchStatus"),
  field(0x1314, "u8", "Reserved1314", { count: 5 }),
  field(0x1319, "u8", "TelemetryEnableFlags", { count: 12 }),
];

const DEVICE_INFO: readonly Field[] = [
  field(0x1400, "text", "ManufacturerDeviceID", { count: 15 }),
  field(0x140f, "u8", "MaxCells"),
  field(0x1410, "text", "HardwareVersion", { count: 8 }),
  field(0x1418, "text", "SoftwareVersion", { count: 8 }),
  field(0x1420, "u32", "ODDRunTime"),
  field(0x1424, "u32", "PWROnTimes"),
  field(0x1428, "text", "BluetoothName", { count: 16, write: [0x00, 0x7e], words: 8 }),
  field(0x1438, "text", "BluetoothPin", { count: 16 }),
  field(0x1448, "text", "FirstOnDate", { count: 8 }),
  field(0x1450, "text", "SerialNumber", { count: 16 }),
  field(0x1460, "text", "UserData", { count: 16 }),
  field(0x1470, "text", "SettingPassword", { count: 16, write: [0x00, 0x7e], words: 6 }),
  field(0x1480, "text", "UserData2", { count: 16 }),
  field(0x1490, "u8", "CmdSupportFlags", { count: 32 }),
  field(0x14b0, "u16", "AgencyId"),
  field(0x14b2, "u8", "Uart1Protocol", ANY_U8),
  field(0x14b3, "u8", "CanProtocol", ANY_U8),
  field(0x14b4, "u8", "Uart1ProtocolEnable", { count: 16 }),
  field(0x14c4, "u8", "CanProtocolEnable", { count: 16 }),
  field(0x14d4, "u8", "Uart2Protocol"),
  field(0x14d5, "u8", "Uart2ProtocolEnable", { count: 15 }),
  field(0x14e4, "u8", "BuzzerTrigger", ANY_U8),
  field(0x14e5, "u8", "Dry1Trigger", ANY_U8),
  field(0x14e6, "u8", "Dry2Trigger", ANY_U8),
  field(0x14e7, "u8", "UartLibraryVersion"),
  field(0x14e8, "i32", "BuzzerTriggerValue", ANY_I32),
  field(0x14ec, "i32", "BuzzerReleaseValue", ANY_I32),
  field(0x14f0, "i32", "Dry1TriggerValue", ANY_I32),
  field(0x14f4, "i32", "Dry1ReleaseValue", ANY_I32),
  field(0x14f8, "i32", "Dry2TriggerValue", ANY_I32),
  field(0x14fc, "i32", "Dry2ReleaseValue", ANY_I32),
  field(0x1500, "i32", "DataStoredPeriod", { write: [5, 864_000] }),
  field(0x1504, "u8", "RCVTime", ANY_U8),
  field(0x1505, "u8", "RFVTime", ANY_U8),
  field(0x1506, "u8", "CanLibraryVersion"),
  field(0x1507, "u8", "EmergencyMinutes"),
  field(0x1508, "u8", "Uart3Protocol"),
  field(0x1509, "u8", "Uart3ProtocolEnable", { count: 7 }),
  field(0x1510, "u8", "RebulkSOC"),
  field(0x1511, "u8", "Uart4Protocol"),
  field(0x1512, "u8", "Uart4ProtocolEnable", { count: 4 }),
  field(0x1519, "u8", "InfoEnableFlags", { count: 11 }),
  field(0x1524, "u8", "ProtocolVersion"),
];

/** Blocks by frame type: 1 settings, 2 telemetry, 3 device information. */
export type FrameType = 1 | 2 | 3;
/** A frame of no registers. */
export const SYSTEM_LOG = 5;

export interface Block {
  readonly type: FrameType;
  readonly base: number;
  readonly fields: readonly Field[];
}

export const BLOCKS: readonly Block[] = [
  { type: 1, base: 0x1000, fields: SETTINGS },
  { type: 2, base: 0x1200, fields: TELEMETRY },
  { type: 3, base: 0x1400, fields: DEVICE_INFO },
];

/** Bits of `Switches` (0x1114) that the simulated BMS implements. */
export const SWITCH_BITS = {
  temperatureSensorsDisabled: 1,
  displayAlwaysOn: 4,
  smartSleep: 6,
  chargingFloat: 9,
} as const;

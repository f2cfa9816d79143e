/**
 * Fields that the firmware does not use, so that they take no flash: for decoding captures, for tests and to check the docs. One that
 * comes into use moves to fields.ts.
 */
import {
  FIELDS,
  MILLIAMPERES,
  MILLIVOLTS,
  SECONDS,
  TENTHS_OF_DEGREE,
  number,
  registerOf,
  scaleOf,
  text,
  type Field,
} from "./fields";

const HOURS = scaleOf(0, "h");
const MICROSECONDS = scaleOf(0, "µs");
const DEGREES = scaleOf(0, "°C");
const TENTHS_OF_SECOND = scaleOf(1, "s");

const MORE_FIELDS = Object.freeze(
  {
    soc100Voltage: number(0x1018, "u32", MILLIVOLTS),
    soc0Voltage: number(0x101c, "u32", MILLIVOLTS),
    cellRfvVoltage: number(0x1024, "u32", MILLIVOLTS),
    maxChargeCurrent: number(0x102c, "u32", MILLIAMPERES),
    chargeOcpDelay: number(0x1030, "u32", SECONDS),
    chargeOcpRelease: number(0x1034, "u32", SECONDS),
    maxDischargeCurrent: number(0x1038, "u32", MILLIAMPERES),
    dischargeOcpDelay: number(0x103c, "u32", SECONDS),
    dischargeOcpRelease: number(0x1040, "u32", SECONDS),
    shortCircuitRelease: number(0x1044, "u32", SECONDS),
    shortCircuitDelay: number(0x1080, "u32", MICROSECONDS),
    /** The DIP switch. */
    deviceAddress: number(0x1108, "u32"),
    prechargeTime: number(0x110c, "u32", SECONDS),
    currentRange: number(0x1110, "u32", MILLIAMPERES),
    heatingStart: number(0x1116, "i8", DEGREES),
    heatingStop: number(0x1117, "i8", DEGREES),
    smartSleepTime: number(0x1118, "u8", HOURS),

    /** Computed by the BMS, some polls behind the cell voltages. */
    cellDelta: number(0x1246, "u16", MILLIVOLTS),
    precharge: number(0x12b9, "u8"),
    userAlarm: number(0x12ba, "u16"),
    /** Meaning disputed. */
    userAlarm2: number(0x12c2, "u16"),
    /** Countdowns to the release of each protection. */
    dischargeOcpCountdown: number(0x12c4, "u16", SECONDS),
    dischargeScpCountdown: number(0x12c6, "u16", SECONDS),
    chargeOcpCountdown: number(0x12c8, "u16", SECONDS),
    chargeScpCountdown: number(0x12ca, "u16", SECONDS),
    uvpCountdown: number(0x12cc, "u16", SECONDS),
    ovpCountdown: number(0x12ce, "u16", SECONDS),
    heating: number(0x12d1, "u8"),
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
    parallelModule: number(0x130c, "u8"),
    chargeStageTime: number(0x1310, "u16", SECONDS),
    /** 0 bulk, 1 absorption, 2 float. */
    chargeStage: number(0x1312, "u8"),
    /** Bit 0: buzzer of the display, bits 1 and 2: dry contacts. */
    dryContacts: number(0x1313, "u8"),

    userData: text(0x1460, 16),
  },
  true,
);

/** All fields, by register. */
export const ALL_FIELDS: Readonly<Record<keyof typeof FIELDS | keyof typeof MORE_FIELDS, Field>> = Object.freeze(
  Object.fromEntries(
    Object.entries<Field>({ ...FIELDS, ...MORE_FIELDS }).sort(
      ([, one], [, other]) => registerOf(one) - registerOf(other),
    ),
  ) as Record<keyof typeof FIELDS | keyof typeof MORE_FIELDS, Field>,
  true,
);

/**
 * The SunSpec models (github.com/sunspec/models) as the device fills them: what is not here is "not implemented". What never changes is an image,
 * copied in one go; each other point is one number of 32 bits.
 */
import { MODULE_CELLS } from "./limits";
import * as V from "./values";

/* Kinds. */
/** Of one register. */
export const UNSIGNED = 0;
export const SIGNED = 1;
/** Unsigned, of two and of four. */
export const LONG = 2;
export const HUGE = 3;
/** A text of 8 registers for each that its scale would be. */
export const TEXT = 4;

/* Texts. */
export const MANUFACTURER = 0;
export const MODEL = 1;
export const VERSION = 2;
export const SERIAL = 3;
export const NAMELESS = 4;
export const BMS_SERIAL = 5;

export interface Model {
  readonly id: number;
  /** Registers, ID and length included; for each pack, where it says so, EACH_PACK more. */
  readonly words: number;
  /** Its first words, which depend on the settings alone: pysunspec2 counts by them. There are no others while nothing is known of the battery. */
  readonly head: number;
  /**
   * What is filled in, a number each: its value or text (6 bits), the value's scale or the text's length (3), kind (3), and the offset from the model's ID, bytes. Behind it in the
   * same buffer the image: a further typed array would take 7 slots of flash. The last are the scale factors of several packs; the image has those of
   * one.
   */
  readonly points: Int32Array;
}

/** Of a point. */
export const VALUE = 0x3f;
export const KIND = 9;
export const AT = 12;
/** Its bits of the scale, and those of the kinds that take more than one register. */
export const SCALED = 7 << V.SCALE;
export const LONGER = 6 << KIND;

/** A constant instead. */
type Constant = readonly [at: number, word: number];
const point = (at: number, kind: number, value: number): number => value | (kind << KIND) | ((2 * at) << AT);
const constant = (at: number, word: number): Constant => [at, word];
const unsigned = (at: number, value: number): number => point(at, UNSIGNED, value);
const signed = (at: number, value: number): number => point(at, SIGNED, value);
const long = (at: number, value: number): number => point(at, LONG, value);
const huge = (at: number, value: number): number => point(at, HUGE, value);
const text = (at: number, value: number, eights: number): number => point(at, TEXT, value | (eights << V.SCALE));
/** "Not implemented" of a signed number, a scale factor or a pad; the image's other words are that of an unsigned one. */
const none = (at: number): Constant => constant(at, 0x8000);

/** The points, and the image of `length` registers. */
function tableOf(length: number, all: readonly (number | Constant)[]): Int32Array {
  const points = all.filter((one) => typeof one === "number");
  const image = 4 * points.length;
  const { buffer } = new Uint8Array(image + 2 * length).fill(0xff);
  const view = new DataView(buffer);
  for (const one of all) if (typeof one !== "number") view.setUint16(image + 2 * one[0], one[1]);
  const table = new Int32Array(buffer, 0, points.length);
  table.set(points);
  return table;
}

/** A copy of what never changes of the registers that `points` belong to, or, where more may follow, of the first of them. */
export const imageOf = ({ buffer, byteLength }: Int32Array): Uint8Array =>
  new Uint8Array((buffer as ArrayBuffer).slice(byteLength));

const model = (
  id: number,
  words: number,
  head: number,
  points: readonly (number | Constant)[],
  length = words,
): Model =>
  // Not deep: a typed array in flash is constant, and V8 freezes none.
  Object.freeze({ id, words, head, points: tableOf(length, [constant(0, id), constant(1, words - 2), ...points]) });

/** "SunS": ID and length spell it. */
const MARK = model(0x5375, 2, 2, [constant(1, 0x6e53)]);
const COMMON = model(1, 68, 68, [
  text(2, MANUFACTURER, 2),
  text(18, MODEL, 2),
  text(34, NAMELESS, 1),
  text(42, VERSION, 1),
  text(50, SERIAL, 2),
  unsigned(66, V.UNIT),
  none(67),
]);
const BATTERY = model(802, 64, 2, [
  unsigned(2, V.CAPACITY_SCALED),
  unsigned(3, V.ENERGY_SCALED),
  unsigned(4, V.CHARGE_RATE_SCALED),
  unsigned(5, V.DISCHARGE_RATE_SCALED),
  constant(7, 1_000),
  constant(8, 0),
  constant(9, 1_000),
  // evcc looks for it; it cannot be set.
  constant(10, 0),
  unsigned(11, V.CHARGE),
  unsigned(12, V.DEPTH),
  unsigned(13, V.HEALTH),
  long(14, V.CYCLES),
  unsigned(16, V.CHARGE_STATE),
  // Local: nobody commands this battery by Modbus.
  constant(17, 1),
  unsigned(18, V.HEARTBEAT),
  constant(20, 0),
  // Lithium-ion.
  constant(21, 4),
  unsigned(22, V.STATE),
  long(26, V.EVENTS),
  constant(28, 0),
  constant(29, 0),
  long(30, V.ALARMS),
  long(32, V.CONDITIONS),
  unsigned(34, V.VOLTAGE_SCALED),
  unsigned(37, V.HIGHEST_CELL),
  unsigned(38, V.HIGHEST_PLACE),
  constant(39, 1),
  unsigned(40, V.LOWEST_CELL),
  unsigned(41, V.LOWEST_PLACE),
  constant(42, 1),
  unsigned(43, V.AVERAGE_CELL),
  signed(44, V.CURRENT_SCALED),
  unsigned(45, V.CHARGE_LIMIT),
  unsigned(46, V.DISCHARGE_LIMIT),
  signed(47, V.POWER_SCALED),
  none(49),
  unsigned(50, V.OPERATION),
  constant(52, -1),
  constant(53, 1),
  constant(54, 0),
  none(55),
  constant(56, -1),
  constant(57, -1),
  constant(58, 0),
  constant(59, -2),
  constant(60, -3),
  constant(61, -1),
  constant(62, -1),
  constant(63, 0),
  signed(52, V.CAPACITY_SCALE),
  signed(53, V.ENERGY_SCALE),
  signed(54, V.POWER_SCALE),
  signed(63, V.POWER_SCALE),
]);
const CAPACITY = model(713, 9, 2, [
  unsigned(2, V.ENERGY_SCALED),
  unsigned(3, V.AVAILABLE_SCALED),
  unsigned(4, V.CHARGE),
  unsigned(5, V.HEALTH_SCALED),
  unsigned(6, V.SEVERITY),
  constant(7, 1),
  constant(8, -1),
  signed(7, V.ENERGY_SCALE),
]);
/** Without ports, for the counters of energy. */
const DIRECT_CURRENT = model(714, 20, 5, [
  constant(2, 0),
  constant(3, 0),
  constant(4, 0),
  signed(5, V.CURRENT_SCALED),
  signed(6, V.POWER_SCALED),
  huge(7, V.DISCHARGED),
  huge(11, V.CHARGED),
  constant(15, -1),
  none(16),
  constant(17, 0),
  constant(18, 0),
  none(19),
  signed(17, V.POWER_SCALE),
]);
/** Last, since it grows with the packs. */
export const BANK = model(803, 28, 3, [
  unsigned(2, V.PACKS),
  unsigned(3, V.CONNECTED),
  signed(4, V.HOTTEST),
  signed(7, V.COLDEST),
  none(10),
  unsigned(15, V.VOLTAGE_SCALED),
  none(16),
  none(18),
  none(20),
  constant(22, -3),
  constant(23, -1),
  constant(24, -1),
  constant(25, 0),
  constant(26, -1),
  constant(27, -2),
]);
/** Of 803, for each pack: offsets from the first of its registers. */
export const EACH_PACK = 32;
export const EACH = tableOf(EACH_PACK, [
  constant(0, 1),
  long(1, V.STATUS),
  unsigned(4, V.CHARGE),
  unsigned(5, V.HEALTH),
  signed(6, V.CURRENT_SCALED),
  unsigned(7, V.HIGHEST_CELL),
  unsigned(9, V.LOWEST_CELL),
  unsigned(11, V.AVERAGE_CELL),
  signed(12, V.HOTTEST),
  signed(14, V.COLDEST),
  signed(16, V.MIDDLE),
  long(18, V.CONTACTORS),
  long(20, V.EVENTS),
  long(24, V.ALARMS),
  long(26, V.CONDITIONS),
  none(30),
  none(31),
]);
/** A pack is a string of one module. */
const STRING = model(804, 64, 4, [
  unsigned(2, V.PLACE),
  constant(3, 1),
  long(4, V.STATUS),
  unsigned(8, V.CHARGE),
  unsigned(9, V.DEPTH),
  long(10, V.CYCLES),
  unsigned(12, V.HEALTH),
  signed(13, V.CURRENT_SCALED),
  unsigned(14, V.VOLTAGE_SCALED),
  unsigned(15, V.HIGHEST_CELL),
  constant(16, 1),
  unsigned(17, V.LOWEST_CELL),
  constant(18, 1),
  unsigned(19, V.AVERAGE_CELL),
  signed(20, V.HOTTEST),
  constant(21, 1),
  signed(22, V.COLDEST),
  constant(23, 1),
  signed(24, V.MIDDLE),
  none(25),
  long(26, V.CONTACTORS),
  long(28, V.EVENTS),
  long(32, V.ALARMS),
  long(34, V.CONDITIONS),
  constant(38, -1),
  constant(39, 0),
  constant(40, -1),
  constant(41, -1),
  constant(42, -2),
  constant(43, -3),
  constant(44, -1),
  none(45),
  none(46),
  none(47),
  unsigned(48, V.CELLS),
  unsigned(49, V.CHARGE),
  unsigned(50, V.HEALTH),
  unsigned(51, V.HIGHEST_CELL),
  unsigned(52, V.HIGHEST_NUMBER),
  unsigned(53, V.LOWEST_CELL),
  unsigned(54, V.LOWEST_NUMBER),
  unsigned(55, V.AVERAGE_CELL),
  signed(56, V.HOTTEST),
  signed(58, V.COLDEST),
  signed(60, V.MIDDLE),
  none(61),
  none(62),
  none(63),
]);
/** Of 805: where the cells begin, and the registers of each. */
export const FIRST_CELL = 44;
export const EACH_CELL = 4;
export const MODULE = model(
  805,
  FIRST_CELL + EACH_CELL * MODULE_CELLS,
  4,
  [
    unsigned(2, V.PLACE),
    constant(3, 1),
    unsigned(4, V.CELLS),
    unsigned(5, V.CHARGE),
    unsigned(6, V.DEPTH),
    unsigned(7, V.HEALTH),
    long(8, V.CYCLES),
    unsigned(10, V.VOLTAGE_SCALED),
    unsigned(11, V.HIGHEST_CELL),
    unsigned(12, V.HIGHEST_NUMBER),
    unsigned(13, V.LOWEST_CELL),
    unsigned(14, V.LOWEST_NUMBER),
    unsigned(15, V.AVERAGE_CELL),
    signed(16, V.HOTTEST),
    signed(18, V.COLDEST),
    signed(20, V.MIDDLE),
    text(22, BMS_SERIAL, 2),
    constant(38, -1),
    constant(39, 0),
    constant(40, -1),
    constant(41, -2),
    constant(42, -3),
    constant(43, -1),
  ],
  FIRST_CELL,
);
const END = model(0xffff, 2, 2, []);

/** What follows SUNSPEC_BASE. Order and lengths depend on the settings alone: clients keep them. */
export const BANK_CHAIN: readonly Model[] = Object.freeze(
  [MARK, COMMON, BATTERY, CAPACITY, DIRECT_CURRENT, BANK, END],
  true,
);
export const PACK_CHAIN: readonly Model[] = Object.freeze([MARK, COMMON, BATTERY, STRING, MODULE, END], true);

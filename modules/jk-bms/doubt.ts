import * as FIELDS from "./field-table";
import { offsetOf, readRaw, type Field } from "./fields";
import {
  CELLS_JUMP,
  CHARGE_TOLERANCE,
  DOUBTED_REPLIES,
  MAX_CHARGE,
  POWER_ACCURACY,
  POWER_TOLERANCE,
  TEMPERATURE_JUMP,
  VOLTAGE_JUMP,
  VOLTAGE_TOLERANCE,
} from "./limits";
import type { BlockImage } from "./types";

/** A reply of the telemetry. */
export interface Reply extends BlockImage {
  readonly extremes: number;
  /** mV, of all cells together, once `extremes` has been asked for. */
  readonly total: number;
}

/**
 * Whether power, voltage and current go together: within one part in `part`, and `least` mW. 4 and POWER_TOLERANCE by default, since they are not
 * measured at the same time.
 */
export function isPowerRight(telemetry: BlockImage, part = 4, least = POWER_TOLERANCE): boolean {
  const power = readRaw(telemetry, FIELDS.packPower);
  const product = (Math.abs(readRaw(telemetry, FIELDS.packCurrent)) * readRaw(telemetry, FIELDS.packVoltage)) / 1000;
  return Math.abs(power - product) <= Math.max(power, product) / part + least;
}

const HEALTH_AT = offsetOf(FIELDS.stateOfHealth);

/**
 * Whether what this telemetry says of one thing in two ways does not go together: voltage and cells, power and current, charge and ampere-hours. A
 * BMS that answers has a voltage, cells and a capacity, and no more than 100 % of charge and health: what says otherwise contradicts itself.
 */
function contradicts(reply: Reply): boolean {
  const { total } = reply;
  const voltage = readRaw(reply, FIELDS.packVoltage);
  const full = readRaw(reply, FIELDS.fullCapacity);
  const soc = readRaw(reply, FIELDS.soc);
  return (
    !voltage ||
    !full ||
    soc > MAX_CHARGE ||
    reply.view.getUint8(HEALTH_AT) > MAX_CHARGE ||
    Math.abs(total - voltage) > VOLTAGE_TOLERANCE + (voltage >> 6) ||
    !isPowerRight(reply) ||
    Math.abs((100 * readRaw(reply, FIELDS.remainingCapacity)) / full - soc) > CHARGE_TOLERANCE
  );
}

/** What is compared with the reply before: what must be the same, emergency mode last, then three temperatures and the voltage, which may differ a little. */
const WATCHED: readonly Field[] = Object.freeze(
  [
    FIELDS.alarmCode,
    FIELDS.chargeMos,
    FIELDS.dischargeMos,
    FIELDS.soc,
    FIELDS.wireResistanceAlarms,
    FIELDS.temperatureSensors,
    FIELDS.cellsPresent,
    FIELDS.emergencyTime,
    FIELDS.mosfetTemperature,
    FIELDS.battery1Temperature,
    FIELDS.battery2Temperature,
    FIELDS.packVoltage,
  ],
  true,
);
const EMERGENCY = 7;
const TEMPERATURES = 8;
const VOLTAGE = 11;
/** Behind them: power and current do not go together; the lowest and the highest cell. */
const POWER = 12;
const LOWEST = 13;
const HIGHEST = 14;

/** A telemetry reply held back for confirmation: what it said, how many in a row have said so, and whether it has been asked again. */
export class Doubt {
  private readonly last = new Float64Array(HIGHEST + 1);
  private count = 0;
  asked = false;

  /**
   * Another reply is held back. @returns it is accepted after all: it matches the previous one, or enough in a row had the same alarms, switches and
   * charge; what is measured may vary from each to the next
   */
  settles(values: Float64Array, isContrary: boolean): boolean {
    const { last } = this;
    const agrees = !isContrary && this.count > 0 && !jumps(values, last);
    this.count = jumps(values, last, TEMPERATURES) ? 1 : this.count + 1;
    last.set(values);
    return agrees || this.count >= DOUBTED_REPLIES;
  }
}

function watched(image: BlockImage, extremes: number): Float64Array {
  const { view, littleEndian } = image;
  const values = new Float64Array(HIGHEST + 1);
  for (let at = 0; at < POWER; at++) values[at] = readRaw(image, WATCHED[at] as Field);
  if (!isPowerRight(image, 100, POWER_ACCURACY)) values[POWER] = 1;
  if (values[EMERGENCY]) values[EMERGENCY] = 1;
  if (extremes) {
    values[LOWEST] = view.getUint16(2 * (extremes & 0xff) - 2, littleEndian);
    values[HIGHEST] = view.getUint16(2 * (extremes >> 8) - 2, littleEndian);
  }
  return values;
}

function jumps(values: Float64Array, before: Float64Array, end = HIGHEST + 1): boolean {
  for (let at = 0; at < end; at++) {
    const most =
      at < TEMPERATURES
        ? 0
        : at < VOLTAGE
          ? TEMPERATURE_JUMP
          : at === VOLTAGE
            ? VOLTAGE_JUMP
            : at < LOWEST
              ? 0
              : CELLS_JUMP;
    if (Math.abs((values[at] as number) - (before[at] as number)) > most) return true;
  }
  return false;
}

/** What is to be done with a reply: shown, asked again at once, or left out. */
export type Verdict = "take" | "ask" | "hold";

/**
 * Judges a reply of the telemetry. What contradicts itself is shown only when it has come DOUBTED_REPLIES times in a row. A frame has a weak
 * checksum (docs/jk-modbus.md, "Frames"): the first, and what differs much from the one before, has to come twice; a reply by registers has a CRC.
 *
 * @param known the telemetry that is shown
 * @param holder keeps what is doubted until the next reply
 */
export function judge(
  reply: Reply & { contradicts: boolean },
  known: BlockImage & { readonly extremes?: number },
  isFrame: boolean,
  holder: { doubt: Doubt | undefined },
): Verdict {
  const { extremes } = reply;
  const isContrary = contradicts(reply);
  reply.contradicts = isContrary;
  // What is shown already is no news.
  const isNews = isContrary && !known.contradicts;
  if (!isNews && !isFrame) {
    holder.doubt = undefined;
    return "take";
  }
  const values = watched(reply, extremes);
  if (!isNews && known.valid && !jumps(values, watched(known, known.extremes ?? 0))) {
    holder.doubt = undefined;
    return "take";
  }
  const doubt = (holder.doubt ??= new Doubt());
  if (doubt.settles(values, isNews)) {
    holder.doubt = undefined;
    return "take";
  }
  doubt.asked = !doubt.asked;
  return doubt.asked ? "ask" : "hold";
}

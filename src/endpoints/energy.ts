/** GET /api/energy: energy in and out, by the owner's days, months and years. */
import { Cursor } from "flash-log/cursor";
import { valueOf } from "flash-log/field";
import type { Ring } from "flash-log/ring";
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { JOULES_PER_WATT_HOUR } from "../energy/limits";
import { dateOf } from "../history/calendar";
import { DAYS } from "../history/layout";
import { DAY_FIELDS } from "../history/records";
import type { Context, HistorySource } from "./context";
import { takeHistory } from "./history";
import { RECORDS_A_STEP } from "./limits";
import { fail, SUCCESS } from "./replies";
import { Stepped } from "./stepped";

type Reached = Context<"flashHistory" | "turns" | "energy" | "time" | "offsetAt">;

const DAY = 86_400;
/** Decimals of a watt-hour in kWh. */
const KWH_DECIMALS = 3;
const PERIODS = Object.freeze(["today", "yesterday", "month", "lastMonth", "year"], true);

export function getEnergy(context: Reached, exchange: Exchange): void {
  if (exchange.query) return fail(context, exchange, 400, "There are no parameters.");
  takeHistory(context, exchange, (history) => new EnergyPeriods(context, exchange, history).begin());
}

class EnergyPeriods extends Stepped {
  declare protected readonly context: Reached;
  private readonly cursor: Cursor;
  /** By period: its first day, and the first day behind it, since 1970 by the owner's time. */
  private readonly starts: Int32Array | undefined;
  /** By period: Wh in, Wh out; NaN: unknown. The document has kWh. */
  private readonly sums = new Float64Array(2 * PERIODS.length).fill(NaN);
  private isWritten = false;

  constructor(context: Reached, exchange: Exchange, history: HistorySource) {
    super(context, exchange, context.device.turns);
    this.cursor = new Cursor(history.store.rings[DAYS] as Ring);
    const { device } = context;
    const now = device.time?.();
    if (now === undefined) return;
    this.starts = daysOf(Math.floor((now + (device.offsetAt?.(now) ?? 0)) / DAY));
    // The day that is not over.
    const { number, chargedWattHours, dischargedWattHours } = history.recorder.today;
    if (number !== undefined) this.add(number, chargedWattHours, dischargedWattHours);
  }

  protected override collect(): boolean {
    if (!this.starts) return false;
    const { cursor } = this;
    for (let count = 0; count < RECORDS_A_STEP; count++) {
      if (!cursor.next()) return false;
      const { time, record } = cursor;
      if (time === undefined) continue;
      // The nearest midnight: the owner may have moved to another zone since.
      const day = Math.round((time + (this.context.device.offsetAt?.(time) ?? 0)) / DAY);
      this.add(day, valueOf(record, DAY_FIELDS.charged), valueOf(record, DAY_FIELDS.discharged));
    }
    return true;
  }

  protected write(into: Uint8Array): number {
    if (this.isWritten) return 0;
    this.isWritten = true;
    const { json, energy } = this.context.device;
    json.begin(into).open().members(SUCCESS).open("data");
    for (const [period, name] of PERIODS.entries()) {
      const [charged = NaN, discharged = NaN] = this.sums.subarray(2 * period, 2 * period + 2);
      writePeriod(json.open(name), charged, discharged);
    }
    const { charged = NaN, discharged = NaN } = energy?.stored ?? {};
    writePeriod(json.open("total"), charged / JOULES_PER_WATT_HOUR, discharged / JOULES_PER_WATT_HOUR);
    return json.close().close().end();
  }

  private add(day: number, charged: number | undefined, discharged: number | undefined): void {
    const { starts, sums } = this;
    if (!starts) return;
    for (let period = 0; period < PERIODS.length; period++) {
      if (day < (starts[2 * period] as number) || day >= (starts[2 * period + 1] as number)) continue;
      if (charged !== undefined) sums[2 * period] = (sums[2 * period] || 0) + charged;
      if (discharged !== undefined) sums[2 * period + 1] = (sums[2 * period + 1] || 0) + discharged;
    }
  }
}

function writePeriod(json: JsonWriter, charged: number, discharged: number): void {
  writeKwh(json, "charged", charged);
  writeKwh(json, "discharged", discharged);
  json.close();
}

function writeKwh(json: JsonWriter, name: string, wattHours: number): void {
  if (isNaN(wattHours)) json.null(name);
  else json.decimal(name, Math.floor(wattHours), KWH_DECIMALS);
}

/** The periods at a day: of each its first day, and the first behind it, since 1970. */
export function daysOf(today: number): Int32Array {
  const tomorrow = today + 1;
  const first = tomorrow - dateOf(today).day;
  const last = first - dateOf(first - 1).day;
  let year = first;
  for (let { month } = dateOf(first); month > 1; month--) year -= dateOf(year - 1).day;
  return Int32Array.of(today, tomorrow, today - 1, today, first, tomorrow, last, first, year, tomorrow);
}

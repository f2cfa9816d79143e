/** What is wrong, since when, and by which number: GET /api/conditions has that of the device and of all packs, a pack's documents have its own. */
import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import type { JsonWriter } from "json/writer";
import { ALARMS_TABLE, isRaised, releaseOf } from "../catalogue/alarms";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { ALARM_ROW, codeOf, decimalsOf, DEVICE, DEVICE_ROW, severityOf } from "../conditions/table";
import type { BusPack } from "../packs/types";
import type { Context, Sources } from "./context";
import { CONDITION_BYTES } from "./limits";
import { fail, put, SUCCESS } from "./replies";
import { Stepped } from "./stepped";

export type Told = "conditions" | "uptime" | "time";
type Reached = Context<Told | "monitor">;
type Device = Pick<Sources, Told>;

export function getConditions(context: Reached, exchange: Exchange): void {
  if (exchange.query) return fail(context, exchange, 400, "There are no parameters.");
  new ConditionRows(context, exchange).respond();
}

/** The device's, then by pack, in the order of the table, then of the alarms. */
class ConditionRows extends Stepped {
  declare protected readonly context: Reached;
  /** Whose turn is next, by its place; below DEVICE: the head's. */
  private index = DEVICE - 1;
  /** Which of its conditions is. */
  private condition = 0;
  private hasRow = false;

  constructor(context: Reached, exchange: Exchange) {
    super(context, exchange);
  }

  protected write(into: Uint8Array): number {
    const { device } = this.context;
    const { json, monitor } = device;
    const { packs } = monitor;
    if (this.index < DEVICE) {
      this.index = DEVICE;
      return writeText(into, 0, `{${SUCCESS},"data":[`);
    }
    while (this.index < packs.length) {
      const pack = this.index === DEVICE ? undefined : packs[this.index];
      json.begin(into, this.hasRow);
      this.condition = writeConditions(json, device, pack, this.condition, true);
      if (!this.condition) this.index++;
      const length = json.end();
      if (!length) continue;
      this.hasRow = true;
      return length;
    }
    return this.index++ === packs.length ? writeText(into, 0, "]}") : 0;
  }
}

/**
 * Writes the items of `conditions` of this pack, or of the device, in the order of the table, then of the alarms, while there is room.
 * @param at which one is next
 * @returns which one is next then; 0: that was all
 */
export function writeConditions(
  json: JsonWriter,
  device: Device,
  pack: BusPack | undefined,
  at = 0,
  isNamed = false,
): number {
  const { conditions } = device;
  const index = pack?.index ?? DEVICE;
  const present = conditions.presentOf(index);
  const alarms = conditions.alarmsOf(index);
  for (; (at = nextAt(present, alarms, at)) < END; at++) {
    if (json.room < CONDITION_BYTES) return at;
    // By which number, of an alarm only the BMS knows.
    const alarm = ALARMS_TABLE[at - ALARM_ROW];
    const place = pack ? at : DEVICE_ROW + at;
    const code = alarm ? alarm.name : codeOf(place);
    json.open();
    if (isNamed && pack) json.integer("pack", pack.identity.address);
    json.string("code", code);
    json.string("severity", alarm ? (alarm.fault ? "fault" : "notice") : severityOf(code));
    const now = device.time?.();
    const since = conditions.sinceOf(index, at);
    const [value, limit] = (alarm ? undefined : (pack ?? conditions).measurementOf(sets.ofRow(at))) ?? [];
    put(json, "since", now && since !== undefined ? now - device.uptime() + since : undefined);
    const decimals = alarm ? 0 : decimalsOf(place);
    put(json, "value", value, decimals);
    put(json, "limit", limit, decimals);
    put(json, "today", conditions.todayOf(index, at));
    const release = alarm && pack ? releaseOf(pack, alarm) : 0;
    if (release) json.integer("release", release);
    json.close();
  }
  return 0;
}

const END = ALARM_ROW + ALARMS_TABLE.length;

/** The first from `at` on that is there: a condition by its row, an alarm behind ALARM_ROW. */
function nextAt(present: Conditions, alarms: number, at: number): number {
  const row = at < ALARM_ROW ? sets.nextRow(present, at) : sets.MOST_ROWS;
  if (row < sets.MOST_ROWS) return row;
  for (at = Math.max(at, ALARM_ROW); at < END && alarms; at++) if (isRaised(alarms, at - ALARM_ROW)) return at;
  return END;
}

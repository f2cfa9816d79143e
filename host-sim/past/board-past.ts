/** A past for a board that is about to start: in its partition "history", and in its energy counters unless these have counted already. */
import { textOf } from "../../src/energy/stored-counters";
import { LocalTime } from "../../src/settings/local-time";
import GROUPS from "../../src/settings/tables";
import type { SimulatedBoard } from "../board";
import { fillPast, type PastOptions } from "./past";

const JOULES_PER_WATT_HOUR = 3_600;

/** Call on a powered board. The owner's days are those of the time zone that it has stored. */
export function givePast(board: SimulatedBoard, options: Omit<PastOptions, "offsetAt">): void {
  const local = new LocalTime({ time: storedTime(board) });
  board.history.batch(() => {
    const past = fillPast(board.history, { ...options, offsetAt: (utc) => local.offsetAt(utc) });
    if (board.storage.read("state", "energy")) return;
    const { day, today } = past;
    const [charged, discharged] = [past.charged * JOULES_PER_WATT_HOUR, past.discharged * JOULES_PER_WATT_HOUR];
    const string = textOf(
      charged + today.charged * JOULES_PER_WATT_HOUR,
      discharged + today.discharged * JOULES_PER_WATT_HOUR,
    );
    board.storage.write("state", "energy", { string });
    // What the counters showed when the day began (src/history/day-start.ts): today's energy goes on from there.
    board.storage.write("state", "day", { string: `${day} ${charged} ${discharged} ${day + charged + discharged}` });
  });
}

function storedTime(board: SimulatedBoard): { readonly zone: string; readonly offset: number } {
  const { zone, offset } = GROUPS.time.fields as { zone: { default: string }; offset: { default: number } };
  const usual = { zone: zone.default, offset: offset.default };
  const stored = board.storage.read("settings", "time");
  if (!stored || !("string" in stored)) return usual;
  try {
    return { ...usual, ...(JSON.parse(stored.string) as { values?: object }).values };
  } catch {
    // The firmware will say so.
    return usual;
  }
}

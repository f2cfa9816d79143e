import { known } from "../outcome";
import type { AllTexts } from "./all-texts";

/** Of the BMS's own log. */
export interface Entry {
  /** Running time of the BMS, seconds. */
  readonly uptime: number;
  readonly code: number;
  /** Empty: the code is not known. */
  readonly event: string;
}

const RELEASED = "_released";

/** What the BMS did or saw (docs/jk-modbus.md, "System log"). */
export function logText({ code, event }: Entry, t: AllTexts): string {
  const words = t.bmsLog;
  const isOver = event.endsWith(RELEASED);
  const name = isOver ? event.slice(0, -RELEASED.length) : event;
  const alarm = known(t.alarms, name);
  if (alarm) return isOver ? words.over(alarm.title) : alarm.title;
  const [first = "", second = "", third = ""] = event.split("_");
  if (first === "cell") return words[third === "overdischarged" ? "low" : "high"](second);
  const who = known(words.who, first);
  const subject = known(words.subjects, third || second === "heating" ? second : "bms");
  if (who && subject) {
    const state = third || second;
    return `${subject}${state === "on" ? `: ${t.common.on}` : state === "off" ? `: ${t.common.off}` : ""} (${who})`;
  }
  return known(words.events, event) ?? (event || words.code(String(code)));
}

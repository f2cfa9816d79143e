/** What has happened since the page was last looked at. */
import type { PastEvent } from "./past/records";

/** s: after a shorter absence everything has just been seen. */
export const LEAST_ABSENCE = 600;

/** What an owner wants to know of first: alarms, and what was lost or odd. */
const ALARMS = [
  ...[
    "alarm-raised",
    "condition-raised",
    "bms-offline",
    "pack-offline",
    "pack-swapped",
    "other-master",
    "crashed",
    "safe-mode",
  ],
  ...["sign-in-refused"],
];
/** What somebody did, mostly the owner. Not what passed by itself. */
const CHANGES = [
  "write",
  "settings-changed",
  "setting-changed",
  "all-packs-ended",
  "older-update",
  "clock-set",
  "button",
];

/** When it was looked at before, as stored; undefined: never, or too short a time before `now`. Seconds since 1970. */
export function lookBefore(stored: string | null, now: number): number | undefined {
  const last = Number(stored);
  return last && now - last >= LEAST_ABSENCE ? last : undefined;
}

/** Of each the newest first. */
export function eventsSince(
  events: readonly PastEvent[],
  from: number,
): { readonly alarms: PastEvent[]; readonly changes: PastEvent[] } {
  const news = (codes: readonly string[]): PastEvent[] =>
    events.filter(({ code, time }) => time > from && codes.includes(code)).sort((one, other) => other.time - one.time);
  return { alarms: news(ALARMS), changes: news(CHANGES) };
}

/** What has happened since the page was last looked at. */
import type { PastEvent } from "./past/records";

/** s: after a shorter absence everything has just been seen. */
export const LEAST_ABSENCE = 600;

/** What an owner wants to know of: alarms, what was lost, and changes. Not what passed by itself. */
const TOLD = [
  ...["alarm-raised", "bms-offline", "pack-offline", "pack-swapped", "other-master", "crashed", "safe-mode"],
  ...["write", "settings-changed", "all-packs-ended", "older-update", "button", "sign-in-refused"],
];

/** When it was looked at before, as stored; undefined: never, or too short a time before `now`. Seconds since 1970. */
export function lookBefore(stored: string | null, now: number): number | undefined {
  const last = Number(stored);
  return last && now - last >= LEAST_ABSENCE ? last : undefined;
}

/** The newest first. */
export const eventsSince = (events: readonly PastEvent[], from: number): PastEvent[] =>
  events.filter(({ code, time }) => time > from && TOLD.includes(code)).sort((one, other) => other.time - one.time);

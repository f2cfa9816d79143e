/** The device's time zone beside the browser's. */

import type { Session } from "./documents";

/** What a year's clocks show in a zone. Throws if the browser does not know it. */
const year = (timeZone?: string): string =>
  [0, 3, 6, 9].map((month) => new Date(Date.UTC(2026, month)).toLocaleString("en", { timeZone })).join();

/** Whether days begin at other times in the device's zone than in the browser's. */
export function isOtherZone({ zone, offset }: Pick<Session, "zone" | "offset">): boolean {
  if (offset === undefined) return false;
  if (offset !== -60 * new Date().getTimezoneOffset()) return true;
  if (!zone && offset) return false;
  try {
    return year(zone?.split(" ")[0] || "UTC") !== year();
  } catch {
    // A rule without a name.
    return false;
  }
}

/** Time zones by name, as the device stores them. */

import type { Session } from "./documents";

/** What the device stores, by name: "Europe/Lisbon" → "Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0". */
export type Zones = ReadonlyMap<string, string>;

/** @param table in the form of web/zone-table.ts */
export function zonesOf(table: string): Zones {
  const zones: [string, string][] = [];
  for (const line of table.split("\n")) {
    const [rule = "", ...areas] = line.split("|");
    for (const area of areas) {
      const end = area.lastIndexOf("/") + 1;
      for (const place of area.slice(end).split(",")) {
        const name = area.slice(0, end) + place;
        zones.push([name, `${name} ${rule}`]);
      }
    }
  }
  return new Map(zones.sort());
}

const canonical = (timeZone?: string): string => new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;

/** The browser's zone; if the list does not have it, today's offset. */
export function browserZone(zones: Zones): string {
  const here = canonical();
  // Browsers may call a zone by a name of earlier years: Asia/Calcutta.
  return zones.get(here) ?? [...zones].find(([name]) => isSame(name, here))?.[1] ?? fixedHere();
}

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

/** The browser's offset of today. */
export const fixedHere = (): string => fixedRule(-new Date().getTimezoneOffset());

function isSame(name: string, here: string): boolean {
  try {
    return canonical(name) === here;
  } catch {
    // The browser does not know it.
    return false;
  }
}

/** The rule of a fixed offset, minutes east of UTC: 330 → "<+0530>-5:30". */
export function fixedRule(offset: number): string {
  const minutes = Math.abs(offset);
  const hours = String(Math.floor(minutes / 60));
  const rest = String(minutes % 60).padStart(2, "0");
  const [sign, opposite] = offset < 0 ? ["-", ""] : ["+", "-"];
  return `<${sign}${hours.padStart(2, "0")}${rest}>${opposite}${hours}:${rest}`;
}

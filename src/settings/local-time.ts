import { Zone } from "posix-tz/zone";
import { MAX_ZONE_NAME } from "./limits";
import type { TimeSettings } from "./types";

const MINUTE = 60;

/**
 * The rule of a zone as it is stored: alone, or behind a name and a blank ("Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0"). The name is for the
 * reader only: the device has no list of names. Undefined: malformed, or a name without a rule.
 */
function zoneOf(text: string): Zone | undefined {
  const blank = text.indexOf(" ");
  if (blank >= 0 && !isZoneName(text.slice(0, blank))) return undefined;
  return Zone.parse(text.slice(blank + 1));
}

/** Whether `text` can be stored as a zone. Empty: none is chosen. */
export const isZone = (text: string): boolean => !text || zoneOf(text) !== undefined;

/** Letters, digits and `/_+-`: the names of the time zone database. */
function isZoneName(name: string): boolean {
  if (!name || name.length > MAX_ZONE_NAME) return false;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    // + - / 0 to 9 _
    if (!isLetter && !(code >= 0x2f && code <= 0x39) && code !== 0x2b && code !== 0x2d && code !== 0x5f) return false;
  }
  return true;
}

/** The owner's local time, by the settings as they are at each call: the zone, or without one the fixed offset. */
export class LocalTime {
  private readonly settings: { readonly time: Pick<TimeSettings, "zone" | "offset"> };
  /** The text that `zone` was made of. */
  private text = "";
  private zone: Zone | undefined;

  constructor(settings: { readonly time: Pick<TimeSettings, "zone" | "offset"> }) {
    this.settings = settings;
  }

  /** Seconds from UTC to local time at `utc`, seconds since 1970; positive east of Greenwich. */
  offsetAt(utc: number): number {
    const { zone, offset } = this.settings.time;
    if (zone !== this.text) {
      this.text = zone;
      this.zone = zoneOf(zone);
    }
    return this.zone ? this.zone.offsetAt(utc) : offset * MINUTE;
  }
}

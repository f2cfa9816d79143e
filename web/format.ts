/** Formats numbers and times for display. */

export type Language = "en" | "pt";

/** A narrow no-break space keeps number and unit together; a figure space would be too wide. */
const GAP = "\u202f";
export const MINUS = "\u2212";
const UNKNOWN = "–";

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** `value` with exactly `decimals`, formatted for the language; "–" when absent. */
export function number(language: Language, value: number | undefined | null, decimals = 0): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return UNKNOWN;
  const text = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);
  // -0.0 would suggest a direction.
  return /[1-9]/.test(text) ? text.replace("-", MINUS) : text.replace("-", "");
}

/** A string, number or boolean as text; empty for anything else. */
export function plain(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Name of an input or relay: the default name in the page's language, any other as stored. */
export function nameText(
  name: unknown,
  { defaultNames }: { readonly defaultNames: Readonly<Record<string, string>> },
): string {
  const text = plain(name);
  return Object.hasOwn(defaultNames, text) ? (defaultNames[text] as string) : text;
}

/** With its unit; "–" alone if unknown. */
export function quantity(language: Language, value: number | undefined | null, unit: string, decimals = 0): string {
  const text = number(language, value, decimals);
  return unit && text !== UNKNOWN ? text + GAP + unit : text;
}

/** Watts, or kilowatts from 10 kW up. */
export function power(language: Language, watts: number | null): string {
  if (watts === null) return quantity(language, watts, "W");
  return Math.abs(watts) >= 10_000
    ? quantity(language, watts / 1_000, "kW", 1)
    : quantity(language, watts, "W", Math.abs(watts) < 10 ? 1 : 0);
}

/** The two largest parts of a duration: "3 d 4 h", "4 h 20 min", "12 min", "8 s"; "–" if unknown. */
export function duration(seconds: number | null): string {
  if (seconds === null) return UNKNOWN;
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole}${GAP}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}${GAP}min`;
  if (whole < DAY) return two(Math.floor(whole / HOUR), "h", Math.floor((whole % HOUR) / MINUTE), "min");
  return two(Math.floor(whole / DAY), "d", Math.floor((whole % DAY) / HOUR), "h");
}

function two(high: number, highUnit: string, low: number, lowUnit: string): string {
  const first = `${high}${GAP}${highUnit}`;
  return low ? `${first} ${low}${GAP}${lowUnit}` : first;
}

/**
 * The browser's own form of the page's language for dates and times: 15:40 or 3:40 PM is a matter of the region. Numbers have the
 * language's own form, as the page reads what is typed.
 */
export function localeOf(language: Language): string {
  const { locale } = new Intl.DateTimeFormat().resolvedOptions();
  return locale.split("-")[0] === language ? locale : language;
}

/** Device time (seconds since 1970, UTC) in the owner's zone: "28 May 2026, 20:26". */
export function timestamp(seconds: number, zone: { offsetAt(utc: number): number }, language: Language): string {
  const options = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(localeOf(language), options).format((seconds + zone.offsetAt(seconds)) * 1_000);
}

/** Browser-local time of ms since 1970, with the day unless it is that of `now`: a history may go back past midnight. */
export function clock(time: number, language: Language, now?: number): string {
  const isToday = now !== undefined && new Date(time).toDateString() === new Date(now).toDateString();
  const options = { hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat(localeOf(language), isToday ? options : { weekday: "short", ...options }).format(time);
}

/** The date by the browser's clock of seconds since 1970, "2026-11-26". */
export function localDate(seconds: number): string {
  const time = new Date(seconds * 1_000);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Manufacturing date of the BMS, YYMMDD, as "14 Jun 2024"; "–" if unknown, unchanged if it is no date. */
export function manufactureDate(text: string | null, language: Language): string {
  if (text === null) return UNKNOWN;
  const time = /^\d{6}$/.test(text) ? Date.parse(`20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`) : NaN;
  const options = { dateStyle: "medium", timeZone: "UTC" } as const;
  return Number.isNaN(time) ? text : new Intl.DateTimeFormat(localeOf(language), options).format(time);
}

/** Numbers and times for people. */

export type Language = "en" | "pt";

/** A figure space would be too wide: unit and number stay together by a narrow no-break space. */
const GAP = "\u202f";
const MINUS = "\u2212";

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** `value` with exactly `decimals`, in the way of the language; "–" for what is not there. */
export function number(language: Language, value: number | undefined | null, decimals = 0): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return "–";
  const text = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);
  // -0.0 would say that there is a direction.
  return /[1-9]/.test(text) ? text.replace("-", MINUS) : text.replace("-", "");
}

/** A text, number or boolean of a document as it is; empty for anything else. */
export function plain(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** A name of a part of the board: the one it came with in the reader's language, any other as it is. */
export function nameText(
  name: unknown,
  { defaultNames }: { readonly defaultNames: Readonly<Record<string, string>> },
): string {
  const text = plain(name);
  return Object.hasOwn(defaultNames, text) ? (defaultNames[text] as string) : text;
}

export function quantity(language: Language, value: number | undefined | null, unit: string, decimals = 0): string {
  const text = number(language, value, decimals);
  return unit ? text + GAP + unit : text;
}

/** Watts, or kilowatts from 10 kW up. */
export function power(language: Language, watts: number | null): string {
  if (watts === null) return quantity(language, watts, "W");
  return Math.abs(watts) >= 10_000
    ? quantity(language, watts / 1_000, "kW", 1)
    : quantity(language, watts, "W", Math.abs(watts) < 10 ? 1 : 0);
}

/** The two largest parts of a duration: "3 d 4 h", "4 h 20 min", "12 min", "8 s"; "–" for what is not known. */
export function duration(seconds: number | null): string {
  if (seconds === null) return "–";
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

/** A device's time (seconds since 1970, UTC) with its offset (minutes), as "2026-05-04 13:20". */
export function timestamp(seconds: number, offset: number): string {
  return new Date((seconds + offset * MINUTE) * 1_000).toISOString().slice(0, 16).replace("T", " ");
}

/** A time (ms since 1970) on the clock of this browser, with the day: a history may be older than midnight. */
export function clock(time: number, language: Language): string {
  const options = { weekday: "short", hour: "2-digit", minute: "2-digit", hour12: false } as const;
  return new Intl.DateTimeFormat(language, options).format(time);
}

/** Minutes ahead of UTC as "UTC+01:00". */
export function zone(offset: number): string {
  const minutes = Math.abs(offset);
  const hours = String(Math.floor(minutes / MINUTE)).padStart(2, "0");
  return `UTC${offset < 0 ? MINUS : "+"}${hours}:${String(minutes % MINUTE).padStart(2, "0")}`;
}

/** The manufacturing date of the BMS, YYMMDD, as "2023-06-14"; "–" for what is not known, anything else as it is. */
export function manufactureDate(text: string | null): string {
  if (text === null) return "–";
  return /^\d{6}$/.test(text) ? `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}` : text;
}

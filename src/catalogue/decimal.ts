/** Decimal numbers as integers with a count of decimals, and as people write them; exact, without binary noise. */

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const FIVE = 0x35;
const NINE = 0x39;

export interface DecimalRange {
  /** Inclusive, in units of 10 ** -decimals. */
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  /** Refuse what is not a whole number of units, instead of rounding it. */
  readonly exact?: boolean;
}

/**
 * Reads `text` (optional sign, digits, optional dot and digits; nothing else) as an integer in units of 10 **
 * -decimals. The range is checked before rounding; what is finer than a unit is rounded half away from zero. Works on
 * the digits, so 1.0005 with three decimals is 1001 however a binary fraction would hold it.
 * @returns undefined when it is no such text, or out of range.
 */
export function parseDecimal(text: string, { min, max, decimals, exact = false }: DecimalRange): number | undefined {
  const sign = text.charCodeAt(0);
  const first = sign === MINUS || sign === PLUS ? 1 : 0;
  let units = 0;
  /** Decimals seen; -1 before the dot. */
  let places = -1;
  let finer = false;
  let roundUp = false;
  for (let index = first; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === DOT && places < 0 && index > first) {
      places = 0;
      continue;
    }
    if (code < ZERO || code > NINE) return undefined;
    if (places >= 0) places++;
    if (places <= decimals) units = units * 10 + (code - ZERO);
    else {
      if (places === decimals + 1) roundUp = code >= FIVE;
      if (code !== ZERO) finer = true;
    }
  }
  if (text.length === first || places === 0) return undefined;
  for (let place = Math.max(places, 0); place < decimals; place++) units *= 10;

  // The exact value lies between `units` and `units + 1`, or is `units` when nothing finer followed.
  const negative = sign === MINUS;
  const beyond = finer ? 1 : 0;
  if (negative ? -units - beyond < min || -units > max : units < min || units + beyond > max) return undefined;
  if (exact && finer) return undefined;
  if (roundUp) units++;
  return negative && units ? -units : units;
}

/**
 * As `parseDecimal`; a number counts as the shortest decimal text that stands for it, which is what a person typed into
 * the JSON.
 */
export function numberToUnits(value: number, range: DecimalRange): number | undefined {
  const text = String(value);
  // "NaN" and "Infinity" are no texts of the grammar.
  if (!text.includes("e")) return parseDecimal(text, range);
  // Only numbers from 1e21 up (beyond every range) and below 1e-6 (finer than every register) are written with an exponent.
  if (Math.abs(value) >= 1) return undefined;
  return parseDecimal(value < 0 ? "-0.0000001" : "0.0000001", range);
}

/** 3650, 3 → "3.65". */
export function decimalText(units: number, decimals: number): string {
  let rest = Math.abs(units);
  let places = decimals;
  while (places > 0 && rest % 10 === 0) {
    rest /= 10;
    places--;
  }
  const digits = String(rest).padStart(places + 1, "0");
  const sign = units < 0 ? "-" : "";
  if (!places) return sign + digits;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** `units` of 10 ** -from in units of 10 ** -to, rounded half away from zero when `to` is coarser. */
export function rescale(units: number, from: number, to: number): number {
  if (from === to) return units;
  let divisor = 1;
  for (let place = to; place < from; place++) divisor *= 10;
  let factor = 1;
  for (let place = from; place < to; place++) factor *= 10;
  if (divisor === 1) return units * factor;
  const magnitude = Math.floor((Math.abs(units) + divisor / 2) / divisor);
  return units < 0 && magnitude ? -magnitude : magnitude;
}

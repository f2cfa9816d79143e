/** Exact conversion of decimal text to scaled integers, free of binary floating-point errors. */

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
  /** Reject values finer than one unit instead of rounding them. */
  readonly exact?: boolean;
}

/**
 * Parses `text` (optional sign, digits, optional dot and digits; nothing else) to an integer in units of 10 **
 * -decimals. The range is checked before rounding; digits finer than one unit are rounded half away from zero. It works
 * on the digits, so 1.0005 with three decimals is 1001 regardless of its binary representation.
 * @returns undefined if malformed or out of range.
 */
export function parseDecimal(text: string, { min, max, decimals, exact = false }: DecimalRange): number | undefined {
  const sign = text.charCodeAt(0);
  const first = sign === MINUS || sign === PLUS ? 1 : 0;
  let units = 0;
  /** Decimals read; -1 before the dot. */
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

  // The exact value lies between `units` and `units + 1`, or equals `units` if all finer digits were zero.
  const negative = sign === MINUS;
  const beyond = finer ? 1 : 0;
  if (negative ? -units - beyond < min || -units > max : units < min || units + beyond > max) return undefined;
  if (exact && finer) return undefined;
  if (roundUp) units++;
  return negative && units ? -units : units;
}

/**
 * Like `parseDecimal`, but also accepts a number, taken as its shortest decimal representation: what the user typed
 * into the JSON.
 */
export function numberToUnits(value: number, range: DecimalRange): number | undefined {
  const text = String(value);
  // The grammar rejects "NaN" and "Infinity".
  if (!text.includes("e")) return parseDecimal(text, range);
  // Exponents appear only from 1e21 up (beyond every range) and below 1e-6 (finer than every register).
  if (Math.abs(value) >= 1) return undefined;
  return parseDecimal(value < 0 ? "-0.0000001" : "0.0000001", range);
}

/** Converts `units` of 10 ** -from to units of 10 ** -to, rounding half away from zero if `to` is coarser. */
export function rescale(units: number, from: number, to: number): number {
  if (from <= to) return units * 10 ** (to - from);
  const divisor = 10 ** (from - to);
  const magnitude = Math.floor((Math.abs(units) + divisor / 2) / divisor);
  return units < 0 && magnitude ? -magnitude : magnitude;
}

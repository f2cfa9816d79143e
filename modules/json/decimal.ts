const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/** The three digits of 0 to 999 in ASCII, the first one in bits 16 to 23: one look-up and three stores in place of three divisions. */
const DIGITS = Uint32Array.from({ length: 1000 }, (_, value) => {
  const ones = value % 10;
  const tens = ((value - ones) / 10) % 10;
  const hundreds = (value - tens * 10 - ones) / 100;
  return ((ZERO + hundreds) << 16) | ((ZERO + tens) << 8) | (ZERO + ones);
});

/** Most decimals that the fast way knows: all that a BMS sends. */
const FAST_DECIMALS = 3;
/** 10 ** decimals, and what makes thousandths of a fraction of that many decimals. */
const SCALES = Object.freeze([1, 10, 100, 1000], true);
const THOUSANDTHS = Object.freeze([1000, 100, 10, 1], true);

/**
 * Writes the number `integer / 10 ** decimals`, exactly, in ASCII at byte `at` of `into`; trailing zeros of the fraction are left out.
 * What is beyond the end of `into` is lost (ECMA-262, TypedArraySetElement).
 * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
 * @returns where the next byte goes.
 */
export function writeDecimal(into: Uint8Array, at: number, integer: number, decimals: number): number {
  let whole = integer;
  if ((integer | 0) !== integer && !Number.isSafeInteger(integer)) throw new RangeError("number is not a safe integer");
  if (whole < 0) {
    into[at++] = MINUS;
    whole = -whole;
  }
  let digits = 0;
  let fraction = 0;
  if (decimals > 0) {
    if (decimals > FAST_DECIMALS) return writeFine(into, at, whole, decimals);
    const scale = SCALES[decimals] as number;
    fraction = whole % scale;
    whole = (whole - fraction) / scale;
    fraction *= THOUSANDTHS[decimals] as number;
  }
  if (whole < 1000) {
    digits = DIGITS[whole] as number;
    if (whole > 9) {
      if (whole > 99) into[at++] = digits >> 16;
      into[at++] = digits >> 8;
    }
    into[at++] = digits;
  } else at = writeLarge(into, at, whole);
  if (!fraction) return at;
  digits = DIGITS[fraction] as number;
  into[at] = DOT;
  into[at + 1] = digits >> 16;
  if (fraction % 100 === 0) return at + 2;
  into[at + 2] = digits >> 8;
  if (fraction % 10 === 0) return at + 3;
  into[at + 3] = digits;
  return at + 4;
}

/** A whole number from 1000 up. */
function writeLarge(into: Uint8Array, at: number, whole: number): number {
  const rest = whole % 1000;
  at = writeDecimal(into, at, (whole - rest) / 1000, 0);
  const digits = DIGITS[rest] as number;
  into[at] = digits >> 16;
  into[at + 1] = digits >> 8;
  into[at + 2] = digits;
  return at + 3;
}

/** A number that is not negative, of any count of decimals. */
function writeFine(into: Uint8Array, at: number, rest: number, decimals: number): number {
  for (; decimals > 0 && rest % 10 === 0; decimals--) rest /= 10;
  if (decimals <= FAST_DECIMALS) return writeDecimal(into, at, rest, decimals);
  let end = at + 1;
  for (let bound = 10; rest >= bound; bound *= 10) end++;
  end = Math.max(end, at + decimals + 1) + 1;
  const dot = end - decimals - 1;
  for (let place = end - 1; place >= at; place--) {
    if (place === dot) {
      into[place] = DOT;
      continue;
    }
    const digit = rest % 10;
    into[place] = ZERO + digit;
    rest = (rest - digit) / 10;
  }
  return end;
}

const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/** The three digits of 0 to 999 in ASCII, the first one in bits 16 to 23: a look-up and three stores instead of three divisions. */
const DIGITS = Uint32Array.from({ length: 1000 }, (_, value) => {
  const tens = Math.floor(value / 10);
  const hundreds = Math.floor(value / 100);
  return ((ZERO + hundreds) << 16) | ((ZERO + (tens % 10)) << 8) | (ZERO + (value % 10));
});
/** The value bits of the last digit, and of the one before it. */
const ONES = 0x0f;
const TENS = 0x0f00;

/** Maximum decimals of the fast path, enough for every BMS value; and the factors that scale each count of decimals to thousandths. */
const SHORT_DECIMALS = 3;
const THOUSANDTHS = Object.freeze([1000, 100, 10, 1], true);

/**
 * Writes the number `integer / 10 ** decimals`, exactly, in ASCII at byte `at` of `into`; trailing zeros of the fraction are omitted.
 * Bytes beyond the end of `into` are dropped (ECMA-262, TypedArraySetElement).
 * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
 * @returns where the next byte goes.
 *
 * Called for each number of a document. On XS `into[at++] = x` takes a third more steps than two statements.
 */
export function writeDecimal(into: Uint8Array, at: number, integer: number, decimals: number): number {
  if ((integer | 0) !== integer) return writeAny(into, at, integer, decimals);
  if (integer < 0) {
    into[at] = MINUS;
    at++;
    integer = -integer;
  }
  let fraction = 0;
  if (decimals > 0) {
    if (decimals > SHORT_DECIMALS) return writeAny(into, at, integer, decimals);
    integer *= THOUSANDTHS[decimals] as number;
    fraction = integer % 1000;
    integer = (integer - fraction) / 1000;
  }
  let digits = 0;
  if (integer < 10) {
    into[at] = ZERO + integer;
    at++;
  } else if (integer < 1000) {
    digits = DIGITS[integer] as number;
    if (integer > 99) {
      into[at] = digits >> 16;
      at++;
    }
    into[at] = digits >> 8;
    at++;
    into[at] = digits;
    at++;
  } else at = writeLarge(into, at, integer);
  if (!fraction) return at;
  digits = DIGITS[fraction] as number;
  into[at] = DOT;
  into[at + 1] = digits >> 16;
  if (digits & ONES) {
    into[at + 2] = digits >> 8;
    into[at + 3] = digits;
    return at + 4;
  }
  if (!(digits & TENS)) return at + 2;
  into[at + 2] = digits >> 8;
  return at + 3;
}

const writeWhole = (into: Uint8Array, at: number, whole: number): number =>
  whole < 1000 ? writeDecimal(into, at, whole, 0) : writeLarge(into, at, whole);

/** A whole number from 1000 up. */
function writeLarge(into: Uint8Array, at: number, whole: number): number {
  const rest = whole % 1000;
  whole = (whole - rest) / 1000;
  let digits = 0;
  if (whole > 999) at = writeLarge(into, at, whole);
  else {
    digits = DIGITS[whole] as number;
    if (whole > 9) {
      if (whole > 99) {
        into[at] = digits >> 16;
        at++;
      }
      into[at] = digits >> 8;
      at++;
    }
    into[at] = digits;
    at++;
  }
  digits = DIGITS[rest] as number;
  into[at] = digits >> 16;
  into[at + 1] = digits >> 8;
  into[at + 2] = digits;
  return at + 3;
}

/** The slow path: numbers beyond 32 bits or with more decimals. */
function writeAny(into: Uint8Array, at: number, integer: number, decimals: number): number {
  if (!Number.isSafeInteger(integer)) throw new RangeError("number is not a safe integer");
  let rest = integer;
  if (rest < 0) {
    into[at++] = MINUS;
    rest = -rest;
  }
  for (; decimals > 0 && rest % 10 === 0; decimals--) rest /= 10;
  if (decimals <= 0) return writeWhole(into, at, rest);
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

const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/** The two digits of 0 to 99 in ASCII, the first one in the high byte: a look-up in place of two divisions. */
const PAIRS = Uint16Array.from(
  { length: 100 },
  (_, value) => ((ZERO + Math.floor(value / 10)) << 8) | (ZERO + (value % 10)),
);
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
  // Most are: a call takes XS as long as the rest.
  if (integer < 10) {
    into[at] = ZERO + integer;
    at++;
  } else at = writeWhole(into, at, integer);
  if (!fraction) return at;
  integer = fraction % 100;
  into[at] = DOT;
  into[at + 1] = ZERO + (fraction - integer) / 100;
  const pair = PAIRS[integer] as number;
  if (pair & ONES) {
    into[at + 2] = pair >> 8;
    into[at + 3] = pair;
    return at + 4;
  }
  if (!(pair & TENS)) return at + 2;
  into[at + 2] = pair >> 8;
  return at + 3;
}

/** A whole number from 0 up. */
function writeWhole(into: Uint8Array, at: number, whole: number): number {
  if (whole < 10) {
    into[at] = ZERO + whole;
    return at + 1;
  }
  const rest = whole % 100;
  if (rest !== whole) at = writeWhole(into, at, (whole - rest) / 100);
  const pair = PAIRS[rest] as number;
  into[at] = pair >> 8;
  into[at + 1] = pair;
  return at + 2;
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

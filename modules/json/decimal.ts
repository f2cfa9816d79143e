const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/**
 * Writes the number `integer / 10 ** decimals`, exactly, in ASCII at byte `at` of `into`; trailing zeros of the fraction are left out.
 * What is beyond the end of `into` is lost (ECMA-262, TypedArraySetElement).
 * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
 * @returns where the next byte goes.
 */
export function writeDecimal(into: Uint8Array, at: number, integer: number, decimals: number): number {
  if (!Number.isSafeInteger(integer)) throw new RangeError("number is not a safe integer");
  let rest = integer;
  if (rest < 0) {
    into[at++] = MINUS;
    rest = -rest;
  }
  for (; decimals > 0 && rest % 10 === 0; decimals--) rest /= 10;
  let end = at + 1;
  for (let bound = 10; rest >= bound; bound *= 10) end++;
  if (decimals) end = Math.max(end, at + decimals + 1) + 1;
  let place = end;
  let digit = 0;
  if (decimals) {
    for (; decimals; decimals--) {
      digit = rest % 10;
      into[--place] = ZERO + digit;
      rest = (rest - digit) / 10;
    }
    into[--place] = DOT;
  }
  do {
    digit = rest % 10;
    into[--place] = ZERO + digit;
    rest = (rest - digit) / 10;
  } while (rest);
  return end;
}

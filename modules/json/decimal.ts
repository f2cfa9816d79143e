/** More decimals might be written with an exponent. */
const SHORT_DECIMALS = 6;

/**
 * The number `integer / 10 ** decimals`, exactly; trailing zeros of the fraction are omitted: 3650, 3 → "3.65".
 * @param integer a whole number within ±(2^53 - 1); throws a RangeError for anything else.
 */
export function decimalText(integer: number, decimals: number): string {
  // Up to 15 digits the nearest number is written as the decimal that is meant.
  if ((integer | 0) === integer && decimals <= SHORT_DECIMALS) return `${integer / 10 ** decimals}`;
  if (!Number.isSafeInteger(integer)) throw new RangeError("number is not a safe integer");
  let rest = Math.abs(integer);
  for (; decimals > 0 && rest % 10 === 0; decimals--) rest /= 10;
  const digits = `${rest}`.padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return `${integer < 0 ? "-" : ""}${digits.slice(0, point)}${decimals > 0 ? "." : ""}${digits.slice(point)}`;
}

/**
 * Numbers in docs that state a limit of the code, each followed by a hidden comment with its source:
 * `5,000<!--= web.ITERATIONS -->`; an optional second value sets the decimals: `1.3<!--= web.SESSION_LIFE / 7, 1 -->`.
 */
const MARK = /([\d.,]*\d)<!--= ([^>]+?) -->/g;

export const format = (value, decimals = 0) =>
  value.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 3) });

/** @param {Record<string, Record<string, unknown>>} limits by folder name */
export function valueOf(expression, limits) {
  const names = [...Object.keys(limits), "ceil", "round", "values"];
  const values = [...Object.values(limits), Math.ceil, Math.round, (...parts) => parts];
  // The expressions come from this repository, so they are trusted.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const [value, decimals] = new Function(...names, `return values(${expression});`)(...values);
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Error(`${expression} is not a number`);
  return decimals === undefined ? format(value) : value.toFixed(decimals);
}

/** The text with every marked number updated from the code, and the mismatches found. */
export function withNumbers(path, text, limits) {
  const problems = [];
  const fresh = text.replace(MARK, (whole, number, expression) => {
    try {
      const value = valueOf(expression, limits);
      if (value === number) return whole;
      problems.push(`${path}: ${number} should be ${value}, by ${expression}`);
      return `${value}<!--= ${expression} -->`;
    } catch (error) {
      problems.push(`${path}: ${expression}: ${error.message}`);
      return whole;
    }
  });
  const marks = text.split("<!--=").length - 1;
  if (marks !== [...text.matchAll(MARK)].length) problems.push(`${path}: a mark <!--= … --> has no number before it`);
  return { fresh, problems };
}

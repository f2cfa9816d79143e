/**
 * Numbers in docs that are limits of the code: behind each stands which, in a comment that a reader of the page does not see.
 * `5,000<!--= web.ITERATIONS -->`; with a second value, its decimals: `1.3<!--= web.SESSION_LIFE / 7, 1 -->`.
 */
const MARK = /([\d.,]*\d)<!--= ([^>]+?) -->/g;

export const format = (value, decimals = 0) =>
  value.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 3) });

/** @param {Record<string, Record<string, unknown>>} limits by the folder's name */
export function valueOf(expression, limits) {
  const names = [...Object.keys(limits), "ceil", "round", "values"];
  const values = [...Object.values(limits), Math.ceil, Math.round, (...parts) => parts];
  // The expressions are this repository's own text.
  const [value, decimals] = new Function(...names, `return values(${expression});`)(...values);
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Error(`${expression} is no number`);
  return decimals === undefined ? format(value) : value.toFixed(decimals);
}

/** The text with every marked number as the code has it, and what was wrong. */
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

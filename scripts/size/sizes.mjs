/** Sizes of the page's files and of the firmware's bundle, known without the SDK, against their limits and against docs/sizes.md. Bytes. */
import { transform } from "esbuild";
import { firstFiles } from "../../web/build.mjs";
import { MAX_FIRST } from "./budget.mjs";

/** By how much page or bundle may have grown since the table was written. */
export const TOLERANCE = 4_000;

const BUNDLE = "bundle";
const count = (number) => number.toLocaleString("en-US");
const total = (sizes, names) => names.reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
const filesOf = (sizes) => Object.keys(sizes).filter((name) => name !== BUNDLE);

/** `facts`: the page's files; `code`: the firmware's bundle. */
export async function sizesOf(facts, code) {
  // Indentation takes no flash.
  const dense = await transform(code, { minifyWhitespace: true, charset: "utf8" });
  return {
    ...Object.fromEntries(facts.map(({ name, size }) => [name, size])),
    [BUNDLE]: Buffer.byteLength(dense.code),
  };
}

/** What grew: "app.js 28,120, +38; …". */
const growth = (names, sizes, before) =>
  names
    .filter((name) => sizes[name] > (before[name] ?? 0))
    .map((name) => `${name} ${count(sizes[name])}, +${count(sizes[name] - (before[name] ?? 0))}`)
    .join("; ") || "nothing";

/**
 * `sizes`: as sizesOf has them; `before`: those of the table; `languages`: of the page; `page`: the limit of all its files.
 * @returns what is too large, with the files that grew since the table was written
 */
export function tooLarge(sizes, before, { languages, page }) {
  const files = filesOf(sizes);
  const limits = languages.map((language) => [`until the first values (${language})`, firstFiles(language), MAX_FIRST]);
  limits.push(["all files of the page", files, page]);
  return limits
    .filter(([, names, limit]) => total(sizes, names) > limit)
    .map(
      ([what, names, limit]) =>
        `${what}: ${count(total(sizes, names))} bytes, at most ${count(limit)}; grown since docs/sizes.md: ${growth(names, sizes, before)}`,
    );
}

/** @returns what has grown by more than the tolerance since the table was written */
export const grown = (sizes, before) =>
  Object.entries({ "the page": filesOf(sizes), "the bundle": [BUNDLE] })
    .filter(([, names]) => total(sizes, names) - total(before, names) > TOLERANCE)
    .map(
      ([what, names]) =>
        `${what}: more than ${count(TOLERANCE)} bytes since docs/sizes.md: ${growth(names, sizes, before)}; npm run size -- --write, and say why in the commit`,
    );

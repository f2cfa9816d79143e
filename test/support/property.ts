/**
 * fast-check with the same cases in every run, so that results are reproducible. `SEED=new npm test -- PATH` tries others; a
 * counterexample names its seed, and `SEED=NUMBER` repeats it. `CASES=20` tries 20 times as many, and all rows of tables of which
 * `npm test` tries some, as `npm run soak` does.
 */
import fc from "fast-check";

const { SEED = "280", CASES = "1" } = process.env;
const factor = Number(CASES);
if (!Number.isInteger(factor) || factor < 1) throw new Error(`CASES=${CASES}: a whole number from 1`);

/** Not `npm test`, which leaves out what it tries elsewhere or in part. */
export const isLong = factor > 1;

/** Of rows that are tried one by one: as many, the first and the last among them; in `npm run soak` all. */
export const sampled = <const Row>(rows: readonly Row[], count = 3): readonly Row[] =>
  isLong || count >= rows.length
    ? rows
    : Array.from({ length: count }, (_, at) => rows[Math.round((at * (rows.length - 1)) / Math.max(1, count - 1))]!);

/** Of rows with which each of several things is tried: one, and the next with the next thing; in `npm run soak` all. */
export const inTurn = <const Row>(rows: readonly Row[], at: number): readonly Row[] =>
  isLong ? rows : rows.slice(at % rows.length).slice(0, 1);

/** So many cases, times CASES. */
export const runs = (count: number): number => count * factor;

/** Of a property that names no number: fast-check's own. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100) });
if (SEED !== "new") {
  const seed = Number(SEED);
  if (!Number.isInteger(seed)) throw new Error(`SEED=${SEED}: a whole number or "new"`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}

export default fc;

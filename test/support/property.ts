/**
 * fast-check with the same cases in every run, so that results are reproducible. `SEED=new npm test -- PATH` tries others; a
 * counterexample names its seed, and `SEED=NUMBER` repeats it. `CASES=20` tries 20 times as many, as `npm run soak` does.
 */
import fc from "fast-check";

const { SEED = "280", CASES = "1" } = process.env;
const factor = Number(CASES);
if (!Number.isInteger(factor) || factor < 1) throw new Error(`CASES=${CASES}: a whole number from 1`);

/** Not `npm test`, which leaves out what it tries elsewhere or in part. */
export const isLong = factor > 1;

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

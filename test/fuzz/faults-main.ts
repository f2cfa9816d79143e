import { ENGINE } from "../support/system/engines";
import { FaultFuzz } from "./faults";
import { Random } from "./random";

const [count = 500_000, seed = 1] = process.argv.slice(2).map(Number);
/** Of the inputs those of a storage, in starts of some ten each. */
const STARTS = Math.ceil(count / 500);
console.log(`${ENGINE}, seed ${seed}`);
let failed = false;
for (const readMode of ["frames", "auto"] as const) {
  const began = performance.now();
  const fuzz = await FaultFuzz.start(ENGINE, new Random(seed), readMode);
  await fuzz.run(0.45 * count);
  await fuzz.ask(0.05 * count);
  await fuzz.restart(STARTS / 2);
  const { given, problems, starts, writes, confirmed } = fuzz;
  const kinds = Object.entries(given).map(([kind, one]) => `${one} ${kind}`);
  console.log(
    `read by ${readMode}: ${fuzz.count} wrong inputs in ${((performance.now() - began) / 1_000).toFixed(0)} s (${kinds.join(", ")})`,
  );
  console.log(
    `  ${starts} starts with a wrong storage; ${writes} writes on the wire, ${confirmed} confirmed; ${problems.length} problems`,
  );
  for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
  failed ||= problems.length > 0;
  fuzz.stop();
}
process.exit(failed ? 1 : 0);

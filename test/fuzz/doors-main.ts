import { DOORS } from "./doors";
import { Random } from "./random";

const [count = 10_000_000, seed = 1] = process.argv.slice(2).map(Number);
console.log(`seed ${seed}`);
let failed = 0;
for (const [name, share, run] of DOORS) {
  const began = performance.now();
  const inputs = Math.round((count * share) / 100);
  const wrong = run(inputs, new Random(seed));
  failed += wrong;
  console.log(`${inputs} ${name} in ${((performance.now() - began) / 1_000).toFixed(0)} s: ${wrong} taken wrongly`);
}
process.exit(failed ? 1 : 0);

/** `npm run soak`: docs/testing.md describes it. */
import { table, writeIfAsked } from "../bench/table";
import { LOSSY_CASES, LOSSY_HEAD, LOSSY_ROWS, lossyRows } from "./cases";
import { HELP, parseOptions, type SoakOptions } from "./options";
import { soak } from "./soak";

function optionsOrExit(): SoakOptions {
  const parameters = process.argv.slice(2);
  if (parameters.includes("--help")) {
    console.log(HELP);
    process.exit(0);
  }
  try {
    return parseOptions(parameters);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    process.exit(2);
  }
}

const options = optionsOrExit();
let failures = 0;
let cases = 0;
for (const part of options.parts) {
  const began = performance.now();
  const { passed, failed, left } = await soak(part, options, (text) => console.log(text));
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(
    `${part}, seed ${options.seed}: ${passed} passed, ${failed.length} failed, ${left} left out, ${seconds} s`,
  );
  failures += failed.length;
  cases += passed + failed.length + left;
}
table("A bank on a line that loses replies", LOSSY_HEAD, lossyRows);
writeIfAsked(`npm run soak -- --part bank --only "${LOSSY_CASES}"`, lossyRows.length === LOSSY_ROWS && !failures);
if (!cases) console.error(`--only ${options.only}: no case has this in its name`);
process.exit(failures || !cases ? 1 : 0);

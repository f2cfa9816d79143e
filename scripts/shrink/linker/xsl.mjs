/**
 * Runs the SDK's linker, the next xsl in the PATH, with the same arguments, and makes the `mc.xs.c` that it writes smaller by the passes that
 * SHRINK names, of `code` and `heap`. What this SDK's linker writes otherwise than expected stays as it is, with a warning: the image is larger,
 * and as good. If the smaller file is not proven to be the same, there is none.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { replaceFile } from "../../replace-file.mjs";
import { readOpcodes } from "../code/opcodes.mjs";
import { shortened } from "../code/shorter.mjs";
import { pack } from "../heap/pack.mjs";
import { NotTheSame } from "../heap/proof.mjs";

const { PATH = "", SHRINK = "", MODDABLE = "" } = process.env;
const passes = SHRINK.split(",");
const own = realpathSync(join(import.meta.dirname, "bin"));
const folder = PATH.split(delimiter).find((each) => existsSync(join(each, "xsl")) && realpathSync(each) !== own);
if (folder === undefined) {
  console.error("xsl: the Moddable SDK's linker is not in the PATH");
  process.exit(127);
}
const parameters = process.argv.slice(2);
const { status } = spawnSync(join(folder, "xsl"), parameters, { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const output = join(parameters[parameters.indexOf("-o") + 1] ?? ".", "mc.xs.c");
try {
  let made = readFileSync(output, "utf8");
  if (passes.includes("code")) made = shortened(made, readOpcodes(MODDABLE));
  if (passes.includes("heap")) made = pack(made);
  replaceFile(output, made);
} catch (error) {
  if (error instanceof NotTheSame) {
    rmSync(output);
    console.error(`### error: ${error.message}`);
    process.exit(1);
  }
  console.log(`### warning: ${output} is not packed: ${error instanceof Error ? error.message : String(error)}`);
}

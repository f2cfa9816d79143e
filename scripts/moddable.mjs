/** Calls mcconfig of the Moddable SDK, which whoever builds for a device installs: this project does not. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname } from "node:path";
import { root } from "./setup.mjs";

export const BOARDS = ["wt32_eth01", "nodemcu", "esp32c3", "esp32s3"];
const OUTPUT = `${root}build/moddable`;

function end(message) {
  console.error(message);
  process.exit(1);
}

/** The environment of the SDK's tools. Ends the program with what to run when something is not there. */
export function sdkEnvironment(device = false) {
  const { MODDABLE, IDF_PATH, PATH } = process.env;
  const setup = device ? "npx xs-dev setup --device esp32" : "npx xs-dev setup";
  if (!MODDABLE)
    end(`The Moddable SDK is missing (MODDABLE is not set): npx xs-dev setup${device ? ` && ${setup}` : ""}`);
  if (device && !IDF_PATH) end(`ESP-IDF is missing (IDF_PATH is not set): ${setup}`);
  const tools = `${MODDABLE}/build/bin/${process.platform === "darwin" ? "mac" : "lin"}/release`;
  if (!existsSync(`${tools}/mcconfig`)) end(`The Moddable SDK in ${MODDABLE} has no mcconfig: ${setup}`);
  // mcconfig calls the TypeScript compiler by its name: this project's.
  return { ...process.env, PATH: `${root}node_modules/.bin:${tools}:${PATH}` };
}

/** The commit that is built: `softwareBuild` in GET /api. */
function commit() {
  const { stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8" });
  return stdout?.trim() || "unknown";
}

function run(command, parameters, env) {
  const { status, error } = spawnSync(command, parameters, { cwd: root, env, stdio: "inherit" });
  if (error) end(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Runs mcconfig for a target. Ends the program when it fails. `device`: it needs ESP-IDF. `manifest`: its path in the repository.
 * @returns the environment it ran in
 */
export function mcconfig(target, { parameters = [], device = false, manifest = "manifest.json" } = {}) {
  const env = sdkEnvironment(device);
  mkdirSync(OUTPUT, { recursive: true });
  run(process.execPath, [`${root}scripts/page.mjs`], env);
  run("mcconfig", ["-p", target, "-o", OUTPUT, ...parameters, `build=${commit()}`, root + manifest], env);
  return env;
}

/** What the SDK's linker says of a module that will not lie in flash as it is. */
const LINKER_WARNING = /^### (?:warning|error):.*$/gm;

/** Runs the makefile that mcconfig has made. Ends the program when it fails, and when the linker warns. */
async function make(makefile, env) {
  // Left to itself the makefile starts a TypeScript compiler for every file at the same time, which takes some 10 GB.
  const child = spawn("make", [`-j${availableParallelism()}`, "-f", makefile], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
    process.stdout.write(text);
  });
  const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (status !== 0) process.exit(status ?? 1);
  const warnings = output.match(LINKER_WARNING);
  if (!warnings) return;
  // So that it is linked, and warns, again the next time.
  rmSync(`${dirname(makefile)}/mc.xs.c`, { force: true });
  end(`The linker warns:\n${warnings.join("\n")}`);
}

/** Builds the firmware, or what another manifest makes of it, for Linux. @returns {Promise<string>} the program */
export async function buildLinux(manifest = "manifest.json") {
  if (process.platform !== "linux") end("The Linux build wants Linux.");
  const env = mcconfig("x-cli-lin", { manifest });
  // mcconfig calls it after the folder of the manifest.
  const name = basename(dirname(root + manifest));
  await make(`${OUTPUT}/tmp/lin/release/${name}/makefile`, env);
  return `${OUTPUT}/bin/lin/release/${name}`;
}

/** The board named on the command line and what follows it. */
export function boardOf([board, ...rest]) {
  if (!BOARDS.includes(board)) end(`Which board? ${BOARDS.join(", ")} (docs/boards.md)`);
  return [board, rest];
}

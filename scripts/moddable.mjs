/** Calls mcconfig of the Moddable SDK, which is not installed by this project. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { root } from "./setup.mjs";

export const BOARDS = ["wt32_eth01", "nodemcu", "esp32c3", "esp32s3"];
/** Where everything that is built goes. */
export const OUTPUT = `${root}build/moddable`;

function end(message) {
  console.error(message);
  process.exit(1);
}

/** The environment of the SDK's tools. Ends the program with what to run when they are not there. */
function environment(install) {
  const { MODDABLE } = process.env;
  if (!MODDABLE) end(`MODDABLE is not set: install the Moddable SDK with  ${install}  and open a new terminal.`);
  const host = platform() === "darwin" ? "mac" : "lin";
  const tools = `${MODDABLE}/build/bin/${host}/release`;
  if (!existsSync(`${tools}/mcconfig`))
    end(`MODDABLE is ${MODDABLE}, which has no mcconfig (${host}, ${arch()}): install the SDK with  ${install}`);
  // mcconfig calls the TypeScript compiler by its name: this project's.
  return { ...process.env, PATH: `${root}node_modules/.bin:${tools}:${process.env.PATH}` };
}

const git = (...parameters) => spawnSync("git", parameters, { cwd: root, encoding: "utf8" }).stdout?.trim();

/** Runs mcconfig for the target; its exit code is the program's when it fails. */
export function mcconfig(target, install, parameters) {
  const env = environment(install);
  const { status, error } = spawnSync(
    "mcconfig",
    ["-m", "-p", target, "-o", OUTPUT, ...parameters, `${root}manifest.json`, `build=${commit()}`],
    { cwd: root, env, stdio: "inherit" },
  );
  if (error) end(`mcconfig: ${error.message}`);
  if (status) process.exit(status ?? 1);
}

/** The commit that is built: in `GET /api` it is the software's build. */
export const commit = () => git("rev-parse", "--short=12", "HEAD") || "unknown";

/** The board named on the command line, and what follows it (`ssid=…`). */
export function boardOf([board, ...rest]) {
  if (!BOARDS.includes(board)) end(`Which board? One of: ${BOARDS.join(", ")} (docs/boards.md).`);
  return [board, rest];
}

/** mcconfig calls the program after the folder that the manifest is in. */
export const linuxProgram = () => `${OUTPUT}/bin/lin/release/${readName()}`;

const readName = () => root.split("/").filter(Boolean).at(-1);

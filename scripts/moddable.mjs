/**
 * Runs mcconfig of the Moddable SDK, which must be installed to build for a device; this project does not install it.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname } from "node:path";
import { writeFlashSettings } from "./flash-settings.mjs";
import { homepageOf } from "./homepage.mjs";
import { otherIdf } from "./idf-version.mjs";
import { problemsOf } from "./notices/check-linked.mjs";
import { root } from "./setup.mjs";
import { LINKER, PASSES } from "./shrink/passes.mjs";
import { removeStaleObjects } from "./stale-objects.mjs";

/** Named in manifest.json. */
export const BOARDS = Object.keys(JSON.parse(readFileSync(`${root}manifest.json`, "utf8")).platforms)
  .filter((platform) => platform.startsWith("esp32/"))
  .map((platform) => platform.slice("esp32/".length));
const OUTPUT = `${root}build/moddable`;
/** With other passes the makefiles of the usual build would not see that they have something to do. */
const outputOf = (passes) => (passes === PASSES ? OUTPUT : `${OUTPUT}-${passes.join("-") || "plain"}`);

function end(message) {
  console.error(message);
  process.exit(1);
}

/** @typedef {import("./moddable.mjs").Options} Options */

/**
 * Environment of the SDK's tools. Exits with installation instructions if something is missing.
 * @returns {Record<string, string | undefined>}
 */
export function sdkEnvironment(device = false, passes = PASSES) {
  const { MODDABLE, IDF_PATH, PATH } = process.env;
  const setup = "docs/building.md says how to install it";
  if (!MODDABLE) end(`The Moddable SDK is missing (MODDABLE is not set): ${setup}.`);
  if (device && !IDF_PATH) end(`ESP-IDF is missing (IDF_PATH is not set): ${setup}.`);
  const tools = `${MODDABLE}/build/bin/${process.platform === "darwin" ? "mac" : "lin"}/release`;
  if (!existsSync(`${tools}/mcconfig`)) end(`The Moddable SDK in ${MODDABLE} has no mcconfig: ${setup}.`);
  const other = device && otherIdf(IDF_PATH ?? "");
  if (other) console.error(other);
  // mcconfig runs the TypeScript compiler from the PATH, and its makefile the linker: use this project's.
  const folders = [`${root}node_modules/.bin`, LINKER, tools, PATH];
  return { ...process.env, PATH: folders.join(":"), SHRINK: passes.join() };
}

/** The product version; package.json is its single source. */
const product = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const { version } = product;
const homepage = homepageOf(product);

/** The commit being built: `softwareBuild` in GET /api. */
function commit() {
  const { stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8" });
  return stdout?.trim() || "unknown";
}

function run(command, parameters, env) {
  const { status, error } = spawnSync(command, parameters, { cwd: root, env, stdio: "inherit" });
  if (error) end(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Declarations in types/ for modules that the SDK does not declare or that the board's manifests replace. */
const OWN_TYPES = [
  "application",
  "crypt",
  "embedded-update",
  "ethernet-driver",
  "name-server",
  "resource",
  "rng",
  "signature",
  "tls-socket",
  "xs",
];

/**
 * Type-checks the firmware's sources against the installed SDK, because the declarations on npm are older. Exits on
 * failure.
 */
export function checkTypes(env = sdkEnvironment()) {
  const sdk = `${env.MODDABLE}/typings`;
  mkdirSync(`${root}build/device`, { recursive: true });
  const project = `${root}build/device/tsconfig.json`;
  const own = OWN_TYPES.map((name) => `${root}types/${name}.d.ts`);
  writeFileSync(
    project,
    JSON.stringify({
      extends: "../../tsconfig.base.json",
      compilerOptions: { skipLibCheck: true, types: [], incremental: true, tsBuildInfoFile: "tsconfig.tsbuildinfo" },
      files: [`${env.MODDABLE}/xs/includes/xs.d.ts`, `${root}src/main.ts`, ...own],
      include: [
        `${sdk}/*.d.ts`,
        `${sdk}/mc`,
        `${sdk}/text`,
        `${sdk}/embedded_io`,
        `${sdk}/embedded_network`,
        `${sdk}/embedded`,
      ],
    }),
  );
  run("tsc", ["-p", project], env);
}

const configOf = (board) => JSON.parse(readFileSync(`${root}boards/${board}/manifest.json`, "utf8")).config;

/** Modules to leave out for a board without Ethernet. */
export function missingModules(board) {
  const config = configOf(board);
  return config.network === "Ethernet" ? [] : ["embedded:network/interface/ethernet", "ethernet-driver"];
}

/**
 * Runs mcconfig for a target after building the page and the firmware. Exits on failure. `device`: requires ESP-IDF.
 * `manifest`: its path in the repository. `bundle`: as for `bundleDevice` of device-bundle.mjs; null: the manifest
 * contains no firmware. `passes`: those of shrink/README.md.
 * @returns the environment used
 */
export async function mcconfig(
  target,
  {
    parameters = [],
    device = false,
    manifest = "manifest.json",
    bundle = {},
    passes = PASSES,
    output = outputOf(passes),
  } = /** @type {Options} */ ({}),
) {
  const env = sdkEnvironment(device, passes);
  removeStaleObjects(output, root);
  run(process.execPath, [`${root}scripts/page.mjs`, ...(bundle?.without ?? [])], env);
  if (bundle) {
    // Imported late: the packages may have to be installed first.
    const { writeDeviceBundle } = await import("./device-bundle.mjs");
    checkTypes(env);
    await writeDeviceBundle({ ...bundle, passes });
  }
  run(
    "mcconfig",
    [
      ...["-p", target, "-o", output, ...parameters],
      ...[`version=${version}`, `build=${commit()}`, ...(homepage ? [`homepage=${homepage}`] : [])],
      root + manifest,
    ],
    env,
  );
  return env;
}

/** The same for a board, `esp32/<board>`. An update finds the version after the mark in the image. */
export function mcconfigBoard(
  board,
  { parameters = [], without = configOf(board).without ?? [], ...options } = /** @type {Options} */ ({}),
) {
  writeFlashSettings(root, board);
  return mcconfig(`esp32/${board}`, {
    bundle: { missing: missingModules(board), without },
    parameters: [...parameters, `image=${configOf(board).image}:${version}`],
    ...options,
  });
}

/**
 * Generates `mc.xs.c` for a board in an empty folder, since names of earlier runs would stay in its tables. Does not
 * use ESP-IDF. `without`: parts to leave out, in place of those of the manifest (parts.mjs).
 * @returns {Promise<string>} its path
 */
export async function linkBoard(board, passes = PASSES, without) {
  const output = `${root}build/size/${board}`;
  rmSync(output, { recursive: true, force: true });
  const env = await mcconfigBoard(board, { output, passes, ...(without && { without }) });
  const made = `${output}/tmp/esp32/${board}/release/${basename(root)}`;
  // The SDK's makefile requires the folder to be under git, and a header that only C code needs.
  await make(`${made}/makefile`, env, [`IDF_PATH=${root}`, "SDKCONFIG_H=", `${made}/mc.xs.c`]);
  return `${made}/mc.xs.c`;
}

/** Size of a firmware slot, bytes. */
export function slotBytes() {
  const table = readFileSync(`${root}boards/esp32/partitions.csv`, "utf8");
  return Number(/^ota_0,[^,]+,[^,]+,[^,]+, *(\w+)/m.exec(table)?.[1]);
}

/** Throws if an image does not fit its slot. `path`: xs_esp32.bin. */
export function checkFit(path) {
  const { size } = statSync(path);
  const slot = slotBytes();
  if (size > slot) throw new Error(`The image has ${size} bytes, ${size - slot} more than its slot.`);
}

/**
 * Throws if TLS takes its random numbers from ESP-IDF instead of boards/esp32/rng-psa.c, which depends on the order in which the linker
 * meets the two. `map`: the linker's map, which begins with the members taken from archives.
 */
export function checkGenerator(map) {
  const taken = (object) => map.includes(`(${object})`);
  if (!taken("rng-psa.c.o") || taken("esp_hardware.c.obj"))
    throw new Error("TLS would take its random numbers straight from the chip: boards/esp32/rng-psa.c was not linked.");
}

/** Folder of a board's image and of what is flashed with it. */
export const imageFolder = (board) => `${OUTPUT}/bin/esp32/${board}/release/${basename(root)}`;

/** The linker's map of an image. */
export const mapOf = (image) => image.replace(/bin$/, "map");

/** Builds the image for a board with ESP-IDF. Exits on failure. @returns {Promise<string>} its path */
export async function buildBoard(board, parameters, passes = PASSES) {
  const output = outputOf(passes);
  await mcconfigBoard(board, { parameters: ["-m", "-t", "build", ...parameters], device: true, passes, output });
  const folder = `esp32/${board}/release/${basename(root)}`;
  const image = `${output}/bin/${folder}/xs_esp32.bin`;
  const map = mapOf(image);
  checkFit(image);
  checkGenerator(readFileSync(map, "utf8"));
  const { MODDABLE: sdk = "", IDF_PATH: idf = "" } = process.env;
  // Only a release must be complete: collect.mjs.
  for (const problem of problemsOf({ makefile: `${output}/tmp/${folder}/makefile`, map, sdk, idf }))
    console.error(`THIRD-PARTY-NOTICES: ${problem}`);
  return image;
}

/** The SDK linker's warning about a module that cannot be preloaded into flash as it is. */
const LINKER_WARNING = /^### (?:warning|error):.*$/gm;

/** The SDK's Linux makefile has no setting for extra libraries; modules/tls-socket needs these. */
const LINK_FLAGS = "LINK_FLAGS=-fPIC -Wl,--no-as-needed -lmbedtls -lmbedx509 -lmbedcrypto";

/** Runs the makefile generated by mcconfig. Exits on failure or if the linker warns. */
async function make(makefile, env, parameters = /** @type {string[]} */ ([])) {
  // Without a limit the makefile would start all jobs at once.
  const child = spawn("make", [`-j${availableParallelism()}`, "-f", makefile, ...parameters], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  // The SDK's linker warns on standard error, xsl.mjs of shrink/linker on standard output.
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]))
    from.setEncoding("utf8").on("data", (text) => {
      output += text;
      to.write(text);
    });
  const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (status !== 0) process.exit(status ?? 1);
  const warnings = output.match(LINKER_WARNING);
  if (!warnings) return;
  // Forces relinking, and thus the warning, next time.
  rmSync(`${dirname(makefile)}/mc.xs.c`, { force: true });
  end(`The linker warns:\n${warnings.join("\n")}`);
}

/** Builds the firmware, or another manifest and bundle, for Linux. @returns {Promise<string>} the program */
export async function buildLinux(
  manifest = "manifest.json",
  bundle = /** @type {object | null} */ ({}),
  passes = PASSES,
) {
  if (process.platform !== "linux") end("The Linux build wants Linux.");
  const output = outputOf(passes);
  const env = await mcconfig("x-cli-lin", { manifest, bundle, passes, output });
  // mcconfig names it after the manifest's folder.
  const name = basename(dirname(root + manifest));
  await make(`${output}/tmp/lin/release/${name}/makefile`, env, ["-f", `${root}linux/strip.mk`, LINK_FLAGS]);
  return `${output}/bin/lin/release/${name}`;
}

/** The board named on the command line, and the remaining arguments. */
export function boardOf([board, ...rest]) {
  if (!BOARDS.includes(board)) end(`Unknown board. Choose one of: ${BOARDS.join(", ")} (docs/boards.md)`);
  return [board, rest];
}

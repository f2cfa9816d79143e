/**
 * Installs the XS engine (npm's @agoric/xsnap, which includes its C source) into .cache/xs-engine and compiles it, once
 * per lockfile. Kept apart from the other packages because only `--engine xs` and the tests need it and a C compiler.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENGINE_FOLDER, XSNAP, XS_WORKER, XS_PLATFORM } from "../host-sim/xs/engine.mjs";
import { root } from "../host-sim/specifiers.mjs";
import { npmCommand } from "./setup/npm.mjs";

const ORDER = join(root, "host-sim/xs/engine");
const STAMP = join(ENGINE_FOLDER, "built-from.json");
const LIST = ["package.json", "package-lock.json"];

const MANIFEST = JSON.parse(readFileSync(join(root, "manifest.json"), "utf8"));

/**
 * What the worker lacks: `hasRoom` of types/application.d.ts, in place of a function that nothing here calls; a call's bytes from where they
 * are, so that what is written to a socket takes no more of XS's memory than on a board; which memory was full; and the end of keys. A key is a
 * name that a property was looked for by, and is never given back: a board has few beside those of its image.
 */
const CHANGES = [
  {
    file: "xsnap-native/xsnap/sources/xsnapPlatform.c",
    before: "txSize fxGetCurrentHeapCount(txMachine* the)",
    after: `txInteger fxHasRoom(txMachine* the, txInteger slots, txInteger bytes)
{
	return the->maximumHeapCount - the->currentHeapCount >= slots
		&& the->maximumChunksSize - the->currentChunksSize >= bytes;
}

void fxLimitKeys(txMachine* the, txInteger count)
{
	if (the->keyDelta && the->keyIndex + count < the->keyCount)
		the->keyCount = the->keyIndex + count;
	the->keyDelta = 0;
}

txSize fxGetCurrentHeapCount(txMachine* the)`,
  },
  {
    file: "xsnap-native/xsnap/sources/xsnapPlatform.c",
    before: `		fxReport(the, "memory full\\n");`,
    after: `		fprintf(stderr, "memory full: %d of %d slots, %d of %d bytes of chunks\\n", (int)the->currentHeapCount,
			(int)the->maximumHeapCount, (int)the->currentChunksSize, (int)the->maximumChunksSize);`,
  },
  {
    file: "xsnap-native/xsnap/sources/xsnap-worker.c",
    before: `#if mxMetering
	xsResult = xsInteger(gxCurrentMeter);
#endif`,
    after: `	extern xsIntegerValue fxHasRoom(xsMachine* the, xsIntegerValue slots, xsIntegerValue bytes);
	xsIntegerValue slots = xsToInteger(xsArg(0)), bytes = xsToInteger(xsArg(1));
	if (!fxHasRoom(the, slots, bytes))
		xsCollectGarbage();
	xsResult = fxHasRoom(the, slots, bytes) ? xsTrue : xsFalse;`,
  },
  {
    file: "xsnap-native/xsnap/sources/xsnap-worker.c",
    before: `	char* buf = xsToArrayBuffer(xsArg(0));`,
    after: `	int from = argc > 3 ? xsToInteger(xsArg(2)) : 0;
	size_t more = argc > 3 ? xsToInteger(xsArg(3)) : 0;
	char* buf = malloc(length + more);
	xsGetArrayBufferData(xsArg(0), 0, buf, length);
	if (more)
		xsGetArrayBufferData(xsArg(1), from, buf + length, more);
	length += more;`,
  },
  {
    file: "xsnap-native/xsnap/sources/xsnap-worker.c",
    before: `	int writeError = fxWriteNetString(toParent, "?", buf, length);`,
    after: `	int writeError = fxWriteNetString(toParent, "?", buf, length);
	free(buf);`,
  },
  {
    file: "xsnap-native/xsnap/sources/xsnap-worker.c",
    before: `							// TODO: can we avoid a copy?`,
    after: `							extern void fxLimitKeys(xsMachine* the, xsIntegerValue count);
							fxLimitKeys(the, ${MANIFEST.creation.keys.available});`,
  },
];

const onPath = (program) => spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;

/** The compiler's verbose output is shown only on failure. */
function run(what, [command, parameters, options = {}], cwd) {
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    ...options,
  });
  if (status !== 0) throw new Error(`${stdout}${stderr}\nThe XS engine could not be ${what}: see the messages above.`);
}

/** Throws an Error that says what to install or what went wrong. */
export function installXsEngine() {
  const lock = readFileSync(join(ORDER, "package-lock.json"), "utf8") + JSON.stringify(CHANGES);
  if (existsSync(XS_WORKER) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === lock) return;
  if (!XS_PLATFORM)
    throw new Error(`The XS engine has no build for ${process.platform}: run the tests on Linux or macOS.`);
  if (!onPath("cc") || !onPath("make"))
    throw new Error("The XS engine is compiled with a C compiler and make: sudo apt-get install gcc make libc6-dev");
  console.error("Installing and compiling the XS engine, once (about half a minute) …");
  rmSync(STAMP, { force: true });
  mkdirSync(ENGINE_FOLDER, { recursive: true });
  for (const file of LIST) copyFileSync(join(ORDER, file), join(ENGINE_FOLDER, file));
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  run("installed", npmCommand("ci", ...quiet), ENGINE_FOLDER);
  for (const { file, before, after } of CHANGES) {
    const path = join(XSNAP, file);
    const source = readFileSync(path, "utf8");
    if (!source.includes(before)) throw new Error(`${file} has not what is to be changed`);
    writeFileSync(
      path,
      source.replace(before, () => after),
    );
  }
  const { version } = JSON.parse(readFileSync(join(XSNAP, "package.json"), "utf8"));
  const parameters = [
    "-j2",
    ...["-f", "xsnap-worker.mk", "GOAL=release", `MODDABLE=${join(XSNAP, "moddable")}`, `XSNAP_VERSION=${version}`],
    // For a compiler without __has_builtin, the source itself would define it as 0.
    'CC=cc "-D__has_builtin(x)=1"',
  ];
  run("compiled", ["make", parameters], join(XSNAP, "xsnap-native/xsnap/makefiles", XS_PLATFORM));
  writeFileSync(STAMP, lock);
}

if (process.argv[1] === import.meta.filename) {
  try {
    installXsEngine();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

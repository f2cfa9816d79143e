/**
 * The product's C under AddressSanitizer: test/native/harness runs a script on XS (the engine of npm's @agoric/xsnap) with natives as on
 * the device. Input and output are lines of JSON.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { XSNAP, XS_PLATFORM } from "../../../host-sim/xs/engine.mjs";
import { root } from "../../../host-sim/specifiers.mjs";
import { PATIENCE } from "../patience";

const HARNESS = "test/native/harness";
const OBJECTS = join(XSNAP, `xsnap-native/xsnap/build/tmp/${XS_PLATFORM}/release/xsnap-worker`);
const XS_INCLUDES = [
  "moddable/xs/includes",
  "moddable/xs/platforms",
  "moddable/xs/sources",
  "xsnap-native/xsnap/sources",
];
/** Same as in the engine's makefile: they determine the layout of the machine struct. */
const XS_DEFINES = [
  "INCLUDE_XSPLATFORM",
  'XSPLATFORM="xsnapPlatform.h"',
  ...["mxLockdown", "mxMetering", "mxDebug", "mxNoConsole", "mxBoundsCheck", "mxParse", "mxRun", "mxSloppy"],
  ...["mxSnapshot", "mxRegExpUnicodePropertyEscapes", "mxStringNormalize", "mxMinusZero"],
];
const SANITIZERS = "-fsanitize=address,undefined";
const WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"];

export interface NativeSources {
  /** Name of the program. */
  readonly name: string;
  /** C files of the product and of the test; the harness is added. */
  readonly sources: readonly string[];
  readonly includes?: readonly string[];
  /** Third-party sources, compiled without warnings. */
  readonly system?: readonly string[];
  readonly libraries?: readonly string[];
  /** Entry of the script, and the modules for its imports of platform names. */
  readonly script: string;
  readonly modules: Readonly<Record<string, string>>;
}

interface Program {
  readonly file: string;
  readonly script: string;
}

const COMPILED = ["-g", "-O1", "-fno-common", "-fno-omit-frame-pointer", SANITIZERS, "-fno-sanitize-recover=undefined"];

/** Throws with the compiler's output. */
function cc(parameters: readonly string[]): void {
  const { status, stderr } = spawnSync("cc", parameters, { cwd: root, encoding: "utf8" });
  if (status) throw new Error(stderr);
}

/** Of a C file, compiled once in a run of the tests: its temporary files are its own. */
function objectOf(source: string, includes: readonly string[], system: readonly string[]): string {
  const parameters = [
    ...COMPILED,
    ...WARNINGS,
    ...XS_DEFINES.map((one) => `-D${one.includes("=") ? one : `${one}=1`}`),
    ...[HARNESS, ...includes].map((folder) => `-I${folder}`),
    ...[...XS_INCLUDES.map((folder) => join(XSNAP, folder)), ...system].flatMap((folder) => ["-isystem", folder]),
    ...["-c", source],
  ];
  const name = createHash("sha256").update(JSON.stringify(parameters)).digest("hex");
  const object = join(tmpdir(), `native-${name}.o`);
  if (existsSync(object)) return object;
  const own = join(mkdtempSync(join(tmpdir(), "object-")), "object.o");
  cc([...parameters, "-o", own]);
  renameSync(own, object);
  return object;
}

/** Compiles and bundles. Throws with the compiler's output. */
export async function buildNative(what: NativeSources): Promise<Program> {
  const file = join(mkdtempSync(join(tmpdir(), "native-")), what.name);
  const script = `${file}.js`;
  cc([
    ...[SANITIZERS, "-rdynamic"],
    // The harness knows no program's headers, so that one object is everybody's.
    objectOf(`${HARNESS}/harness.c`, [], []),
    ...what.sources.map((source) => objectOf(source, what.includes ?? [], what.system ?? [])),
    ...readdirSync(OBJECTS)
      .filter((one) => one.endsWith(".o") && one !== "xsnap-worker.o")
      .map((one) => join(OBJECTS, one)),
    ...(what.libraries ?? []),
    ...["-ldl", "-lm", "-lpthread", "-o", file],
  ]);
  const { outputFiles } = await build({
    entryPoints: [join(root, what.script)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    target: "es2022",
    inject: [join(root, HARNESS, "device.js")],
    alias: Object.fromEntries(Object.entries(what.modules).map(([name, path]) => [name, join(root, path)])),
    tsconfig: join(root, "tsconfig.base.json"),
    logLevel: "silent",
  });
  writeFileSync(script, outputFiles[0]!.contents);
  return { file, script };
}

export type Said = Record<string, unknown>;

export class NativeProgram {
  /** All output of the script. */
  readonly said: Said[] = [];
  private readonly child: ChildProcess;
  private readonly over: Promise<number | null>;
  private words = "";
  private wake: () => void = () => undefined;

  constructor({ file, script }: Program) {
    const child = spawn(file, [script], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, ASAN_OPTIONS: "detect_leaks=1:abort_on_error=0", UBSAN_OPTIONS: "print_stacktrace=1" },
    });
    this.child = child;
    this.over = once(child, "close").then(([status]) => status as number | null);
    void this.over.then(() => this.wake());
    child.stderr.on("data", (bytes) => (this.words += String(bytes)));
    createInterface(child.stdout).on("line", (line) => {
      this.said.push(JSON.parse(line) as Said);
      this.wake();
    });
  }

  send(order: object): void {
    this.child.stdin!.write(`${JSON.stringify(order)}\n`);
  }

  /** Waits for the first message that `wanted` accepts, including earlier ones. */
  async until(what: string, wanted: (said: Said) => boolean, from = 0): Promise<Said> {
    const deadline = Date.now() + PATIENCE;
    for (let at = from; ;) {
      for (; at < this.said.length; at++) if (wanted(this.said[at]!)) return this.said[at]!;
      if (this.child.exitCode !== null || this.child.signalCode)
        throw new Error(`the program has ended: ${this.words}`);
      if (Date.now() > deadline)
        throw new Error(`waited in vain for ${what}: ${JSON.stringify(this.said)} ${this.words}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Sends a command and waits for the first reply to it that `wanted` accepts. */
  ask(order: object, what: string, wanted: (said: Said) => boolean): Promise<Said> {
    const from = this.said.length;
    this.send(order);
    return this.until(what, wanted, from);
  }

  /** Ends the program. Returns its exit status and standard error, with AddressSanitizer's report if any. */
  async stop(): Promise<{ status: number | null; words: string }> {
    this.child.stdin!.end();
    return { status: await this.over, words: this.words };
  }
}

import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import main, { type Firmware } from "../../../src/main";
import type { SimulatedBoard } from "../../../host-sim/board";
import { bundleForXs, type Bundle } from "../../../host-sim/xs/bundle";
import type { XsMemory } from "../../../host-sim/xs/image";
import { XsMachine } from "../../../host-sim/xs/machine";
import { probesOf, type Probes } from "./probes";

/** The firmware's JavaScript engine: V8 in the test's process, or XS in its own. */
export type Engine = "node" | "xs";

/** Set by the vitest project, so that one suite runs on both. */
export const ENGINE: Engine = process.env["ENGINE"] === "xs" ? "xs" : "node";

const ENTRY = "test/support/xs/xs-entry.ts";
let bundle: Promise<Bundle> | undefined;

/** Firmware and probes as a program for XS. */
export function bundleWithProbes(plugins: readonly Plugin[] = []): Promise<Bundle> {
  return bundleForXs(ENTRY, plugins);
}

let folder: string | undefined;
const images = new WeakMap<Bundle, string>();

/** The file of the firmware as loaded, for all its starts in this run of the tests, or elsewhere in this process. */
export function imageOf(bundle: Bundle): string {
  // All workers of a run have the same folder for temporary files, which is the run's own.
  folder ??= process.env["VITEST"] ? tmpdir() : mkdtempSync(join(tmpdir(), "xs-images-"));
  let image = images.get(bundle);
  if (!image) {
    const name = createHash("sha256").update(bundle.program).digest("hex");
    images.set(bundle, (image = join(folder, `${name}.xs-image`)));
  }
  return image;
}

/** The running firmware. After a board restart its members belong to the new run. */
export interface Booted {
  readonly probes: Probes;
  /** Undefined on XS, where it is in another process. */
  readonly firmware: Firmware | undefined;
  /** Powers the board, which is off, up again. */
  boot(): Promise<void>;
}

/** How to run the firmware on XS. */
export interface OnXs {
  /** Default: the firmware with the probes. */
  readonly bundle?: Bundle;
  /** Called once the program is loaded, before its main runs. */
  readonly onLoaded?: (machine: XsMachine) => void;
  /** Fixed sizes of the engine's memory, as a board has them. */
  readonly memory?: XsMemory;
  /** In place of the engine's worker. */
  readonly program?: readonly [file: string, ...parameters: string[]];
}

/** Boots the firmware on `board`. */
export async function bootOn(engine: Engine, board: SimulatedBoard, xs: OnXs = {}): Promise<Booted> {
  let probes: Probes | undefined;
  let firmware: Firmware | undefined;
  // Bundle before powering up: the board's time must not run meanwhile.
  const program = engine === "xs" ? (xs.bundle ?? (await (bundle ??= bundleWithProbes()))) : undefined;
  const onNode = (): Firmware | undefined => {
    firmware = main();
    probes = firmware && probesOf(firmware);
    return firmware;
  };
  const onXs = (): void => {
    const own = xs.memory ? { image: imageOf(program!), memory: xs.memory } : { image: imageOf(program!) };
    const machine = new XsMachine(board, program!, xs.program ? { program: xs.program } : own);
    xs.onLoaded?.(machine);
    const asking = machine.boot().map((name) => [name, (...parameters: unknown[]) => machine.ask(name, ...parameters)]);
    probes = Object.fromEntries(asking) as Probes;
  };
  const boot = async (): Promise<void> =>
    void (await board.boot<Firmware | undefined | void>(engine === "xs" ? onXs : onNode));
  await boot();
  return {
    get probes() {
      return probes!;
    },
    get firmware() {
      return firmware;
    },
    boot,
  };
}

import type { Plugin } from "esbuild";
import main, { type Firmware } from "../../src/main";
import type { SimulatedBoard } from "../../host-sim/board";
import { bundleForXs, type Bundle } from "../../host-sim/xs/bundle";
import { XsMachine } from "../../host-sim/xs/machine";
import { probesOf, type Probes } from "./probes";

/** The JavaScript engine that the firmware runs on: V8 in the test's process, or XS in its own. */
export type Engine = "node" | "xs";

/** The vitest project says it, so that one suite runs on both. */
export const ENGINE: Engine = process.env["ENGINE"] === "xs" ? "xs" : "node";

const ENTRY = "test/support/xs-entry.ts";
let bundle: Promise<Bundle> | undefined;

/** The firmware and the probes as a program for XS. */
export function bundleWithProbes(plugins: readonly Plugin[] = []): Promise<Bundle> {
  return bundleForXs(ENTRY, plugins);
}

/** The running firmware. */
export interface Booted {
  readonly probes: Probes;
  /** Undefined on XS: there it is in another process. */
  readonly firmware: Firmware | undefined;
}

/** How the firmware is run on XS. */
export interface OnXs {
  /** Default: the firmware with the probes. */
  readonly bundle?: Bundle;
  /** Told once the program is loaded, before its main runs. */
  readonly onLoaded?: (machine: XsMachine) => void;
}

/** Boots the firmware on `board`. */
export async function bootOn(engine: Engine, board: SimulatedBoard, xs: OnXs = {}): Promise<Booted> {
  if (engine === "node") {
    const firmware = await board.boot(() => main());
    return { probes: probesOf(firmware), firmware };
  }
  const program = xs.bundle ?? (await (bundle ??= bundleWithProbes()));
  let probes: Probes | undefined;
  await board.boot(() => {
    const machine = new XsMachine(board, program);
    xs.onLoaded?.(machine);
    const asking = machine.boot().map((name) => [name, (...parameters: unknown[]) => machine.ask(name, ...parameters)]);
    probes = Object.fromEntries(asking) as Probes;
  });
  return { probes: probes!, firmware: undefined };
}

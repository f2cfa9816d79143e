/** The whole system with the firmware on XS, a 24-cell pack, real sockets, and virtual time that moves when it is told. */
import type { Plugin } from "esbuild";
import { join } from "node:path";
import { bundleForXs, type Bundle } from "../../../host-sim/xs/bundle";
import type { XsMachine } from "../../../host-sim/xs/machine";
import { root } from "../../../host-sim/specifiers.mjs";
import type { ConfiguredSettings } from "../../../src/settings/settings";
import { KeepAliveClient } from "../../support/http/keep-alive-client";
import { System, TOKEN } from "../../support/system/system";
import { Gauge } from "../../support/xs/xs-gauge";

export const CELLS = 24;
/** The BMS is read long before; until then the history's flash is erased ahead and looked at, which keeps the script busy. */
const LOADED_AFTER = 60_000;
/** Those that do not answer yet share a tenth of the bus. */
const BANK_LOADED_AFTER = 120_000;

/** main gets the bench's Web for its own. */
const withFile: Plugin = {
  name: "a static file",
  setup(build) {
    build.onResolve({ filter: /^\.\/web\/web$/ }, () => ({ path: join(root, "test/bench/xs/web.ts") }));
  },
};

let bundle: Promise<Bundle> | undefined;

export interface XsOptions {
  readonly readMode?: "registers" | "frames";
  /** Between two polls, ms. */
  readonly interval?: number;
  /** Several, at addresses 1 to this. */
  readonly packs?: number;
  /** Of other groups. */
  readonly settings?: ConfiguredSettings;
}

export class XsSystem {
  private constructor(
    readonly system: System,
    readonly machine: XsMachine,
    readonly gauge: Gauge,
  ) {}

  /** Boots it, lets it read the whole BMS and make its flash ready. */
  static async start({
    readMode = "registers",
    interval = 1000,
    packs = 1,
    settings,
  }: XsOptions = {}): Promise<XsSystem> {
    let loaded: { machine: XsMachine; gauge: Gauge } | undefined;
    const bms = { model: "JK_PB2A24S20P", cells: CELLS };
    const further = Array.from({ length: packs - 1 }, (_, at) => ({ address: at + 2, name: `Pack ${at + 2}` }));
    const system = await System.start({
      engine: "xs",
      unpaced: true,
      board: { config: { settings: { ...settings, bms: { readMode, interval } } } },
      ...(packs > 1 ? { bank: { ...bms, count: packs } } : { bms }),
      xs: {
        bundle: await (bundle ??= bundleForXs("test/bench/xs/entry.ts", [withFile])),
        onLoaded: (machine) => (loaded = { machine, gauge: new Gauge(machine) }),
      },
    });
    const { machine, gauge } = loaded!;
    // Not by the board's configuration, which a device has not in its memory.
    const problem = packs > 1 ? system.probes.configure("packs", { further }) : undefined;
    if (problem) throw new Error(problem);
    system.board.clock.runFor(packs > 1 ? BANK_LOADED_AFTER : LOADED_AFTER);
    if (!system.monitor().configurationLoaded) throw new Error("the BMS was not read");
    return new XsSystem(system, machine, gauge);
  }

  client(): Promise<KeepAliveClient> {
    return KeepAliveClient.connect(this.system.probes.port());
  }

  runFor(milliseconds: number): void {
    this.system.board.clock.runFor(milliseconds);
  }

  /** Lets the sockets deliver, and a little time pass. */
  async advance(): Promise<void> {
    await settle();
    this.runFor(10);
  }

  stop(): void {
    this.gauge.close();
    this.system.stop();
  }
}

/** A request as a client of the API sends it. */
export function requestText(method: string, path: string, body?: string): string {
  return [
    `${method} ${path} HTTP/1.1`,
    "Host: 192.168.1.20",
    `Authorization: Bearer ${TOKEN}`,
    "Accept: */*",
    "Accept-Encoding: gzip, deflate",
    "User-Agent: bench/1.0",
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
    "",
    body ?? "",
  ].join("\r\n");
}

/** Lets the host's sockets deliver what is under way. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

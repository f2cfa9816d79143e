import { LinuxSystem } from "../support/system/linux-system";
import type { Probes } from "../support/system/probes";
import type { Stage, Whole, WholeOptions } from "../suites/whole";
import linuxConfig from "../../boards/wt32_eth01/manifest.json";

/** The pins of linux/config.js, which are those of this board. */
const { pins } = linuxConfig.config;

/** The SDK's UDP on Linux has none, and the firmware says so. */
export const NO_MULTICAST = /^mDNS: no socket/;

async function start({ paced = false, ...options }: WholeOptions = {}): Promise<Whole> {
  const system = await LinuxSystem.start({ ...options, unpaced: !paced });
  const { bms, bank, clock, program, baseUrl } = system;
  const ask =
    (name: string) =>
    async (...parameters: unknown[]): Promise<unknown> =>
      (await program.order({ order: "probe", name, parameters })) ?? undefined;
  const names = (await program.order({ order: "probes" })) as string[];
  return {
    bms,
    bank,
    clock,
    url: baseUrl,
    probes: Object.fromEntries(names.map((name) => [name, ask(name)])) as unknown as Probes,
    get console() {
      return program.console.filter((line) => !NO_MULTICAST.test(line));
    },
    run: (ms) => system.run(ms),
    relayPin: () => program.order({ order: "level", pin: pins.relay }) as Promise<number>,
    overflows: () => 0,
    stop: () => system.stop(),
  };
}

export const linux: Stage = { name: "Linux build with the SDK's own modules", start };

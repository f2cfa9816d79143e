/** The whole firmware on XS with a BMS, in virtual time, that is fuzzed over real sockets. */
import { hashPassword } from "../../host-sim/password";
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import DEFAULTS from "../../src/settings/defaults";
import { System, TOKEN, turn } from "../support/system/system";
import { Gauge, type Memory } from "../support/xs/xs-gauge";
import { PASSWORD, RESTORED } from "./device";
import { COMMUNITY } from "./snmp";

/** Longer than the server keeps any connection that does nothing, virtual ms. */
const FOR_EVER = 120_000;
/** Virtual seconds. */
const PATIENCE = 600;

export class XsFuzzedDevice {
  private constructor(
    readonly system: System,
    readonly gauge: Gauge,
    private readonly settings: Readonly<Partial<Record<GroupName, object>>>,
  ) {}

  static async start(
    more: { [Name in GroupName]?: Partial<SettingsGroups[Name]> } = {},
    count = 1,
  ): Promise<XsFuzzedDevice> {
    const settings = {
      web: { password: hashPassword(PASSWORD, 2) },
      api: { token: TOKEN },
      snmp: { enabled: true, community: COMMUNITY },
      ...more,
    };
    let gauge: Gauge | undefined;
    const xs = { onLoaded: (machine: ConstructorParameters<typeof Gauge>[0]) => void (gauge = new Gauge(machine)) };
    const system = await System.start({
      engine: "xs",
      unpaced: true,
      board: { config: { settings } },
      bank: { count },
      xs,
    });
    await system.untilLoaded();
    return new XsFuzzedDevice(system, gauge!, settings);
  }

  /** Lets the sockets deliver, and virtual ms pass. */
  async pass(ms: number): Promise<void> {
    await turn();
    this.system.skip(ms);
    await turn();
  }

  /** The settings that honest clients depend on, as they were. */
  restore(): void {
    for (const name of RESTORED) {
      const values = { ...DEFAULTS[name], ...this.settings[name] } as Partial<SettingsGroups[GroupName]>;
      const problem = this.system.probes.configure(name, values);
      if (problem) throw new Error(problem);
    }
  }

  /** Live memory once nothing is under way. Throws unless the BMS is polled as before and nothing has been thrown. */
  async memory(): Promise<Memory> {
    const { system } = this;
    this.restore();
    await this.pass(FOR_EVER);
    await system.skipUntil(
      "the BMS is online and its setup loaded",
      () => {
        const { online, configurationLoaded, pending } = system.monitor();
        return online && configurationLoaded && !pending;
      },
      PATIENCE,
    );
    const thrown = system.console.filter((line) => /error|exception/i.test(line));
    if (thrown.length) throw new Error(`thrown on the device: ${thrown.slice(0, 3).join("")}`);
    system.console.length = 0;
    return this.gauge.memory;
  }
}

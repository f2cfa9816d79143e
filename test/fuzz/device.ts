/** The whole firmware with a BMS, in virtual time, that is fuzzed and then asked whether it is sound. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hashPassword } from "../../host-sim/password";
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import { System, TOKEN } from "../support/system/system";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

export const PASSWORD = "correct horse";
/** Groups whose change would lock out or disconnect the honest clients, too. */
export const RESTORED: readonly GroupName[] = ["device", "api", "bms", "network", "mqtt", "snmp", "web"];

export class FuzzedDevice {
  private readonly before: ReadonlyMap<GroupName, SettingsGroups[GroupName]>;

  private constructor(readonly system: System) {
    const { firmware } = system;
    const restartFor = firmware.restartFor.bind(firmware);
    firmware.restartFor = (cause) => {
      if (cause !== "ordered" && cause !== "factory-reset") restartFor(cause);
    };
    firmware.factoryReset = () => undefined;
    this.before = new Map(RESTORED.map((name) => [name, firmware.settings[name]]));
  }

  static async start(
    settings: { [Name in GroupName]?: Partial<SettingsGroups[Name]> } = {},
    count = 1,
  ): Promise<FuzzedDevice> {
    const web = { password: hashPassword(PASSWORD, 2) };
    const board = { config: { settings: { web, api: { token: TOKEN }, ...settings } } };
    const system = await System.start({ engine: "node", unpaced: true, board, bank: { count } });
    await system.untilLoaded();
    return new FuzzedDevice(system);
  }

  get firmware(): System["firmware"] {
    return this.system.firmware;
  }

  /** The settings that honest clients depend on, as they were. */
  restore(): void {
    for (const [name, values] of this.before) {
      const problem = this.firmware.settings.update(name, values);
      if (problem) throw new Error(problem);
    }
  }

  /** Heap in use after a collection, bytes. */
  heap(): number {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  }

  /** Throws unless the BMS is polled as before and nothing has been thrown. */
  async expectSound(): Promise<void> {
    this.restore();
    await this.system.skipUntil("the BMS is online and its setup loaded", () => {
      const { online, configurationLoaded } = this.system.monitor();
      return online && configurationLoaded;
    });
    const thrown = this.system.console.filter((line) => /error|exception/i.test(line));
    if (thrown.length) throw new Error(`thrown on the device: ${thrown.slice(0, 3).join("")}`);
    this.system.console.length = 0;
  }
}

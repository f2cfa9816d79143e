import { JsonWriter } from "json/writer";
import { Digest } from "../../../host-sim/io/crypt";
import type { ApiDevice } from "../../../src/api/api";
import { Turns } from "../../../src/endpoints/turns";
import type { Network } from "../../../src/network/types";
import type { Relay } from "../../../src/relay/types";
import type { Sensors } from "../../../src/sensors/types";
import DEFAULTS from "../../../src/settings/defaults";
import type { GroupName, RelayMode, Settings, SettingsGroups } from "../../../src/settings/types";
import { FakeMonitor } from "./fake-monitor";
import { conditionsWithAlarms } from "./no-conditions";

export const TOKEN = "0123456789abcdef0123456789abcdef";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** What differs from the defaults. */
const CHANGED: Partial<SettingsGroups> = {
  device: { ...DEFAULTS.device, name: "Garage", hostname: "garage" },
  api: { enabled: true, token: TOKEN },
  relay: { ...DEFAULTS.relay, name: "Charger", source: "soc", offAt: 80 },
  monitoring: {
    ...DEFAULTS.monitoring,
    temperature: { ...DEFAULTS.monitoring.temperature, name: "Room", seriesResistance: 10_000 },
    voltages: [
      { name: "Solar", ratio: 11, offset: 0 },
      { name: "Load", ratio: 11, offset: 0 },
      { name: "Aux", ratio: 2, offset: 0 },
    ],
    inputs: [
      { name: "Door", activeLevel: 1, debounce: 50 },
      { name: "Mains", activeLevel: 0, debounce: 50 },
    ],
  },
  snmp: { ...DEFAULTS.snmp, community: "public" },
};

/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the constructor sets every group */
export interface FakeSettings extends Mutable<SettingsGroups> {}

export class FakeSettings implements Settings {
  /* eslint-enable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type */
  readonly problems: readonly string[] = [];

  constructor() {
    Object.assign(this, DEFAULTS, CHANGED);
  }

  isUnreadable(): boolean {
    return false;
  }

  update<Name extends GroupName>(group: Name, change: Partial<SettingsGroups[Name]>): undefined {
    Object.assign(this, { [group]: { ...this[group], ...change } });
  }

  noteStored(): void {}

  observe(): void {}
}

export class FakeRelay implements Relay {
  value: 0 | 1 = 0;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get name(): string {
    return this.#settings.relay.name;
  }

  get mode(): RelayMode {
    return this.#settings.relay.mode;
  }

  switch(on: boolean): boolean {
    if (this.mode !== 0) return false;
    this.value = on ? 1 : 0;
    return true;
  }
}

export class FakeSensors implements Sensors {
  temperature: number | undefined = 215;
  voltages: (number | undefined)[] = [12_345, 24_000, undefined];
  inputs: (0 | 1)[] = [1, 0];

  voltage(channel: number): number | undefined {
    return this.voltages[channel];
  }

  input(channel: number): 0 | 1 {
    return this.inputs[channel] ?? 0;
  }
}

export interface FakeParts extends Omit<ApiDevice, "start"> {
  readonly monitor: FakeMonitor;
  readonly settings: FakeSettings;
  readonly relay: FakeRelay;
  readonly sensors: FakeSensors;
  readonly network: Mutable<Network>;
}

/** All dependencies of the REST interface, without hardware. */
export function fakeParts(): FakeParts {
  const monitor = new FakeMonitor();
  const settings = new FakeSettings();
  return {
    monitor,
    settings,
    relay: new FakeRelay(settings),
    sensors: new FakeSensors(),
    turns: new Turns(1),
    conditions: conditionsWithAlarms(monitor),
    references: { differences: () => [], keep: () => true },
    network: {
      mode: "STA",
      type: "Ethernet",
      mac: "A0:B1:C2:D3:E4:F5",
      ip: "192.168.1.20",
      gateway: "192.168.1.1",
      subnetMask: "255.255.255.0",
      dns1: "192.168.1.1",
      dns2: "",
      cable: true,
    },
    notify: {
      waiting: 0,
      waitingFor: undefined,
      today: 0,
      couriers: undefined,
      sendTest(_index, done) {
        done({
          problem: "",
          status: 200,
          answer: "ok",
          words: "The service has taken the message. It answered 200: ok",
        });
        return true;
      },
    },
    uptime: () => 4711,
    setTime: () => true,
    makeDigest: () => new Digest("SHA256"),
    build: { softwareName: "jk-bms-monitor", version: "0.1.0", build: "8deb312", boardVersion: "simulator" },
    json: new JsonWriter(),
  };
}

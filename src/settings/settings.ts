import type KeyValueStorage from "embedded:storage/key-value";
import type { Storage } from "embedded:storage/key-value";
import type RNG from "rng";
import { Observers } from "../parts/observers";
import { hostnameOf, makeToken } from "./identity";
import { MAX_PROBLEMS } from "./limits";
import { groupOf, textOf } from "./stored-text";
import GROUPS, { type Group } from "./tables";
import type {
  ApiSettings,
  BmsSettings,
  DeviceSettings,
  GroupName,
  MonitoringSettings,
  MqttSettings,
  NetworkSettings,
  RelaySettings,
  Settings,
  SettingsGroups,
  SettingsObserver,
  SnmpSettings,
  TimeSettings,
  WebSettings,
} from "./types";
import { defaultsOf, overlay, type Report } from "./values";

/** The storage's domain; each group is a key in it (NVS: both at most 15 characters). */
const PATH = "settings";

const NOT_STORED = "The settings could not be stored.";

export interface SettingsOptions {
  readonly storage: typeof KeyValueStorage;
  readonly random: typeof RNG;
  /** The MAC address, "24:6f:28:01:02:03": its last bytes are in the default hostname. */
  readonly mac?: string | undefined;
  /** From the board's configuration (mc/config): wins over what is stored, without being stored, until an update sets the member. */
  readonly configured?: ConfiguredSettings;
}

export type ConfiguredSettings = { readonly [Name in GroupName]?: Partial<SettingsGroups[Name]> };

type Groups = { -readonly [Name in GroupName]: SettingsGroups[Name] };

/**
 * The settings, one JSON text a group in the key-value storage. Written only on a change, each group at once, so that a power cut
 * leaves either the old or the new group.
 */
export class StoredSettings implements Settings {
  #storage: Storage | undefined;
  /** What the storage holds, made whole. */
  readonly #stored: Groups;
  /** What is in force: stored and configured. */
  readonly #groups: Groups;
  /** Members of the board's configuration that no update has set since. */
  readonly #configured: { -readonly [Name in GroupName]?: Partial<SettingsGroups[Name]> } = {};
  /** The groups whose stored text is not what is in memory: the next update writes them even if it changes nothing. */
  readonly #unsound = new Set<GroupName>();
  /** The groups that the storage failed to hand out: they may be intact. */
  readonly #unreadable = new Set<GroupName>();
  readonly #observers = new Observers<SettingsObserver>();
  readonly #problems: string[] = [];
  #revision = 0;

  constructor({ storage, random, mac, configured = {} }: SettingsOptions) {
    try {
      this.#storage = storage.open({ path: PATH, format: "string" });
    } catch {
      this.problem("storage", "cannot be opened");
    }
    const device = defaultsOf(GROUPS.device.fields);
    this.#stored = {
      device: this.load("device", { ...device, hostname: hostnameOf(device.hostname, mac) }),
      api: this.load("api", defaultsOf(GROUPS.api.fields)),
      bms: this.load("bms", defaultsOf(GROUPS.bms.fields)),
      relay: this.load("relay", defaultsOf(GROUPS.relay.fields)),
      monitoring: this.load("monitoring", defaultsOf(GROUPS.monitoring.fields)),
      network: this.load("network", defaultsOf(GROUPS.network.fields)),
      web: this.load("web", defaultsOf(GROUPS.web.fields)),
      time: this.load("time", defaultsOf(GROUPS.time.fields)),
      mqtt: this.load("mqtt", defaultsOf(GROUPS.mqtt.fields)),
      snmp: this.load("snmp", defaultsOf(GROUPS.snmp.fields)),
    };
    if (!this.#stored.api.token) this.firstToken(random);
    this.#groups = { ...this.#stored };
    for (const name in GROUPS) this.configure(name as GroupName, configured);
    Object.freeze(this.#problems);
  }

  get device(): DeviceSettings {
    return this.#groups.device;
  }

  get api(): ApiSettings {
    return this.#groups.api;
  }

  get bms(): BmsSettings {
    return this.#groups.bms;
  }

  get relay(): RelaySettings {
    return this.#groups.relay;
  }

  get monitoring(): MonitoringSettings {
    return this.#groups.monitoring;
  }

  get network(): NetworkSettings {
    return this.#groups.network;
  }

  get web(): WebSettings {
    return this.#groups.web;
  }

  get time(): TimeSettings {
    return this.#groups.time;
  }

  get mqtt(): MqttSettings {
    return this.#groups.mqtt;
  }

  get snmp(): SnmpSettings {
    return this.#groups.snmp;
  }

  get revision(): number {
    return this.#revision;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  update<Name extends GroupName>(name: Name, change: Partial<SettingsGroups[Name]>): string | undefined {
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const stored = this.#stored[name];
    let wrong: string | undefined;
    const next = overlay(group.fields, stored, change, name, (path, fault, demand) => {
      if (fault === "refused") wrong ??= `${path} ${demand}`;
      else if (fault === "unknown") wrong ??= `${name} was given a member that is no setting.`;
    });
    if (wrong) return wrong;
    const configured = without(this.#configured[name], change);
    const inForce = withConfigured(group, next, configured);
    wrong = clash(name, group, next) ?? clash(name, group, inForce);
    if (wrong) return wrong;

    const text = textOf(group.version, next);
    if (text !== textOf(group.version, stored) || this.#unsound.has(name)) {
      if (!this.write(name, text)) return NOT_STORED;
      this.#stored[name] = next;
    }
    if (configured) this.#configured[name] = configured;
    if (textOf(group.version, inForce) !== textOf(group.version, this.#groups[name])) {
      this.#groups[name] = inForce;
      this.#revision++;
      this.#observers.tell("settingsChanged", name);
    }
    return undefined;
  }

  /**
   * Forgets all that is stored: the next start is a first one. Until then what is in memory stays in force.
   * @returns undefined, or what went wrong, for people
   */
  erase(): string | undefined {
    if (!this.#storage) return NOT_STORED;
    try {
      for (const name in GROUPS) this.#storage.delete(name);
    } catch {
      return NOT_STORED;
    }
    return undefined;
  }

  observe(observer: SettingsObserver): void {
    this.#observers.add(observer);
  }

  /** The stored group: what is right in it, and `defaults` for the rest. */
  private load<Name extends GroupName>(name: Name, defaults: SettingsGroups[Name]): SettingsGroups[Name] {
    const frozen = Object.freeze(defaults) as SettingsGroups[Name];
    let stored: unknown;
    try {
      stored = this.#storage?.read(name);
    } catch {
      this.problem(name, "cannot be read");
      this.#unreadable.add(name);
      return frozen;
    }
    if (stored === undefined) return frozen;
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const found = groupOf(stored);
    if (!found) {
      this.fault(name, name, "is corrupt");
      return frozen;
    }
    if (found.version !== group.version)
      this.fault(name, name, found.version < group.version ? "is of an older version" : "is of a newer version");
    const values = overlay(group.fields, frozen, found.values, name, (path, fault) => {
      if (fault === "missing") this.fault(name, path, "is missing");
      else if (fault === "refused") this.fault(name, path, "is not allowed");
    });
    if (!group.differ || !clash(name, group, values)) return values;
    const [one, other] = group.differ;
    this.fault(name, `${name}.${one}`, `is equal to ${other}`);
    const defaultPair = { [one]: frozen[one], [other]: frozen[other] };
    return overlay(group.fields, values, defaultPair, name, () => undefined);
  }

  /** A first start, or a token that was lost. Stored at once, unless the stored one may be there and merely could not be read. */
  private firstToken(random: typeof RNG): void {
    const api = Object.freeze({ ...this.#stored.api, token: makeToken(random) });
    this.#stored.api = api;
    if (this.#unreadable.has("api")) return;
    if (!this.write("api", textOf(GROUPS.api.version, api))) this.problem("api.token", "cannot be stored");
  }

  private configure<Name extends GroupName>(name: Name, settings: ConfiguredSettings): void {
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const given: Partial<SettingsGroups[Name]> = { ...(settings[name] ?? {}) };
    for (const member in given) if (given[member] === undefined) delete given[member];
    const inForce = withConfigured(group, this.#stored[name], given, (path, fault) => {
      if (fault !== "missing") this.problem(`configured ${name}${path}`, "is not allowed");
    });
    if (clash(name, group, inForce)) this.problem(`configured ${name}`, "is not allowed");
    else {
      this.#configured[name] = given;
      this.#groups[name] = inForce;
    }
  }

  private write(name: GroupName, text: string): boolean {
    if (!this.#storage) return false;
    try {
      this.#storage.write(name, text);
    } catch {
      return false;
    }
    this.#unsound.delete(name);
    return true;
  }

  private fault(group: GroupName, what: string, problem: string): void {
    this.#unsound.add(group);
    this.problem(what, problem);
  }

  private problem(what: string, problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS - 1) this.#problems.push(`${what} ${problem}`);
    else if (this.#problems.length < MAX_PROBLEMS) this.#problems.push("more");
  }
}

function clash<T>(name: GroupName, { differ }: Group<T>, values: T): string | undefined {
  if (!differ || values[differ[0]] !== values[differ[1]]) return undefined;
  return `${name}.${differ[0]} and ${name}.${differ[1]} must differ.`;
}

const withConfigured = <T>(
  group: Group<T>,
  stored: T,
  configured: Partial<T> | undefined,
  report: Report = ignore,
): T => overlay(group.configured ?? group.fields, stored, configured ?? {}, "", report);

const ignore = (): void => undefined;

/** What is left of `configured` when the members of `change` have been set. */
function without<T>(configured: Partial<T> | undefined, change: Partial<T>): Partial<T> | undefined {
  if (!configured) return undefined;
  const rest = { ...configured };
  for (const member in change) delete rest[member];
  return rest;
}

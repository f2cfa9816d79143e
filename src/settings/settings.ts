import type KeyValueStorage from "embedded:storage/key-value";
import type { Storage } from "embedded:storage/key-value";
import type RNG from "rng";
import { hostnameOf, makeToken } from "./identity";
import { MAX_PROBLEMS, MAX_TOKEN } from "./limits";
import { groupOf, textOf } from "./stored-text";
import GROUPS, { type Group } from "./tables";
import { isText } from "./text-rules";
import type {
  ApiSettings,
  BmsSettings,
  DeviceSettings,
  GroupName,
  MonitoringSettings,
  RelaySettings,
  Settings,
  SettingsGroups,
  SnmpSettings,
} from "./types";
import { defaultsOf, overlay } from "./values";

/** The storage's domain; each group is a key in it (NVS: both at most 15 characters). */
const PATH = "settings";

const NOT_STORED = "The settings could not be stored.";

export interface SettingsOptions {
  readonly storage: typeof KeyValueStorage;
  readonly random: typeof RNG;
  /** The MAC address, "24:6f:28:01:02:03": its last bytes are in the default hostname. */
  readonly mac?: string | undefined;
  /** `token` of the board's configuration (mc/config): wins over the stored one, without being stored, until another is set. */
  readonly token?: unknown;
}

/**
 * The settings, one JSON text a group in the key-value storage. Written only on a change, each group at once, so that a power cut
 * leaves either the old or the new group.
 */
export class StoredSettings implements Settings {
  #storage: Storage | undefined;
  readonly #groups: { -readonly [Name in GroupName]: SettingsGroups[Name] };
  /** The groups whose stored text is not what is in memory: the next update writes them even if it changes nothing. */
  readonly #unsound = new Set<GroupName>();
  /** The groups that the storage failed to hand out: they may be intact. */
  readonly #unreadable = new Set<GroupName>();
  readonly #listeners = new Map<GroupName, (() => void)[]>();
  readonly #problems: string[] = [];
  /** What `api` shows while the token of the board's configuration is in force. */
  #apiOverride: ApiSettings | undefined;

  constructor({ storage, random, mac, token }: SettingsOptions) {
    try {
      this.#storage = storage.open({ path: PATH, format: "string" });
    } catch {
      this.#problem("storage", "cannot be opened");
    }
    const device = defaultsOf(GROUPS.device.fields);
    this.#groups = {
      device: this.#load("device", { ...device, hostname: hostnameOf(device.hostname, mac) }),
      api: this.#load("api", defaultsOf(GROUPS.api.fields)),
      bms: this.#load("bms", defaultsOf(GROUPS.bms.fields)),
      relay: this.#load("relay", defaultsOf(GROUPS.relay.fields)),
      monitoring: this.#load("monitoring", defaultsOf(GROUPS.monitoring.fields)),
      snmp: this.#load("snmp", defaultsOf(GROUPS.snmp.fields)),
    };
    if (!this.#groups.api.token) this.#firstToken(random);
    if (token !== undefined) this.#overrideToken(token);
    Object.freeze(this.#problems);
  }

  get device(): DeviceSettings {
    return this.#groups.device;
  }

  get api(): ApiSettings {
    return this.#apiOverride ?? this.#groups.api;
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

  get snmp(): SnmpSettings {
    return this.#groups.snmp;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  update<Name extends GroupName>(name: Name, change: Partial<SettingsGroups[Name]>): string | undefined {
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    let wrong: string | undefined;
    const next = overlay(group.fields, this.#groups[name], change, name, (path, fault, demand) => {
      if (fault === "refused") wrong ??= `${path} ${demand}`;
      else if (fault === "unknown") wrong ??= `${name} was given a member that is no setting.`;
    });
    wrong ??= this.#clash(name, group, next);
    if (wrong) return wrong;

    const endsOverride = name === "api" && this.#apiOverride !== undefined && Object.hasOwn(change, "token");
    const text = textOf(group.version, next);
    const isNew = text !== textOf(group.version, this.#groups[name]);
    if (isNew || this.#unsound.has(name)) {
      if (!this.#write(name, text)) return NOT_STORED;
      this.#groups[name] = next;
    }
    if (name === "api" && this.#apiOverride)
      this.#apiOverride = endsOverride ? undefined : withToken(this.#groups.api, this.#apiOverride.token);
    if (isNew || endsOverride) this.#listeners.get(name)?.forEach((listener) => listener());
    return undefined;
  }

  onChange(group: GroupName, listener: () => void): void {
    const listeners = this.#listeners.get(group);
    if (listeners) listeners.push(listener);
    else this.#listeners.set(group, [listener]);
  }

  /** The stored group: what is right in it, and `defaults` for the rest. */
  #load<Name extends GroupName>(name: Name, defaults: SettingsGroups[Name]): SettingsGroups[Name] {
    const frozen = Object.freeze(defaults) as SettingsGroups[Name];
    let stored: unknown;
    try {
      stored = this.#storage?.read(name);
    } catch {
      this.#problem(name, "cannot be read");
      this.#unreadable.add(name);
      return frozen;
    }
    if (stored === undefined) return frozen;
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const found = groupOf(stored);
    if (!found) {
      this.#fault(name, name, "is corrupt");
      return frozen;
    }
    if (found.version !== group.version)
      this.#fault(name, name, found.version < group.version ? "is of an older version" : "is of a newer version");
    const values = overlay(group.fields, frozen, found.values, name, (path, fault) => {
      if (fault === "missing") this.#fault(name, path, "is missing");
      else if (fault === "refused") this.#fault(name, path, "is not allowed");
    });
    if (!group.differ || !this.#clash(name, group, values)) return values;
    const [one, other] = group.differ;
    this.#fault(name, `${name}.${one}`, `is equal to ${other}`);
    const defaultPair = { [one]: frozen[one], [other]: frozen[other] };
    return overlay(group.fields, values, defaultPair, name, () => undefined);
  }

  #clash<T>(name: GroupName, { differ }: Group<T>, values: T): string | undefined {
    if (!differ || values[differ[0]] !== values[differ[1]]) return undefined;
    return `${name}.${differ[0]} and ${name}.${differ[1]} must differ.`;
  }

  /** A first start, or a token that was lost. Stored at once, unless the stored one may be there and merely could not be read. */
  #firstToken(random: typeof RNG): void {
    this.#groups.api = withToken(this.#groups.api, makeToken(random));
    if (this.#unreadable.has("api")) return;
    if (!this.#write("api", textOf(GROUPS.api.version, this.#groups.api)))
      this.#problem("api.token", "cannot be stored");
  }

  #overrideToken(token: unknown): void {
    if (typeof token === "string" && isText("token", token, 1, MAX_TOKEN))
      this.#apiOverride = withToken(this.#groups.api, token);
    else this.#problem("token of the board's configuration", "is not allowed");
  }

  #write(name: GroupName, text: string): boolean {
    if (!this.#storage) return false;
    try {
      this.#storage.write(name, text);
    } catch {
      return false;
    }
    this.#unsound.delete(name);
    return true;
  }

  #fault(group: GroupName, what: string, problem: string): void {
    this.#unsound.add(group);
    this.#problem(what, problem);
  }

  #problem(what: string, problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS - 1) this.#problems.push(`${what} ${problem}`);
    else if (this.#problems.length < MAX_PROBLEMS) this.#problems.push("more");
  }
}

const withToken = (api: ApiSettings, token: string): ApiSettings => Object.freeze({ ...api, token });

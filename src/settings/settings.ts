import type KeyValueStorage from "embedded:storage/key-value";
import type { Storage } from "embedded:storage/key-value";
import type RNG from "rng";
import { Observers } from "../runtime/observers";
import DEFAULTS from "./defaults";
import { hostnameOf, makeToken } from "./identity";
import { MAX_PACKS, MAX_PROBLEMS } from "./limits";
import { groupOf, textOf } from "./stored-text";
import type { Problem, ProblemCode, Refusal } from "./messages";
import GROUPS, { GROUP_NAMES, type Group } from "./tables";
import type {
  ApiSettings,
  GroupName,
  Lacks,
  PackSettings,
  RelaySettings,
  Settings,
  SettingsGroups,
  SettingsObserver,
  WebSettings,
} from "./types";
import { isSame, overlay, type Report } from "./values";

/** Domain in the storage; each group is a key in it (NVS: both at most 15 characters). */
const PATH = "settings";

const NO_PROBLEMS: readonly Problem[] = Object.freeze([], true);

/** Indexed by the platform's `storeState`. */
export const STORE_PROBLEMS: readonly (ProblemCode | undefined)[] = Object.freeze(
  [undefined, "store-set-aside", "store-replaced", "store-lost"],
  true,
);

type Groups = { -readonly [Name in GroupName]: SettingsGroups[Name] };

/** Matches no password: nobody can sign in. */
const CLOSED: WebSettings = Object.freeze({ password: "lost" }, true);

/** The owner may have switched the API off. */
const CLOSED_API: ApiSettings = Object.freeze({ enabled: false, token: "" }, true);

/** Its active level is unknown: the pin is not driven, and the wiring holds the relay off. */
const NO_RELAY: RelaySettings = Object.freeze({ ...DEFAULTS.relay, fitted: false }, true);

/** In place of the defaults, where a group or a member of it cannot be read. */
const FALLBACKS: Partial<Groups> = Object.freeze({ relay: NO_RELAY }, true);

/** In force on a board without a relay, or without sensors. */
const NOT_FITTED = Object.freeze({ fitted: false }, true);

const HAS_ALL: Lacks = Object.freeze({}, true);

const NOT_STORED = "not-stored";

/** What has a port besides the settings. */
const WEB_SERVER = "HTTP";

export interface SettingsOptions {
  readonly storage: typeof KeyValueStorage;
  /** How the platform initialized it: `storeState` of "application". Default: 0, unchanged. */
  readonly storeState?: number;
  /** From the board's configuration (mc/config): overrides stored values, without being stored, until an update sets the member. */
  readonly configured?: ConfiguredSettings;
  /** Packs that the board bears, the first included. Default: MAX_PACKS. */
  readonly maxPacks?: number | undefined;
  /** TCP port of the web server: no other server may have it. Default: any. */
  readonly httpPort?: number | undefined;
  readonly lacks?: Lacks;
}

/** Source of the names and secrets of a first start. */
export interface Identity {
  readonly random: typeof RNG;
  /** The MAC address, "24:6f:28:01:02:03": its last bytes are in the default hostname. */
  readonly mac?: string | undefined;
}

export type ConfiguredSettings = { readonly [Name in GroupName]?: Partial<SettingsGroups[Name]> };

/** In two attempts: one failure, for lack of memory for instance, would close the settings until the next start. */
function open(storage: typeof KeyValueStorage): ReturnType<typeof KeyValueStorage.open> {
  const options = { path: PATH, format: "string" } as const;
  try {
    return storage.open(options);
  } catch {
    return storage.open(options);
  }
}

/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the constructor sets every group */
/** The settings in force; each group is a frozen object that is replaced on a change. */
export interface StoredSettings extends SettingsGroups {}

/**
 * The settings, one JSON text a group in the key-value storage. Written only on a change, each group atomically: a power cut
 * leaves either the old or the new group.
 */
export class StoredSettings implements Settings {
  /* eslint-enable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type */
  readonly lacks: Lacks;
  private readonly maxPacks: number;
  private readonly httpPort: number | undefined;
  private storage: Storage | undefined;
  /** The complete stored values of the groups that the board's configuration overrides. */
  private readonly _stored: Partial<Groups> = {};
  /** Members of the board's configuration that no update has overridden. */
  private configured: ConfiguredSettings;
  /** Groups whose stored text differs from memory: the next update writes them even if it changes nothing. */
  private unsound: Set<GroupName> | undefined;
  /** Groups that could not be read; the stored text may be intact. */
  private unreadable: Set<GroupName> | undefined;
  /** The groups that are not stored; forgotten by `identify`. */
  private absent: Set<GroupName> | undefined;
  private readonly observers = new Observers<SettingsObserver>();
  problems = NO_PROBLEMS;

  /** Loads all groups except those of `identify`: the relay needs its settings before the network is up. */
  constructor({
    storage,
    storeState,
    configured = {},
    maxPacks = MAX_PACKS,
    httpPort,
    lacks = HAS_ALL,
  }: SettingsOptions) {
    this.configured = configured;
    this.maxPacks = maxPacks;
    this.httpPort = httpPort;
    this.lacks = lacks;
    if (storeState) this.problem(STORE_PROBLEMS[storeState] as Problem);
    try {
      this.storage = open(storage);
    } catch {
      this.problem("store-closed");
    }
    Object.assign(this, DEFAULTS, { web: CLOSED });
    for (const name of GROUP_NAMES) if (!GROUPS[name].identity) this.load(name, FALLBACKS[name]);
    if (this.absent?.has("relay")) (this as Groups).relay = DEFAULTS.relay;
    for (const name of GROUP_NAMES)
      if (!GROUPS[name].identity && (configured[name] ?? this.isLacking(name))) this.configure(name);
    this.dropClashingPacks();
    this.holdClashingModbus();
  }

  /** Loads `device`, `api` and `web`. Call once, with the network started: the hardware RNG needs the radio as its noise source. */
  identify({ random, mac }: Identity): void {
    const { device } = DEFAULTS;
    const groups = this as Groups;
    this.load("device", Object.freeze({ ...device, hostname: hostnameOf(device.hostname, mac) }));
    this.load("api", CLOSED_API);
    this.load("web");
    // Before the token: after a power cut in between, the storage still counts as new.
    if (!this.web.password) groups.web = this.firstPassword();
    if (!this.api.token) groups.api = this.firstToken(random);
    this.absent = undefined;
    for (const name of GROUP_NAMES) if (GROUPS[name].identity && this.configured[name]) this.configure(name);
  }

  /** Makes the token for which there were no random numbers before. Throws while there are none, or if it cannot be stored. */
  completeToken(random: typeof RNG): void {
    if (this.api.token || this.isUnreadable("api")) return;
    const refusal = this.update("api", { token: makeToken(random) }, true);
    if (refusal) throw new Error(refusal);
  }

  isUnreadable(name: GroupName): boolean {
    return this.unreadable?.has(name) ?? false;
  }

  update<Name extends GroupName>(
    name: Name,
    change: Partial<SettingsGroups[Name]>,
    byDevice = false,
  ): Refusal | undefined {
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const stored = this.stored(name);
    let wrong: Refusal | undefined;
    const next = overlay(group.fields, stored, change, name, (_path, fault, refusal) => {
      if (fault === "unknown") refusal = `no-member\t${name}`;
      wrong ??= refusal;
    });
    if (wrong) return wrong;
    const configured = without(this.configured[name], change);
    const inForce = this.inForce(name, next, configured);
    wrong =
      clash(name, group, next) ??
      clash(name, group, inForce) ??
      this.bankClash({ [name]: inForce }) ??
      this.portClash({ [name]: inForce });
    if (wrong) return wrong;

    if (next !== stored || this.unsound?.has(name)) {
      const text = textOf(group.version, next);
      if (!this.store(name, text)) return NOT_STORED;
      this.unreadable?.delete(name);
    }
    if (configured) this.configured = { ...this.configured, [name]: configured };
    const changed = !isSame(inForce, this[name]);
    this.keep(name, next, changed ? inForce : this[name]);
    if (changed) {
      this.observers.report("settingsChanged", name);
      if (!byDevice) this.observers.report("settingsChosen", name);
    }
    return undefined;
  }

  /**
   * Erases everything stored: the next start is a first start. Until then the settings in memory stay in force and cannot be changed: a
   * group stored alone would make the password count as lost.
   * @returns undefined, or the error
   */
  erase(): Refusal | undefined {
    if (!this.storage) return NOT_STORED;
    try {
      // The password last: it protects until everything else is erased.
      for (const name in GROUPS) if (name !== "web") this.storage.delete(name);
      this.storage.delete("web");
      this.storage.close();
      this.storage = undefined;
    } catch {
      return NOT_STORED;
    }
    return undefined;
  }

  observe(observer: SettingsObserver): void {
    this.observers.add(observer);
  }

  /** A group as stored, without the board's overrides. */
  private stored<Name extends GroupName>(name: Name): SettingsGroups[Name] {
    return this._stored[name] ?? this[name];
  }

  /** Equal values share one object. */
  private keep<Name extends GroupName>(name: Name, stored: SettingsGroups[Name], inForce: SettingsGroups[Name]): void {
    (this as Groups)[name] = inForce;
    if (isSame(stored, inForce)) delete this._stored[name];
    else (this._stored as Groups)[name] = stored;
  }

  private load<Name extends GroupName>(name: Name, defaults: SettingsGroups[Name] = DEFAULTS[name]): void {
    (this as Groups)[name] = this.read(name, defaults);
  }

  /** The stored group: its valid members, and `defaults` for the rest, of which an older version may have stored none. */
  private read<Name extends GroupName>(name: Name, defaults: SettingsGroups[Name]): SettingsGroups[Name] {
    let stored: unknown;
    try {
      stored = this.storage?.read(name);
    } catch {
      this.problem(`unreadable\t${name}`);
      (this.unreadable ??= new Set()).add(name);
      return defaults;
    }
    if (stored === undefined) {
      if (this.storage) (this.absent ??= new Set()).add(name);
      return defaults;
    }
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const found = groupOf(stored);
    if (!found) {
      this.fault(name, `corrupt\t${name}`);
      return defaults;
    }
    if (found.version !== group.version)
      this.fault(name, `${found.version < group.version ? "older" : "newer"}\t${name}`);
    const report: Report = (path, fault) => {
      if (fault === "refused") this.fault(name, `not-allowed\t${path}`);
      else if (fault === "missing" && group.essential?.some((member) => path === `${name}.${member}`))
        this.fault(name, `missing\t${path}`);
    };
    const values = overlay(group.fields, defaults, found.values, name, report, true);
    if (!group.differ || !clash(name, group, values)) return values;
    const [one, other] = group.differ;
    this.fault(name, `same\t${name}.${one}\t${name}.${other}`);
    const defaultPair = { [one]: defaults[one], [other]: defaults[other] };
    return overlay(group.fields, values, defaultPair, name, ignore);
  }

  /** No password was loaded: either none has been chosen yet (stored as empty, or nothing stored at all), or it was lost: fails closed. */
  private firstPassword(): WebSettings {
    const { absent, web } = this;
    if (absent?.size === GROUP_NAMES.length) {
      if (!this.write("web", textOf(GROUPS.web.version, web))) this.problem("unwritable\tweb");
    } else if (absent?.has("web")) {
      this.problem("missing\tweb");
      return CLOSED;
    } else if (!this.storage || this.unsound?.has("web") || this.isUnreadable("web")) return CLOSED;
    return web;
  }

  /**
   * A token for the first start, or in place of a lost one; then the API is off unless `enabled` could be read. Stored at once, unless an
   * intact one may exist that could not be read. Empty without random numbers, which admits nobody: see `completeToken`.
   */
  private firstToken(random: typeof RNG): ApiSettings {
    const { absent, api, web } = this;
    // At the first start nothing is stored, or after a power cut only the empty password.
    const first = absent !== undefined && absent.size >= GROUP_NAMES.length - 1 && !web.password;
    if (absent?.has("api") && !first) this.problem("missing\tapi");
    const enabled = api.enabled || first;
    let made: ApiSettings;
    try {
      made = Object.freeze({ enabled, token: makeToken(random) });
    } catch (error) {
      trace(`settings: no token: ${String(error)}\n`);
      return Object.freeze({ enabled, token: "" });
    }
    if (!this.isUnreadable("api") && !this.write("api", textOf(GROUPS.api.version, made)))
      this.problem("unwritable\tapi.token");
    return made;
  }

  private configure<Name extends GroupName>(name: Name): void {
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const given: Partial<SettingsGroups[Name]> = { ...(this.configured[name] ?? {}) };
    for (const member in given) if (given[member] === undefined) delete given[member];
    const stored = this[name];
    let inForce = this.inForce(name, stored, given, (path, fault) => {
      if (fault !== "missing") this.problem(`not-allowed-by-board\t${name}${path}`);
    });
    if (clash(name, group, inForce)) {
      this.problem(`not-allowed-by-board\t${name}`);
      this.configured = { ...this.configured, [name]: {} };
      inForce = this.inForce(name, stored, {});
    }
    this.keep(name, stored, inForce);
  }

  private isLacking(name: string): boolean {
    return (name === "relay" || name === "monitoring") && this.lacks[name] === true;
  }

  /** `stored`, under the board's configuration, and without what the board lacks. */
  private inForce<Name extends GroupName>(
    name: Name,
    stored: SettingsGroups[Name],
    configured: Partial<SettingsGroups[Name]> | undefined,
    report?: Report,
  ): SettingsGroups[Name] {
    const group: Group<SettingsGroups[Name]> = GROUPS[name];
    const values = withConfigured(group, stored, configured, report);
    return this.isLacking(name) ? overlay(group.fields, values, NOT_FITTED, "", ignore) : values;
  }

  /** Stores a group; returns whether that succeeded. */
  private store(name: GroupName, text: string): boolean {
    const stored = this.write(name, text);
    // A failed write may still have changed the stored text.
    if (!stored) (this.unsound ??= new Set()).add(name);
    this.noteStored(`unwritable\t${name}`, stored);
    return stored;
  }

  noteStored(failure: Problem, stored: boolean): void {
    const known = this.problems.includes(failure);
    if (stored && known) this.problems = Object.freeze(this.problems.filter((problem) => problem !== failure));
    else if (!stored && !known) {
      this.problem(failure);
      this.observers.report("settingsProblem", failure);
    }
  }

  private write(name: GroupName, text: string): boolean {
    if (!this.storage) return false;
    try {
      this.storage.write(name, text);
    } catch {
      return false;
    }
    this.unsound?.delete(name);
    return true;
  }

  /** Why `bms` and `packs`, given or as they are, do not go together. */
  private bankClash({ bms = this.bms, packs = this.packs }: Partial<SettingsGroups>): Refusal | undefined {
    const { further } = packs;
    if (further.length >= this.maxPacks) return `too-many-packs\t${this.maxPacks}`;
    const at = further.findIndex((_, index) => other(bms.address, further, index) !== undefined);
    return at < 0 ? undefined : `equal\tpacks.further.${at}.address\t${other(bms.address, further, at)}`;
  }

  /** Older firmware, which knows only the first pack, may have given it the address of another. */
  private dropClashingPacks(): void {
    const { bms, packs } = this;
    if (!this.bankClash({})) return;
    this.fault("packs", "not-allowed\tpacks.further");
    const further = packs.further.filter((_, index) => other(bms.address, packs.further, index) === undefined);
    (this as Groups).packs = Object.freeze({ ...packs, further: Object.freeze(further.slice(0, this.maxPacks - 1)) });
  }

  /** Why Modbus, if given, cannot have its port. */
  private portClash({ modbus }: Partial<SettingsGroups>): Refusal | undefined {
    return modbus && modbus.port === this.httpPort ? `equal\tmodbus.port\t${WEB_SERVER}` : undefined;
  }

  /** Older firmware took the web server's port for Modbus, which is off until it has another. */
  private holdClashingModbus(): void {
    const { modbus } = this;
    if (!modbus.enabled || !this.portClash(this)) return;
    this.problem(`same\tmodbus.port\t${WEB_SERVER}`);
    this.keep("modbus", this.stored("modbus"), Object.freeze({ ...modbus, enabled: false }));
  }

  private fault(group: GroupName, problem: Problem): void {
    (this.unsound ??= new Set()).add(group);
    this.problem(problem);
  }

  private problem(problem: Problem): void {
    const { length } = this.problems;
    if (length < MAX_PROBLEMS)
      this.problems = Object.freeze([...this.problems, length < MAX_PROBLEMS - 1 ? problem : "more"]);
  }
}

/** The path of a pack before that at `at` that has the same address; undefined: there is none. */
function other(first: number, further: readonly PackSettings[], at: number): string | undefined {
  const { address } = further[at] as PackSettings;
  if (address === first) return "bms.address";
  const before = further.findIndex((pack) => pack.address === address);
  return before < at ? `packs.further.${before}.address` : undefined;
}

function clash<T>(name: GroupName, { differ }: Group<T>, values: T): Refusal | undefined {
  if (!differ || values[differ[0]] !== values[differ[1]]) return undefined;
  return `equal\t${name}.${differ[0]}\t${name}.${differ[1]}`;
}

const withConfigured = <T>(
  group: Group<T>,
  stored: T,
  configured: Partial<T> | undefined,
  report: Report = ignore,
): T => overlay(group.configured ?? group.fields, stored, configured ?? {}, "", report);

const ignore = (): void => undefined;

/** `configured` without the members that `change` sets. */
function without<T>(configured: Partial<T> | undefined, change: Partial<T>): Partial<T> | undefined {
  if (!configured) return undefined;
  const rest = { ...configured };
  for (const member in change) delete rest[member];
  return rest;
}

import { lowerCase } from "ascii/case";
import { COMMANDS_TABLE } from "../catalogue/commands";
import { PARAMETERS_TABLE } from "../catalogue/parameters";
import type { Network } from "../network/types";
import type { PackSettings, Settings } from "../settings/types";

/** The retained states, by the last level of their topics. */
export type Group = "relay" | "telemetry" | "cells" | "config" | "diagnostics";

/** What an incoming topic addresses. */
export interface Target {
  readonly kind: "command" | "parameter" | "relay" | "request" | "birth" | "availability";
  /** Name of the command or parameter. */
  readonly name: string;
  /** A further pack's place among all packs. */
  readonly pack?: number;
}

const SET = "/set";
const COMMAND = "command/";
const PARAMETER = "setting/";
/** The states and the availability topics. */
const RETAINED: readonly string[] = Object.freeze(
  ["availability", "bms", "relay", "telemetry", "cells", "config", "diagnostics"],
  true,
);
/** Those of the branch of a further pack; the bank's has the second. */
const RETAINED_BRANCH: readonly string[] = Object.freeze(["bms", "telemetry", "cells", "config"], true);
/** Separates the base from the discovery topic in the stored record; never part of a topic. */
const SEPARATOR = "\n";
const COMMA = ",";
/** Subscriptions before those of the commands. */
const FIXED = 4;

const BANK = "bank";
const REQUEST = "request";
const CONFIG_TOPIC = "/config";

const target = (kind: Target["kind"], name = ""): Target => ({ kind, name });

/** What the bank's or a pack's id ends in. */
const endOf = (branch: string): string => (branch ? `_${branch.replace("/", "")}` : "");

/** "0200000000aa" from the MAC address; the hostname if the platform has no MAC address. */
function deviceId({ mac }: Network, { device }: Settings): string {
  return mac ? lowerCase(mac.replaceAll(":", "")) : device.hostname;
}

/** The device's topics: all but Home Assistant's begin with `<baseTopic>/<device id>/`. Those of the bank and of further packs have a branch of their own there. */
export class Topics {
  readonly id: string;
  readonly branch: string;
  /** The settings' own list: one of branches would take memory for each pack. */
  private readonly further: readonly PackSettings[];
  private readonly device: string;
  private readonly root: string;
  private readonly base: string;
  private readonly prefix: string;

  /** @param branch empty: the device and the first pack */
  constructor(network: Network, settings: Settings, branch = "") {
    const { baseTopic, discoveryPrefix } = settings.mqtt;
    this.further = settings.packs.further;
    this.branch = branch;
    this.device = deviceId(network, settings);
    this.id = this.device + endOf(branch);
    this.root = `${baseTopic}/${this.device}/`;
    this.base = branch ? `${this.root}${branch}/` : this.root;
    this.prefix = `${discoveryPrefix}/`;
  }

  /** How many branches there are. Not one for one pack alone: it is the bank, and its topics are the device's. */
  get branches(): number {
    const { length } = this.further;
    return length && length + 1;
  }

  /** `pack/<address>` of each further pack in the order of the settings, then `bank`; undefined past the last. */
  branchAt(index: number): string | undefined {
    const pack = this.further[index];
    if (pack) return `pack/${pack.address}`;
    return index < this.branches ? BANK : undefined;
  }

  get isBank(): boolean {
    return this.branch === BANK;
  }

  /** The device that this one belongs to: packs to the bank, the bank to the first. */
  get via(): string {
    return this.device + (this.isBank ? "" : endOf(BANK));
  }

  /** "online" or "offline": the device. */
  get availability(): string {
    return `${this.root}availability`;
  }

  /** "online" or "offline": the BMS. */
  get bms(): string {
    return `${this.base}bms`;
  }

  /** Events of the alarms; not retained. */
  get alarm(): string {
    return `${this.base}alarm`;
  }

  get result(): string {
    return `${this.root}result`;
  }

  get discovery(): string {
    return `${this.prefix}device/${this.id}${CONFIG_TOPIC}`;
  }

  /** Where the retained messages are, stored for the next start. */
  get record(): string {
    const { branches } = this;
    let record = this.base + SEPARATOR + this.discovery;
    for (let index = 0; index < branches; index++) record += (index ? COMMA : SEPARATOR) + this.branchAt(index);
    return record;
  }

  /** Topics of an earlier `record` that are no longer used; empty if the record is invalid. */
  leftovers(record: unknown): readonly string[] {
    if (typeof record !== "string" || record === this.record) return [];
    const [base, discovery, branches, ...rest] = record.split(SEPARATOR);
    if (!base?.endsWith("/") || !discovery || rest.length) return [];
    const topics = base === this.base ? [] : RETAINED.map((name) => base + name);
    if (discovery !== this.discovery) topics.push(discovery);
    if (!branches) return topics;
    const used = this.record.split(SEPARATOR)[2]?.split(COMMA);
    for (const branch of branches.split(COMMA)) {
      const isUsed = used?.includes(branch);
      if (!isUsed || base !== this.base) topics.push(...RETAINED_BRANCH.map((name) => `${base}${branch}/${name}`));
      if (!isUsed || discovery !== this.discovery)
        topics.push(discovery.slice(0, -CONFIG_TOPIC.length) + endOf(branch) + CONFIG_TOPIC);
    }
    return topics;
  }

  state(group: Group): string {
    return this.base + group;
  }

  command(name: string): string {
    return this.base + COMMAND + name + SET;
  }

  parameter(name: string): string {
    return this.base + PARAMETER + name + SET;
  }

  get relay(): string {
    return `${this.base}relay${SET}`;
  }

  get request(): string {
    return this.base + REQUEST;
  }

  /** Home Assistant's birth and will topic. */
  get birth(): string {
    return `${this.prefix}status`;
  }

  /**
   * The subscription at `index`; undefined past the last. No wildcards: they would admit topics of any length, and the platform's client
   * buffers a topic whole.
   */
  subscription(index: number): string | undefined {
    if (index === 0) return this.request;
    if (index === 1) return this.relay;
    if (index === 2) return this.birth;
    if (index === 3) return this.availability;
    const command = COMMANDS_TABLE[index - FIXED];
    if (command) return this.command(command.name);
    const rest = index - FIXED - COMMANDS_TABLE.length;
    const parameter = PARAMETERS_TABLE[rest];
    if (parameter) return this.parameter(parameter.name);
    const branch = this.branchAt(rest - PARAMETERS_TABLE.length);
    return branch && branch !== BANK ? `${this.base}${branch}/${REQUEST}` : undefined;
  }

  /** Undefined for a topic without a subscription. */
  target(topic: string): Target | undefined {
    if (topic === this.birth) return target("birth");
    if (!topic.startsWith(this.base)) return undefined;
    if (topic === this.request) return target("request");
    if (topic === this.availability) return target("availability");
    if (topic === this.relay) return target("relay");
    const pack = this.further.findIndex((_, index) => topic === `${this.base}${this.branchAt(index)}/${REQUEST}`);
    if (pack >= 0) return { kind: "request", name: "", pack: pack + 1 };
    if (!topic.endsWith(SET)) return undefined;
    const rest = topic.slice(this.base.length, -SET.length);
    if (rest.startsWith(COMMAND)) return target("command", rest.slice(COMMAND.length));
    return rest.startsWith(PARAMETER) ? target("parameter", rest.slice(PARAMETER.length)) : undefined;
  }
}

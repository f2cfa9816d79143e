import { COMMANDS_TABLE } from "../catalogue/commands";
import { PARAMETERS_TABLE } from "../catalogue/parameters";
import type { Network } from "../network/types";
import type { Settings } from "../settings/types";

/** The retained states, by the last level of their topics. */
export type Group = "relay" | "telemetry" | "cells" | "config" | "diagnostics";

/** What an incoming topic addresses. */
export interface Target {
  readonly kind: "command" | "parameter" | "relay" | "request" | "birth" | "availability";
  /** Name of the command or parameter. */
  readonly name: string;
}

const SET = "/set";
const COMMAND = "command/";
const PARAMETER = "setting/";
/** The states and the availability topics. */
const RETAINED: readonly string[] = Object.freeze(
  ["availability", "bms", "relay", "telemetry", "cells", "config", "diagnostics"],
  true,
);
/** Separates the base from the discovery topic in the stored record; never part of a topic. */
const SEPARATOR = "\n";
/** Subscriptions before those of the commands. */
const FIXED = 4;

const target = (kind: Target["kind"], name = ""): Target => ({ kind, name });

/** "0200000000aa" from the MAC address; the hostname if the platform has no MAC address. */
function deviceId({ mac }: Network, { device }: Settings): string {
  return mac ? mac.replaceAll(":", "").toLowerCase() : device.hostname;
}

/** The device's topics: all but Home Assistant's begin with `<baseTopic>/<device id>/`. */
export class Topics {
  readonly id: string;
  private readonly base: string;
  private readonly prefix: string;

  constructor(network: Network, settings: Settings) {
    const { baseTopic, discoveryPrefix } = settings.mqtt;
    this.id = deviceId(network, settings);
    this.base = `${baseTopic}/${this.id}/`;
    this.prefix = `${discoveryPrefix}/`;
  }

  /** "online" or "offline": the device. */
  get availability(): string {
    return `${this.base}availability`;
  }

  /** "online" or "offline": the BMS. */
  get bms(): string {
    return `${this.base}bms`;
  }

  get result(): string {
    return `${this.base}result`;
  }

  get discovery(): string {
    return `${this.prefix}device/${this.id}/config`;
  }

  /** Where the retained messages are, stored for the next start. */
  get record(): string {
    return this.base + SEPARATOR + this.discovery;
  }

  /** Topics of an earlier `record` that are no longer used; empty if the record is invalid. */
  leftovers(record: unknown): readonly string[] {
    if (typeof record !== "string" || record === this.record) return [];
    const [base, discovery, ...rest] = record.split(SEPARATOR);
    if (!base?.endsWith("/") || !discovery || rest.length) return [];
    const states = base === this.base ? [] : RETAINED.map((name) => base + name);
    return discovery === this.discovery ? states : [...states, discovery];
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
    return `${this.base}request`;
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
    const parameter = PARAMETERS_TABLE[index - FIXED - COMMANDS_TABLE.length];
    return parameter && this.parameter(parameter.name);
  }

  /** Undefined for a topic without a subscription. */
  target(topic: string): Target | undefined {
    if (topic === this.birth) return target("birth");
    if (!topic.startsWith(this.base)) return undefined;
    if (topic === this.request) return target("request");
    if (topic === this.availability) return target("availability");
    if (topic === this.relay) return target("relay");
    if (!topic.endsWith(SET)) return undefined;
    const rest = topic.slice(this.base.length, -SET.length);
    if (rest.startsWith(COMMAND)) return target("command", rest.slice(COMMAND.length));
    return rest.startsWith(PARAMETER) ? target("parameter", rest.slice(PARAMETER.length)) : undefined;
  }
}

import { lowerCase } from "ascii/case";
import { parseMembers } from "json/parse";
import { isUtf8 } from "json/utf8";
import TextDecoder from "text/decoder";
import type { RefusalReason } from "../bms/outcomes";
import type { Monitor, Refusal, WriteEnded } from "../bms/types";
import { parameterRequest, type ParameterRequest } from "../catalogue/requests";
import { isGiven, parseSwitch, type Given } from "../catalogue/validate";
import { inrushOf } from "../packs/inrush";
import type { BusPack } from "../packs/types";
import { MANUAL, MODES } from "../relay/modes";
import { laterOrNow } from "../runtime/timers";
import type { RelayMode } from "../settings/types";
import { MAX_JSON_DEPTH } from "../endpoints/limits";
import { MAX_ECHO, MAX_ID, MAX_MESSAGE, RESTART_DELAY } from "./limits";
import type { Result, ResultStatus } from "./results";
import type { Target } from "./topics";
import type { MqttOptions } from "./types";

/** What a request may be: of the device, from the third on, the member is also the value. */
const KINDS = Object.freeze(["command", "setting", "relay", "relayMode", "restart"] as const, true);
const OF_PACK = 2;
const MEMBERS = Object.freeze([...KINDS, "state", "value", "id", "force"], true);

const RELAY = "relay";
const RESTART = "restart";
const NO_SWITCH = "The payload must be on or off, true or false, 1 or 0.";
const NO_REQUEST =
  'The payload must be JSON: {"command": name, "state": on or off}, {"setting": name, "value": value}, {"relay": on or off}, {"relayMode": mode} or {"restart": true}, and an "id" if you like.';
const NO_ID = `The id must be a text of at most ${MAX_ID} characters, or a number.`;
const NO_PACK = "There is no such pack.";
const NO_TEXT = "The payload must be text in UTF-8.";
const TOO_LONG = `The payload must be 1 to ${MAX_MESSAGE} bytes.`;
const RETAINED = "Not done: it is a retained message, which may be old.";
const NOT_MANUAL = "The relay is not configured in manual mode.";
const QUEUED = "Queued for the BMS.";
const NOT_COMPARED = "Queued for the BMS; its voltage could not be compared with that of the connected packs.";
const NO_MODE = "There is no such mode, or no relay.";
const NO_OUTPUT = "The relay's output is not available, or there is none.";

/** Owner of the requests: supplies their targets and is notified of results. */
export interface RequestsOwner {
  readonly parts: Pick<MqttOptions, "relay" | "restartFor" | "settings"> & { readonly monitor: Monitor };
  /** A result is ready to be sent. */
  resultReady(): void;
}

/** A request in progress. */
interface Asked {
  readonly id: string | undefined;
  readonly name: string;
  readonly pack: BusPack;
  /** The topic names it; otherwise it is the first. */
  readonly isNamed: boolean;
}

/**
 * Validates requests and passes them to the shared write queue, with the names and validators of the REST API. Each request gets one result
 * at once and, if that is "accepted", a second one when the write has ended. At most one of each waits to be sent; until then no further
 * request may be passed in.
 */
export class Requests {
  /** Requests so far, including refused ones. */
  received = 0;
  private readonly owner: RequestsOwner;
  private answer: Result | undefined;
  private outcome: Result | undefined;

  constructor(owner: RequestsOwner) {
    this.owner = owner;
  }

  /** There is room for the results of another request. */
  get ready(): boolean {
    return !this.answer && !this.outcome;
  }

  /** The next result to send. */
  get result(): Result | undefined {
    return this.answer ?? this.outcome;
  }

  /** The result has been sent. */
  sent(): void {
    if (this.answer) this.answer = undefined;
    else this.outcome = undefined;
  }

  /**
   * @param payload undefined if it was too long
   * @param retained stored by the broker: a stale one must not be executed
   */
  receive(target: Target, payload: Uint8Array | undefined, retained: boolean): void {
    this.received++;
    const { packs } = this.owner.parts.monitor;
    const pack = packs[target.pack ?? 0];
    const first = packs[0];
    const whose = { pack: pack ?? first, isNamed: pack !== undefined && target.pack !== undefined };
    const asked = { ...whose, id: undefined, name: target.kind === "relay" ? RELAY : target.name };
    if (!payload?.length) return this.refuse(asked, TOO_LONG);
    // Its settings have just been changed.
    if (!pack) return this.refuse(asked, NO_PACK);
    if (target.kind === "request") return this.request(payload, retained, asked);
    if (!isUtf8(payload)) return this.refuse(asked, NO_TEXT);
    const text = new TextDecoder().decode(payload);
    if (retained) return this.refuse(asked, RETAINED);
    if (target.kind === "parameter") return this.parameter(asked, parameterRequest(target.name, text));
    if (target.kind === "relay") this.switch(asked, text);
    else this.switch(asked, text, target.name);
  }

  private request(payload: Uint8Array, retained: boolean, whose: Asked): void {
    const members = parseMembers(payload, MEMBERS, MAX_JSON_DEPTH);
    const id = members && idOf(members["id"]);
    let kind = 0;
    let kinds = 0;
    for (let index = 0; index < KINDS.length; index++) {
      if (members?.[KINDS[index] as string] === undefined) continue;
      kind = index;
      kinds++;
    }
    const member = members?.[KINDS[kind] as string];
    const isOfPack = kind < OF_PACK;
    const named = isOfPack ? (typeof member === "string" ? member : "") : (KINDS[kind] as string);
    const asked = { ...whose, id: id || undefined, name: isOfPack ? echo(named) : named };
    if (!members) return this.refuse(asked, NO_REQUEST);
    if (id === undefined) return this.refuse(asked, NO_ID);
    const value = isOfPack ? members[kind ? "value" : "state"] : member;
    const force = members["force"] ?? false;
    if (kinds !== 1 || !named || (!isOfPack && whose.isNamed) || !isGiven(value) || typeof force !== "boolean")
      return this.refuse(asked, NO_REQUEST);
    if (retained) return this.refuse(asked, RETAINED);
    if (named === RELAY && !isOfPack) this.switch(asked, value);
    else if (kind === 0) this.switch(asked, value, named, force);
    else if (isOfPack) this.parameter(asked, parameterRequest(named, value));
    else if (named === RESTART) this.restart(asked, value);
    else this.setMode(asked, value);
  }

  private restart(asked: Asked, value: Given): void {
    if (!parseSwitch(value)) return this.refuse(asked, NO_REQUEST);
    this.report(asked, "confirmed", "The device restarts.");
    laterOrNow(() => this.owner.parts.restartFor("ordered"), RESTART_DELAY);
  }

  private setMode(asked: Asked, value: Given): void {
    const { settings } = this.owner.parts;
    const mode = MODES.indexOf(value as "manual");
    if (mode < 0 || !settings.relay.fitted) return this.refuse(asked, NO_MODE);
    const problem = settings.update("relay", { mode: mode as RelayMode });
    if (problem) this.refuse(asked, problem);
    else this.report(asked, "confirmed", `The relay's mode is ${MODES[mode] as string}.`);
  }

  /** Sets a switch of the BMS; without `command` the relay. */
  private switch(asked: Asked, value: Given, command?: string, force?: boolean): void {
    const on = parseSwitch(value);
    if (on === undefined) return this.refuse(asked, NO_SWITCH);
    const { monitor, relay } = this.owner.parts;
    if (command !== undefined)
      return this.offer(
        asked,
        (ended) => monitor.writes.command(asked.pack, command, on, "MQTT", ended, force),
        on && inrushOf(asked.pack, monitor.packs, lowerCase(command.trim())) === undefined ? NOT_COMPARED : QUEUED,
      );
    if (relay.switch(on)) this.report(asked, "confirmed", `The relay is ${on ? "on" : "off"}.`);
    else this.refuse(asked, relay.mode === MANUAL ? NO_OUTPUT : NOT_MANUAL);
  }

  private parameter(asked: Asked, request: ParameterRequest | undefined): void {
    if (!request) return this.refuse(asked, NO_REQUEST);
    const { parameter, value } = request;
    this.offer(typeof parameter === "string" ? asked : { ...asked, name: parameter.name }, (ended) =>
      this.owner.parts.monitor.writes.parameter(asked.pack, parameter, value, "MQTT", ended),
    );
  }

  private offer(asked: Asked, offer: (ended: WriteEnded) => Refusal | undefined, queued = QUEUED) {
    const { id, name } = asked;
    const pack = addressOf(asked);
    const refusal = offer(({ outcome }, message) => {
      this.outcome = { id, name, pack, status: outcome === "confirmed" ? outcome : "failed", code: outcome, message };
      this.owner.resultReady();
    });
    if (refusal) this.refuse(asked, refusal.message, refusal.reason);
    else this.report(asked, "accepted", queued);
  }

  private refuse(asked: Asked, message: string, code?: RefusalReason): void {
    this.report(asked, "refused", message, code);
  }

  private report(asked: Asked, status: ResultStatus, message: string, code?: string): void {
    const { id, name } = asked;
    this.answer = { id, name, pack: addressOf(asked), status, code, message };
    this.owner.resultReady();
  }
}

/** Of a pack that the topic names. */
const addressOf = ({ isNamed, pack }: Asked): number | undefined => (isNamed ? pack.identity.address : undefined);

/** Empty: none given. Undefined: invalid. */
function idOf(id: unknown): string | undefined {
  if (id === undefined) return "";
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id.length <= MAX_ID ? id : undefined;
}

const echo = (name: string): string => lowerCase(name.trim()).slice(0, MAX_ECHO);

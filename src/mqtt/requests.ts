import { lowerCase } from "ascii/case";
import { parseMembers } from "json/parse";
import { isUtf8 } from "json/utf8";
import TextDecoder from "text/decoder";
import type { RefusalReason } from "../bms/outcomes";
import type { Monitor, Refusal, WriteEnded } from "../bms/types";
import { parameterRequest, type ParameterRequest } from "../catalogue/requests";
import { isGiven, parseSwitch, type Given } from "../catalogue/validate";
import type { BusPack } from "../packs/types";
import type { Relay } from "../relay/types";
import { MANUAL } from "../relay/modes";
import { MAX_JSON_DEPTH } from "../endpoints/limits";
import { MAX_ECHO, MAX_ID, MAX_MESSAGE } from "./limits";
import type { Result, ResultStatus } from "./results";
import type { Target } from "./topics";

const MEMBERS = Object.freeze(["command", "setting", "relay", "state", "value", "id"], true);

const RELAY = "relay";
const NO_SWITCH = "The payload must be on or off, true or false, 1 or 0.";
const NO_REQUEST =
  'The payload must be JSON: {"command": name, "state": on or off}, {"setting": name, "value": value} or {"relay": on or off}, and an "id" if you like.';
const NO_ID = `The id must be a text of at most ${MAX_ID} characters, or a number.`;
const NO_PACK = "There is no such pack.";
const NO_TEXT = "The payload must be text in UTF-8.";
const TOO_LONG = `The payload must be 1 to ${MAX_MESSAGE} bytes.`;
const RETAINED = "Not done: it is a retained message, which may be old.";
const NOT_MANUAL = "The relay is not configured in manual mode.";
const NO_OUTPUT = "The relay's output is not available, or there is none.";

/** Owner of the requests: supplies their targets and is notified of results. */
export interface RequestsOwner {
  readonly parts: { readonly monitor: Monitor; readonly relay: Relay };
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
    const first = packs[0] as BusPack;
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
    const command = members?.["command"];
    const parameter = members?.["setting"];
    const relay = members?.["relay"];
    const named = typeof command === "string" ? command : typeof parameter === "string" ? parameter : "";
    const asked = { ...whose, id: id || undefined, name: relay === undefined ? echo(named) : RELAY };
    if (!members) return this.refuse(asked, NO_REQUEST);
    if (id === undefined) return this.refuse(asked, NO_ID);
    const kinds = Number(command !== undefined) + Number(parameter !== undefined) + Number(relay !== undefined);
    const value = relay ?? (parameter === undefined ? members["state"] : members["value"]);
    if (kinds !== 1 || (!named && relay === undefined) || (relay !== undefined && whose.isNamed) || !isGiven(value))
      return this.refuse(asked, NO_REQUEST);
    if (retained) return this.refuse(asked, RETAINED);
    if (relay !== undefined) return this.switch(asked, value);
    if (typeof parameter !== "string") return this.switch(asked, value, named);
    this.parameter(asked, parameterRequest(parameter, value));
  }

  /** Sets a switch of the BMS; without `command` the relay. */
  private switch(asked: Asked, value: Given, command?: string): void {
    const on = parseSwitch(value);
    if (on === undefined) return this.refuse(asked, NO_SWITCH);
    if (command !== undefined)
      return this.offer(asked, (ended) =>
        this.owner.parts.monitor.writes.command(asked.pack, command, on, "MQTT", ended),
      );
    const { relay } = this.owner.parts;
    if (relay.switch(on)) this.tell(asked, "confirmed", `The relay is ${on ? "on" : "off"}.`);
    else this.refuse(asked, relay.mode === MANUAL ? NO_OUTPUT : NOT_MANUAL);
  }

  private parameter(asked: Asked, request: ParameterRequest | undefined): void {
    if (!request) return this.refuse(asked, NO_REQUEST);
    const { parameter, value } = request;
    this.offer(typeof parameter === "string" ? asked : { ...asked, name: parameter.name }, (ended) =>
      this.owner.parts.monitor.writes.parameter(asked.pack, parameter, value, "MQTT", ended),
    );
  }

  private offer(asked: Asked, offer: (ended: WriteEnded) => Refusal | undefined) {
    const { id, name } = asked;
    const pack = addressOf(asked);
    const refusal = offer(({ outcome }, message) => {
      this.outcome = { id, name, pack, status: outcome === "confirmed" ? outcome : "failed", code: outcome, message };
      this.owner.resultReady();
    });
    if (refusal) this.refuse(asked, refusal.message, refusal.reason);
    else this.tell(asked, "accepted", "Queued for the BMS.");
  }

  private refuse(asked: Asked, message: string, code?: RefusalReason): void {
    this.tell(asked, "refused", message, code);
  }

  private tell(asked: Asked, status: ResultStatus, message: string, code?: string): void {
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

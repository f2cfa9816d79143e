import type { JsonWriter } from "json/writer";
import Timer from "timer";
import { once } from "../parts/timers";
import { OFFLINE, ONLINE, type Broker } from "./broker";
import { Discovery, subjectOf } from "./discovery";
import { writeState, type LastTold } from "./documents";
import { hashBytes } from "./hashes";
import { MAX_CELLS } from "jk-bms/cells";
import { TELEMETRY_TABLE } from "../catalogue/telemetry";
import { COMPONENTS_A_TURN, MAX_DOCUMENT, MIN_ROOM } from "./limits";
import type { Requests } from "./requests";
import { writeResult } from "./results";
import type { Group, Topics } from "./topics";
import type { Sources } from "./types";

/** What is published, in the order of urgency. */
const MESSAGES = Object.freeze(
  ["availability", "bms", "result", "relay", "telemetry", "cells", "config", "diagnostics", "discovery"] as const,
  true,
);
type Message = (typeof MESSAGES)[number];

/** A bit for each, in that order. */
export const AVAILABILITY = 1 << 0;
export const BMS = 1 << 1;
export const RESULT = 1 << 2;
export const RELAY = 1 << 3;
export const TELEMETRY = 1 << 4;
export const CELLS = 1 << 5;
export const CONFIG = 1 << 6;
export const DIAGNOSTICS = 1 << 7;
export const DISCOVERY = 1 << 8;

const ALL = (1 << MESSAGES.length) - 1;

/** Where the messages are from. */
export interface OutboxOwner {
  /** `json` is everybody's: it is used from `begin` to `end` without a pause. */
  readonly parts: Sources & { readonly json: JsonWriter };
  readonly topics: Topics;
  readonly requests: Requests;
  /** The broker has been told to delete what `forget` named. */
  forgotten(): void;
  /** It is its turn: to call `turn`, and whatever else waits. */
  turn(): void;
}

/**
 * What is to be published. No message is kept: a bit for each says that it is due, and it is written when the broker can take it, as
 * things are then. So a slow broker gets the newest state, and the memory is that of one document.
 */
export class Outbox {
  /** Messages so far. */
  published = 0;
  private readonly owner: OutboxOwner;
  private readonly buffer = new Uint8Array(MAX_DOCUMENT);
  /** Of what was published last of each message. */
  private readonly hashes: number[] = [];
  private readonly told: LastTold = {
    telemetry: new Float64Array(TELEMETRY_TABLE.length),
    cells: new Float64Array(MAX_CELLS),
  };
  private broker: Broker | undefined;
  /** Topics of other settings, which the broker is to forget. */
  private forgotten: readonly string[] = [];
  /** To be looked at. */
  private due = 0;
  /** To be published even when nothing is new. */
  private forced = 0;
  /** Of the buffer: what is to be sent next, and its end. */
  private from = 0;
  private to = 0;
  /** The discovery document while it is written. */
  private discovery: Discovery | undefined;
  private _turn: Timer | undefined;
  private _paused: boolean;

  constructor(owner: OutboxOwner, paused = false) {
    this.owner = owner;
    this._paused = paused;
  }

  get paused(): boolean {
    return this._paused;
  }

  /** A new connection: everything is published on it. */
  attach(broker: Broker): void {
    this.detach();
    this.broker = broker;
    this.announce();
  }

  /** What was being sent is lost with the connection. */
  detach(): void {
    Timer.clear(this._turn);
    this._turn = this.broker = this.discovery = undefined;
    this.from = this.to = 0;
  }

  /** Everything once more, whether it is new or not. */
  announce(): void {
    this.forced = this.due = ALL;
    this.told.telemetry.fill(NaN);
    this.told.cells.fill(NaN);
    // One that is only being counted begins again, with what is so now.
    if (!this.discovery?.sending) this.discovery = undefined;
    this.pump();
  }

  /** Somebody was told that the device is offline: it is not. */
  insist(): void {
    this.forced |= AVAILABILITY;
    this.look(AVAILABILITY);
  }

  /** What the broker keeps for these topics is deleted, before anything else is published. */
  forget(topics: readonly string[]): void {
    this.forgotten = topics;
    this.pump();
  }

  /** All but the discovery document once more. */
  repeat(): void {
    const states = ALL & ~DISCOVERY;
    this.forced |= states;
    this.due |= states;
    this.pump();
  }

  /** Something may be new in these messages: bits. */
  look(messages: number): void {
    this.due |= messages;
    this.pump();
  }

  pause(): void {
    this._paused = true;
  }

  resume(): void {
    this._paused = false;
    this.pump();
  }

  /**
   * Writes what is due, in a callback of its own: whoever calls this is deep inside the platform's or the BMS's callbacks, and the stack
   * of the device is small.
   */
  pump(): void {
    if (this.broker) this._turn ??= once(this, 0);
  }

  /** For the timer. */
  tick(): void {
    this._turn = undefined;
    this.owner.turn();
  }

  /** Writes one document, or one part of one, and asks for the next turn: in between others have theirs. */
  turn(): void {
    if (!this._paused && this.broker && this.step(this.broker)) this.pump();
  }

  /** False: there is nothing to be done now. */
  private step(broker: Broker): boolean {
    if (this.from < this.to) return this.send(broker);
    if (this.discovery?.sending) return this.nextPiece(this.discovery);
    const [leftover] = this.forgotten;
    if (leftover !== undefined) return this.delete(broker, leftover);
    for (let index = 0; index < MESSAGES.length; index++) {
      const bit = 1 << index;
      if (!(this.due & bit)) continue;
      const message = MESSAGES[index] as Message;
      if (message === "discovery") return this.discover(broker);
      const topic = this.topicOf(message);
      if (broker.roomFor(topic) < MIN_ROOM) return false;
      this.due &= ~bit;
      if (this.publish(broker, index, message, topic)) return true;
    }
    return false;
  }

  private topicOf(message: Exclude<Message, "discovery">): string {
    return message === "availability" || message === "bms" || message === "result"
      ? this.owner.topics[message]
      : this.owner.topics.state(message satisfies Group);
  }

  /** False: there is nothing new to be said. */
  private publish(broker: Broker, index: number, message: Exclude<Message, "discovery">, topic: string): boolean {
    const bit = 1 << index;
    const length = this.write(message);
    if (!length) return false;
    const retain = message !== "result";
    if (retain) {
      const hash = hashBytes(this.buffer, length);
      if (hash === this.hashes[index] && !(this.forced & bit)) return false;
      this.hashes[index] = hash;
    }
    this.forced &= ~bit;
    this.begin(broker, topic, retain, length, length);
    if (message === "result") {
      const { requests } = this.owner;
      requests.sent();
      if (requests.result) this.due |= bit;
    }
    return true;
  }

  /** The message's length in the buffer; 0: there is nothing to say. */
  private write(message: Exclude<Message, "discovery">): number {
    if (message === "availability") return this.text(ONLINE);
    if (message === "bms") return this.text(this.owner.parts.monitor.online ? ONLINE : OFFLINE);
    const json = this.owner.parts.json.begin(this.buffer);
    if (message !== "result") writeState(json, message, this.owner.parts, this.told);
    else {
      const { result } = this.owner.requests;
      if (!result) return 0;
      writeResult(json, result);
    }
    return json.end();
  }

  private text(text: string): number {
    for (let at = 0; at < text.length; at++) this.buffer[at] = text.charCodeAt(at);
    return text.length;
  }

  /** Begins a message of `total` bytes, the first `length` of which are in the buffer. */
  private begin(broker: Broker, topic: string, retain: boolean, total: number, length: number): void {
    this.published++;
    const first = Math.min(length, broker.roomFor(topic));
    this.from = first;
    this.to = length;
    broker.publish(topic, retain, total, this.buffer.subarray(0, first));
  }

  private send(broker: Broker): boolean {
    const part = Math.min(this.to - this.from, broker.room);
    if (!part) return false;
    const from = this.from;
    this.from += part;
    broker.more(this.buffer.subarray(from, this.from));
    return true;
  }

  private discover(broker: Broker): boolean {
    if (this.owner.parts.settings.mqtt.discovery) return this.count(broker);
    // Takes back what may have been told before.
    const { discovery } = this.owner.topics;
    if (broker.roomFor(discovery) < MIN_ROOM) return false;
    this.due &= ~DISCOVERY;
    this.begin(broker, discovery, true, 0, 0);
    return true;
  }

  /** An empty message that is retained: the broker keeps none any more. */
  private delete(broker: Broker, topic: string): boolean {
    if (broker.roomFor(topic) < MIN_ROOM) return false;
    this.forgotten = this.forgotten.slice(1);
    this.begin(broker, topic, true, 0, 0);
    if (!this.forgotten.length) this.owner.forgotten();
    return true;
  }

  /** The discovery document, a few pieces at a time: first their lengths, then the first of them. */
  private count(broker: Broker): boolean {
    const { parts, topics } = this.owner;
    this.discovery ??= new Discovery(subjectOf(parts, topics), parts.json, this.buffer);
    const discovery = this.discovery;
    if (!discovery.count(COMPONENTS_A_TURN)) return true;
    // Counted; now it only needs room.
    if (broker.roomFor(discovery.topic) < MIN_ROOM) return false;
    this.due &= ~DISCOVERY;
    this.forced &= ~DISCOVERY;
    const { bytes } = discovery;
    this.begin(broker, discovery.topic, true, bytes, discovery.send());
    return true;
  }

  private nextPiece(discovery: Discovery): boolean {
    this.from = 0;
    this.to = discovery.send();
    if (!this.to) this.discovery = undefined;
    return true;
  }
}

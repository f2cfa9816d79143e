import type { JsonWriter } from "json/writer";
import Timer from "timer";
import { once } from "../runtime/timers";
import { OFFLINE, ONLINE, type Broker } from "./broker";
import { isRaised } from "../catalogue/alarms";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { DEVICE, DEVICE_EVENTS, DEVICE_ROW, EVENTS } from "../conditions/table";
import { writeBank } from "../endpoints/packs";
import { changeAt, following } from "../events/changes";
import { packOf } from "../events/words";
import type { BusPack } from "../packs/types";
import { Discovery, subjectOf } from "./discovery";
import { PUBLISHED_VALUES, writeAlarmEvent, writeChange, writeState } from "./documents";
import { hashBytes } from "./hashes";
import { COMPONENTS_A_TURN, MAX_DOCUMENT, MIN_ROOM } from "./limits";
import type { Requests } from "./requests";
import { writeResult } from "./results";
import { Topics, type Group } from "./topics";
import type { Sources } from "./types";

/** The messages, most urgent first: what a parameter may hold is published before what it holds. */
const MESSAGES = Object.freeze(
  [
    "availability",
    "bms",
    "result",
    "relay",
    "alarm",
    "telemetry",
    "cells",
    "discovery",
    "config",
    "diagnostics",
  ] as const,
  true,
);
type Message = (typeof MESSAGES)[number];

/** One bit per message, in that order. */
const AVAILABILITY = 1 << 0;
export const BMS = 1 << 1;
export const RESULT = 1 << 2;
export const RELAY = 1 << 3;
export const ALARM = 1 << 4;
export const TELEMETRY = 1 << 5;
export const CELLS = 1 << 6;
export const DISCOVERY = 1 << 7;
export const CONFIG = 1 << 8;
export const DIAGNOSTICS = 1 << 9;

const ALARM_INDEX = MESSAGES.indexOf("alarm");

const ALL = (1 << MESSAGES.length) - 1;
/** Of a further pack, and of the bank. */
const OF_PACK = BMS | ALARM | TELEMETRY | CELLS | CONFIG | DISCOVERY;
const OF_BANK = TELEMETRY | DISCOVERY;

/** What is kept of each subject, 32 bits each: bits of messages to check, those to publish even if unchanged, the conditions of which events were published (two words), the number of the last event of the log that was looked at, the hash of each message as last published, and of the alarm the word of which events were published. */
const DUE = 0;
const FORCED = 1;
const CONDITIONS = 2;
const LOGGED = 4;
const HASHES = 5;
const EACH = HASHES + MESSAGES.length;

/** Name of the bank, behind that of the device. */
const BANK_NAME = "bank";

/** Supplies the messages' contents. */
export interface OutboxOwner {
  /** `json` is shared: a document is written from `begin` to `end` without yielding. */
  readonly parts: Sources & { readonly json: JsonWriter };
  readonly topics: Topics;
  readonly requests: Requests;
  /** The retained messages named by `forget` have been deleted. */
  forgotten(): void;
  /** Its turn has come: must call `turn`, and may do other pending work. */
  turn(): void;
}

/**
 * Publishes messages without queueing them: a bit per message marks it as due, and it is written from the current state when the broker can
 * take it. A slow broker thus gets the newest state, and memory is bounded by one document. Whose a message is, its subject, is the number of a pack, 0 the first; behind
 * the last pack comes the bank.
 */
export class Outbox {
  /** Messages published so far. */
  published = 0;
  private readonly owner: OutboxOwner;
  private readonly buffer = new Uint8Array(MAX_DOCUMENT);
  /** Of each pack. As read, whole numbers: those of a dead band are far below 2^24, up to which 32 bits hold each. */
  private readonly lastPublished: Float32Array;
  private broker: Broker | undefined;
  /** Topics of earlier settings whose retained messages are to be deleted. */
  private forgotten: readonly string[] = [];
  /** Of all subjects: EACH; then the device's conditions of which events were published. One object, since a list would take four times the memory. */
  private readonly kept: Int32Array;
  private readonly subjects: number;
  /** Range of the buffer still to be sent. */
  private from = 0;
  private to = 0;
  /** The discovery document while it is written. */
  private discovery: Discovery | undefined;
  private _turn: Timer | undefined;

  constructor(owner: OutboxOwner) {
    this.owner = owner;
    const { length } = owner.parts.settings.packs.further;
    this.subjects = 1 + owner.topics.branches;
    this.kept = new Int32Array(EACH * this.subjects + 2);
    this.knowConditions(owner.parts);
    this.lastPublished = new Float32Array(PUBLISHED_VALUES * (length + 1));
  }

  /** Starts a new connection: everything is published on it. */
  attach(broker: Broker): void {
    this.detach();
    this.broker = broker;
    this.announce();
  }

  /** Drops the message in progress along with the connection. */
  detach(): void {
    Timer.clear(this._turn);
    this._turn = this.broker = this.discovery = undefined;
    this.from = this.to = 0;
  }

  /** Publishes everything again, changed or not. */
  announce(): void {
    this.force(ALL);
    this.lastPublished.fill(NaN);
    // A document that is only being counted restarts from the current state.
    if (!this.discovery?.sending) this.discovery = undefined;
    this.pump();
  }

  /** Publishes "online" again after a stale "offline". */
  republishAvailability(): void {
    this.force(AVAILABILITY);
    this.pump();
  }

  /** Publishes these messages of all subjects that have them again, changed or not. */
  private force(messages: number): void {
    const { kept, subjects } = this;
    for (let subject = 0; subject < subjects; subject++) {
      const own = messages & this.messagesOf(subject);
      const at = EACH * subject;
      kept[at + DUE] = (kept[at + DUE] as number) | own;
      kept[at + FORCED] = (kept[at + FORCED] as number) | own;
    }
  }

  /** Deletes the retained messages of these topics before publishing anything else. */
  forget(topics: readonly string[]): void {
    this.forgotten = topics;
    this.pump();
  }

  /** Publishes everything again except the discovery document. */
  repeat(): void {
    this.force(ALL & ~DISCOVERY);
    this.pump();
  }

  /** Checks these messages (bits) for changes, as far as the subject has them. */
  check(messages: number, subject = 0): void {
    // The packs of the monitor may have changed before the settings' observers know.
    const at = EACH * subject + DUE;
    if (subject < this.subjects) this.kept[at] = (this.kept[at] as number) | (messages & this.messagesOf(subject));
    this.pump();
  }

  checkBank(): void {
    const bank = this.subjects - 1;
    if (this.isBank(bank)) this.check(TELEMETRY, bank);
  }

  /** The device's messages are among those of the first pack. */
  private messagesOf(subject: number): number {
    return subject === 0 ? ALL : this.isBank(subject) ? OF_BANK : OF_PACK;
  }

  private isBank(subject: number): boolean {
    return subject > 0 && subject === this.subjects - 1;
  }

  /**
   * Writes what is due from a separate callback: callers are deep in callbacks of the platform or the BMS, and the device's stack is small.
   */
  pump(): void {
    if (!this.broker || this._turn) return;
    try {
      this._turn = once(this, 0);
    } catch {
      // No memory for the timer: the next heartbeat tries again.
    }
  }

  /** Timer callback. */
  tick(): void {
    this._turn = undefined;
    this.owner.turn();
  }

  /** Writes one document or one part of one and schedules the next turn, so that other work runs in between. */
  turn(): void {
    if (this.broker && this.step(this.broker)) this.pump();
  }

  /** False: nothing to do now. */
  private step(broker: Broker): boolean {
    if (this.from < this.to) return this.send(broker);
    if (this.discovery?.sending) return this.nextPieces(broker, this.discovery);
    const [leftover] = this.forgotten;
    if (leftover !== undefined) return this.delete(broker, leftover);
    const { kept, subjects } = this;
    for (let subject = 0; subject < subjects; subject++) {
      // Few are due.
      if (!kept[EACH * subject + DUE]) continue;
      const topics = this.topicsOf(subject);
      for (let index = 0; index < MESSAGES.length; index++) {
        const bit = 1 << index;
        if (!((kept[EACH * subject + DUE] as number) & bit)) continue;
        const message = MESSAGES[index] as Message;
        if (message === "discovery") return this.discover(broker, subject, topics);
        const topic =
          message === "availability" || message === "bms" || message === "result" || message === "alarm"
            ? topics[message]
            : topics.state(message satisfies Group);
        if (broker.roomFor(topic) < MIN_ROOM) return false;
        this.clear(DUE, subject, bit);
        if (this.publish(broker, subject, index, topic)) return true;
      }
    }
    return false;
  }

  /** @param bits DUE or FORCED */
  private clear(bits: number, subject: number, message: number): void {
    const at = EACH * subject + bits;
    this.kept[at] = (this.kept[at] as number) & ~message;
  }

  private topicsOf(subject: number): Topics {
    const { parts, topics } = this.owner;
    return subject ? new Topics(parts.network, parts.settings, topics.branchAt(subject - 1)) : topics;
  }

  /** Undefined: the bank, or a pack that has just been taken out of the settings. */
  private packOf(subject: number): BusPack | undefined {
    return this.isBank(subject) ? undefined : this.owner.parts.monitor.packs[subject];
  }

  /** False: nothing has changed. */
  private publish(broker: Broker, subject: number, index: number, topic: string): boolean {
    const message = MESSAGES[index] as Exclude<Message, "discovery">;
    const bit = 1 << index;
    const length = this.write(message, subject);
    if (!length) return false;
    const retain = message !== "result" && message !== "alarm";
    if (retain) {
      const hash = hashBytes(this.buffer, length);
      const at = EACH * subject + HASHES + index;
      if (hash === this.kept[at] && !((this.kept[EACH * subject + FORCED] as number) & bit)) return false;
      this.kept[at] = hash;
    }
    this.clear(FORCED, subject, bit);
    this.begin(broker, topic, retain, length, length);
    if (message === "result") {
      const { requests } = this.owner;
      requests.sent();
      if (requests.result) this.check(bit);
    } else if (message === "alarm") this.check(bit, subject);
    return true;
  }

  /** Writes the message into the buffer and returns its length; 0: nothing to publish. */
  private write(message: Exclude<Message, "discovery">, subject: number): number {
    if (message === "availability") return this.text(ONLINE);
    const { parts } = this.owner;
    const json = parts.json.begin(this.buffer);
    if (message === "result") {
      const { result } = this.owner.requests;
      if (!result) return 0;
      writeResult(json, result);
    } else if (this.isBank(subject)) {
      writeBank(json.open(), parts.monitor.packs);
      json.close();
    } else {
      const pack = this.packOf(subject);
      if (!pack) return 0;
      if (message === "bms") return this.text(pack.online ? ONLINE : OFFLINE);
      if (message === "alarm") return this.alarm(json, subject, pack);
      const from = PUBLISHED_VALUES * subject;
      const last = this.lastPublished.subarray(from, from + PUBLISHED_VALUES);
      writeState(json, message, pack, subject ? undefined : parts, last);
    }
    return json.end();
  }

  /** What is there already is no event. */
  private knowConditions({ conditions, events, monitor }: OutboxOwner["parts"]): void {
    const { kept } = this;
    for (const { index } of monitor.packs) {
      this.know(EACH * index + CONDITIONS, sets.common(conditions.presentOf(index), EVENTS));
      kept[EACH * index + LOGGED] = events?.newest ?? 0;
      kept[EACH * index + HASHES + ALARM_INDEX] = conditions.alarmsOf(index);
    }
    this.know(EACH * this.subjects, sets.common(conditions.presentOf(DEVICE), DEVICE_EVENTS));
  }

  /** The next alarm, or else condition, that was raised or has ended since the last event, or setting that has changed; each takes a message. */
  private alarm(json: JsonWriter, subject: number, pack: BusPack): number {
    const { conditions } = this.owner.parts;
    const at = EACH * subject;
    return (
      this.event(json, at + HASHES + ALARM_INDEX, conditions.alarmsOf(pack.index)) ||
      this.condition(json, at + CONDITIONS, sets.common(conditions.presentOf(pack.index), EVENTS), 0) ||
      (subject
        ? 0
        : this.condition(
            json,
            EACH * this.subjects,
            sets.common(conditions.presentOf(DEVICE), DEVICE_EVENTS),
            DEVICE_ROW,
          )) ||
      this.change(json, at + LOGGED, pack)
    );
  }

  /** @param at where the number is kept of the last event that was looked at */
  private change(json: JsonWriter, at: number, { label = 0 }: BusPack): number {
    const { kept } = this;
    const { events } = this.owner.parts;
    while (events && (kept[at] as number) < events.newest) {
      const next = (kept[at] = following(events, kept[at] as number));
      const change = changeAt(events, next);
      if (!change || Number(packOf(change) ?? 0) !== label) continue;
      writeChange(json, change);
      return json.end();
    }
    return 0;
  }

  /** @param at where the word is kept of which events were published */
  private event(json: JsonWriter, at: number, word: number): number {
    const known = this.kept[at] as number;
    const changed = word ^ known;
    if (!changed) return 0;
    const row = 31 - Math.clz32(changed);
    this.kept[at] = known ^ (1 << row);
    writeAlarmEvent(json, row, isRaised(word, row), undefined);
    return json.end();
  }

  private know(at: number, conditions: Conditions): void {
    const set = conditions as unknown as number;
    this.kept[at] = set;
    this.kept[at + 1] = set / 2 ** 32;
  }

  /** The same of conditions. `first`: see writeAlarmEvent. */
  private condition(json: JsonWriter, at: number, present: Conditions, first: number): number {
    const { kept } = this;
    const low = (kept[at] as number) >>> 0;
    const known = (low + (kept[at + 1] as number) * 2 ** 32) as unknown as Conditions;
    const row = sets.nextRow(sets.changed(present, known), 0);
    if (row === sets.MOST_ROWS) return 0;
    this.know(at, sets.changed(known, sets.ofRow(row)));
    writeAlarmEvent(json, row, sets.has(present, row), first);
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

  private discover(broker: Broker, subject: number, topics: Topics): boolean {
    if (this.owner.parts.settings.mqtt.discovery) return this.count(broker, subject, topics);
    // Deletes an earlier announcement.
    const { discovery } = topics;
    if (broker.roomFor(discovery) < MIN_ROOM) return false;
    this.clear(DUE, subject, DISCOVERY);
    this.begin(broker, discovery, true, 0, 0);
    return true;
  }

  /** Publishes an empty retained message, which deletes the one the broker keeps. */
  private delete(broker: Broker, topic: string): boolean {
    if (broker.roomFor(topic) < MIN_ROOM) return false;
    this.forgotten = this.forgotten.slice(1);
    this.begin(broker, topic, true, 0, 0);
    if (!this.forgotten.length) this.owner.forgotten();
    return true;
  }

  /** Counts the discovery document a few pieces at a time, then begins to send it. */
  private count(broker: Broker, subject: number, topics: Topics): boolean {
    const { parts } = this.owner;
    let { discovery } = this;
    if (discovery?.topic !== topics.discovery) {
      const pack = this.packOf(subject);
      const name = topics.isBank ? BANK_NAME : subject ? (pack?.identity.name ?? "") : "";
      discovery = new Discovery(subjectOf(parts, topics, pack, name), parts.json, this.buffer);
      this.discovery = discovery;
    }
    if (!discovery.count(COMPONENTS_A_TURN)) return true;
    // Counted; only room is needed now.
    if (broker.roomFor(discovery.topic) < MIN_ROOM) return false;
    broker.ping();
    // No room is left if the connection proves to be lost.
    if (broker.roomFor(discovery.topic) < MIN_ROOM) return false;
    this.clear(DUE, subject, DISCOVERY);
    const { bytes } = discovery;
    this.begin(broker, discovery.topic, true, bytes, discovery.send());
    return true;
  }

  /** While the script is busy each turn comes late, and the broker waits for no message for longer than 1.5 times KEEP_ALIVE. */
  private nextPieces(broker: Broker, discovery: Discovery): boolean {
    for (let pieces = COMPONENTS_A_TURN; pieces && this.from === this.to; pieces--) {
      this.from = 0;
      this.to = discovery.send();
      if (!this.to) {
        this.discovery = undefined;
        return true;
      }
      if (!this.send(broker)) return false;
    }
    return true;
  }
}

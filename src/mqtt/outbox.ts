import { JsonWriter } from "json/writer";
import Timer from "timer";
import { OFFLINE, ONLINE, type Broker } from "./broker";
import { Discovery, subjectOf } from "./discovery";
import { writeState } from "./documents";
import { COMPONENTS_A_TURN, MAX_DOCUMENT, MIN_ROOM } from "./limits";
import type { Requests } from "./requests";
import { writeResult } from "./results";
import type { Group, Topics } from "./topics";
import type { Sources } from "./types";

/** What is published, in the order of urgency; a place of `#due` each. */
const MESSAGES = Object.freeze(
  ["availability", "bms", "result", "relay", "telemetry", "cells", "config", "diagnostics", "discovery"] as const,
  true,
);
export type Message = (typeof MESSAGES)[number];

const ALL = (1 << MESSAGES.length) - 1;
const bitOf = (message: Message): number => 1 << MESSAGES.indexOf(message);

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const BYTES_A_WORD = 4;

export interface OutboxOptions {
  readonly sources: Sources;
  readonly topics: Topics;
  readonly requests: Requests;
  /** It is its turn: to call `turn`, and whatever else waits. */
  readonly onTurn: () => void;
}

/**
 * What is to be published. No message is kept: a bit for each says that it is due, and it is written when the broker can take it, as
 * things are then. So a slow broker gets the newest state, and the memory is that of one document.
 */
export class Outbox {
  readonly #sources: Sources;
  readonly #topics: Topics;
  readonly #requests: Requests;
  readonly #onTurn: () => void;
  readonly #json = new JsonWriter();
  readonly #buffer = new Uint8Array(MAX_DOCUMENT);
  readonly #words = new Int32Array(this.#buffer.buffer);
  /** Of what was published last of each message. */
  readonly #hashes = new Int32Array(MESSAGES.length);
  #broker: Broker | undefined;
  /** To be looked at. */
  #due = 0;
  /** To be published even when nothing is new. */
  #forced = 0;
  /** Of the buffer: what is to be sent next, and its end. */
  #from = 0;
  #to = 0;
  /** The discovery document while it is written, and its bytes: counted so far, or still to be sent. */
  #discovery: Discovery | undefined;
  #bytes = 0;
  #sending = false;
  #turn: Timer | undefined;
  #paused = false;

  constructor({ sources, topics, requests, onTurn }: OutboxOptions) {
    this.#sources = sources;
    this.#topics = topics;
    this.#requests = requests;
    this.#onTurn = onTurn;
  }

  /** A new connection: everything is published on it. */
  attach(broker: Broker): void {
    this.detach();
    this.#broker = broker;
    this.announce();
  }

  /** What was being sent is lost with the connection. */
  detach(): void {
    Timer.clear(this.#turn);
    this.#turn = this.#broker = this.#discovery = undefined;
    this.#from = this.#to = 0;
    this.#sending = false;
  }

  /** Everything once more, whether it is new or not. */
  announce(): void {
    this.#forced = this.#due = ALL;
    // One that is only being counted begins again, with what is so now.
    if (!this.#sending) this.#discovery = undefined;
    this.pump();
  }

  /** Somebody was told that the device is offline: it is not. */
  insist(): void {
    this.#forced |= bitOf("availability");
    this.look("availability");
  }

  /** All but the discovery document once more. */
  repeat(): void {
    const states = ALL & ~bitOf("discovery");
    this.#forced |= states;
    this.#due |= states;
    this.pump();
  }

  /** Something may be new in these messages. */
  look(...messages: readonly Message[]): void {
    for (const message of messages) this.#due |= bitOf(message);
    this.pump();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.pump();
  }

  /**
   * Writes what is due, in a callback of its own: whoever calls this is deep inside the platform's or the BMS's callbacks, and the stack
   * of the device is small.
   */
  pump(): void {
    if (!this.#broker) return;
    this.#turn ??= Timer.set(() => {
      this.#turn = undefined;
      this.#onTurn();
    });
  }

  /** Writes one document, or one part of one, and asks for the next turn: in between others have theirs. */
  turn(): void {
    if (!this.#paused && this.#broker && this.step(this.#broker)) this.pump();
  }

  /** False: there is nothing to be done now. */
  private step(broker: Broker): boolean {
    if (this.#from < this.#to) return this.send(broker);
    if (this.#sending) return this.nextPiece();
    for (let index = 0; index < MESSAGES.length; index++) {
      const bit = 1 << index;
      if (!(this.#due & bit)) continue;
      const message = MESSAGES[index] as Message;
      if (message === "discovery") return this.discover(broker, bit);
      const topic = this.topicOf(message);
      if (broker.roomFor(topic) < MIN_ROOM) return false;
      this.#due &= ~bit;
      if (this.publish(broker, index, message, topic)) return true;
    }
    return false;
  }

  private topicOf(message: Exclude<Message, "discovery">): string {
    return message === "availability" || message === "bms" || message === "result"
      ? this.#topics[message]
      : this.#topics.state(message satisfies Group);
  }

  /** False: there is nothing new to be said. */
  private publish(broker: Broker, index: number, message: Exclude<Message, "discovery">, topic: string): boolean {
    const length = this.write(message);
    if (!length) return false;
    const bit = 1 << index;
    const retain = message !== "result";
    if (retain) {
      const hash = this.hash(length);
      if (hash === this.#hashes[index] && !(this.#forced & bit)) return false;
      this.#hashes[index] = hash;
    }
    this.#forced &= ~bit;
    this.begin(broker, topic, retain, length, length);
    if (message === "result") {
      this.#requests.sent();
      if (this.#requests.result) this.#due |= bit;
    }
    return true;
  }

  /** The message's length in the buffer; 0: there is nothing to say. */
  private write(message: Exclude<Message, "discovery">): number {
    if (message === "availability") return this.text(ONLINE);
    if (message === "bms") return this.text(this.#sources.monitor.online ? ONLINE : OFFLINE);
    const json = this.#json.begin(this.#buffer);
    if (message !== "result") return writeState(json, message, this.#sources) ? json.end() : 0;
    const { result } = this.#requests;
    if (!result) return 0;
    writeResult(json, result);
    return json.end();
  }

  private text(text: string): number {
    for (let at = 0; at < text.length; at++) this.#buffer[at] = text.charCodeAt(at);
    return text.length;
  }

  /** FNV-1a over words. */
  private hash(length: number): number {
    const words = this.#words;
    const count = Math.ceil(length / BYTES_A_WORD);
    this.#buffer.fill(0, length, count * BYTES_A_WORD);
    let hash = FNV_OFFSET ^ length;
    for (let at = 0; at < count; at++) hash = Math.imul(hash ^ (words[at] as number), FNV_PRIME);
    return hash;
  }

  /** Begins a message of `total` bytes, the first `length` of which are in the buffer. */
  private begin(broker: Broker, topic: string, retain: boolean, total: number, length: number): void {
    const first = Math.min(length, broker.roomFor(topic));
    this.#from = first;
    this.#to = length;
    broker.publish(topic, retain, total, this.#buffer.subarray(0, first));
  }

  private send(broker: Broker): boolean {
    const part = Math.min(this.#to - this.#from, broker.room);
    if (!part) return false;
    const from = this.#from;
    this.#from += part;
    broker.more(this.#buffer.subarray(from, this.#from));
    return true;
  }

  private discover(broker: Broker, bit: number): boolean {
    if (this.#sources.settings.mqtt.discovery) return this.count(broker, bit);
    // An empty message takes back what may have been told before.
    const topic = this.#topics.discovery;
    if (broker.roomFor(topic) < MIN_ROOM) return false;
    this.#due &= ~bit;
    this.begin(broker, topic, true, 0, 0);
    return true;
  }

  /** The discovery document, a few pieces at a time: first their lengths, then the first of them. */
  private count(broker: Broker, bit: number): boolean {
    if (!this.#discovery) {
      this.#discovery = new Discovery(subjectOf(this.#sources, this.#topics), this.#json, this.#buffer);
      this.#bytes = 0;
    }
    const discovery = this.#discovery;
    for (let pieces = 0; pieces < COMPONENTS_A_TURN; pieces++) {
      const length = discovery.piece();
      this.#bytes += length;
      if (length) continue;
      // Counted; now it only needs room.
      if (broker.roomFor(discovery.topic) < MIN_ROOM) return false;
      discovery.rewind();
      this.#due &= ~bit;
      this.#forced &= ~bit;
      this.#sending = true;
      const first = discovery.piece();
      this.begin(broker, discovery.topic, true, this.#bytes, first);
      this.#bytes -= first;
      return true;
    }
    return true;
  }

  private nextPiece(): boolean {
    const length = this.#discovery?.piece() ?? 0;
    this.#from = 0;
    this.#to = length;
    this.#bytes -= length;
    if (!length) {
      this.#sending = false;
      this.#discovery = undefined;
      if (this.#bytes) throw new RangeError("the discovery document changed while it was written");
    }
    return true;
  }
}

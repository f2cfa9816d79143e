import Time from "time";
import Timer from "timer";
import { repeat } from "../parts/timers";
import { Broker, OFFLINE, type BrokerOwner } from "./broker";
import { Incoming } from "./incoming";
import { Changes } from "./changes";
import { HEARTBEAT, REPEAT } from "./limits";
import { readRecord, writeRecord } from "./record";
import { CONFIG, Outbox, RELAY, RESULT, type OutboxOwner } from "./outbox";
import { Requests, type RequestsOwner } from "./requests";
import { Topics, type Target } from "./topics";
import type { MqttOptions } from "./types";

const SECOND = 1_000;
const BIRTH = "online";

export interface SessionOptions {
  readonly parts: MqttOptions;
  /** Nothing is written until `resume`. */
  readonly paused: boolean;
}

/** A part of a message that is not read yet, since the message before it is not done with. */
interface Held {
  readonly count: number;
  readonly topic: string | undefined;
  readonly more: boolean;
}

/** What there is while the interface is switched on, until the settings change: it connects the broker with what goes out and what comes in. */
export class Session implements BrokerOwner, OutboxOwner, RequestsOwner {
  readonly parts: MqttOptions;
  readonly topics: Topics;
  readonly requests: Requests;
  readonly outbox: Outbox;
  readonly broker: Broker;
  private readonly heartbeat: Timer;
  private changes: Changes;
  /** When everything was published last, ticks. */
  private published = 0;
  private connectedAt = 0;
  /** Why there is no connection (MqttProblem). */
  problem = "";
  /** The message that is coming in, or is to be looked at in the next turn. */
  private incoming: Incoming | undefined;
  private held: Held | undefined;

  constructor({ parts, paused }: SessionOptions) {
    this.parts = parts;
    this.topics = new Topics(parts.network, parts.settings);
    this.requests = new Requests(this);
    this.outbox = new Outbox(this, paused);
    this.changes = new Changes(parts);
    this.broker = new Broker(this);
    this.heartbeat = repeat(this, HEARTBEAT);
  }

  get paused(): boolean {
    return this.outbox.paused;
  }

  /** The broker is told that the device goes. */
  close(): void {
    Timer.clear(this.heartbeat);
    this.outbox.detach();
    this.broker.close(true);
  }

  /** Seconds since the connection was made last. */
  get connectedFor(): number {
    return this.parts.uptime() - this.connectedAt;
  }

  brokerConnected(): void {
    this.published = Time.ticks;
    this.connectedAt = this.parts.uptime();
    this.report("");
    this.changes = new Changes(this.parts);
    this.outbox.attach(this.broker);
    const record = readRecord(this.parts);
    const leftovers = this.topics.leftovers(record);
    if (leftovers.length) this.outbox.forget(leftovers);
    else if (record !== this.topics.record) this.forgotten();
  }

  /** Only now: what could not be deleted is tried again on the next connection. */
  forgotten(): void {
    writeRecord(this.parts, this.topics.record);
  }

  /** Everything once more, and the discovery again as soon as more is known of the BMS. */
  announce(): void {
    this.changes = new Changes(this.parts);
    this.outbox.announce();
  }

  /** The BMS has been polled. */
  polled(): void {
    if (this.broker.connected) this.outbox.look(this.changes.polled());
  }

  brokerDisconnected(problem: string): void {
    this.outbox.detach();
    this.incoming = this.held = undefined;
    this.report(problem);
  }

  brokerWritable(): void {
    this.outbox.pump();
  }

  brokerMessage(count: number, topic: string | undefined, more: boolean): void {
    try {
      // What is not read stays in the socket, and what follows it with the broker.
      if (this.isFree()) this.receive(count, topic, more);
      else this.held = { count, topic, more };
    } catch (error) {
      this.failed(error);
    }
  }

  resultReady(): void {
    this.outbox.look(RESULT | RELAY | CONFIG);
  }

  /** For the timer. */
  tick(): void {
    try {
      this.broker.watch();
      if (!this.broker.connected) return;
      const interval = Math.max(REPEAT, this.parts.settings.mqtt.interval);
      if (((Time.ticks - this.published) | 0) >= interval * SECOND) {
        this.published = Time.ticks;
        this.outbox.repeat();
      } else this.outbox.look(this.changes.relay());
    } catch (error) {
      this.failed(error);
    }
  }

  /** For the outbox: writes one thing, looks at what has come in, and takes what came after it. */
  turn(): void {
    try {
      this.outbox.turn();
      if (this.incoming?.complete) this.received(this.incoming);
      const held = this.held;
      if (!held || !this.isFree()) return;
      this.held = undefined;
      this.receive(held.count, held.topic, held.more);
    } catch (error) {
      this.failed(error);
    }
  }

  /** The next message may be read: the last one is done with, and its result sent. */
  private isFree(): boolean {
    return !this.incoming?.complete && this.requests.ready;
  }

  private receive(count: number, topic: string | undefined, more: boolean): void {
    if (topic !== undefined) this.incoming = new Incoming(this.topics.target(topic));
    this.incoming?.take(this.broker, count, more);
    if (!more) this.outbox.pump();
  }

  private received({ payload, target }: Incoming): void {
    this.incoming = undefined;
    if (isRequest(target)) this.requests.receive(target, payload, this.broker.settled);
    else if (target?.kind === "availability") {
      // The will of a connection that the broker found dead only now.
      if (is(payload, OFFLINE)) this.outbox.insist();
      // One that the broker had kept is answered by the announcement of the connection itself.
    } else if (target && this.broker.settled && is(payload, BIRTH)) this.announce();
  }

  /** Told once, however often it is tried. */
  private report(problem: string): void {
    if (problem === this.problem && problem) return;
    this.problem = problem;
    tell(problem || "connected", this.parts);
  }

  /** Whatever went wrong, the connection is made anew, and nobody else notices; not from inside the client's own callbacks. */
  private failed(error: unknown): void {
    trace(`mqtt: ${String(error)}\n`);
    Timer.set(() => this.broker.fail("failed"));
  }
}

/** Tells people what has become of the connection. */
export function tell(what: string, { events }: Pick<MqttOptions, "events">): void {
  const text = `MQTT: ${what}`;
  trace(`${text}\n`);
  events?.add(text);
}

function isRequest(
  target: Target | undefined,
): target is Target & { kind: Exclude<Target["kind"], "birth" | "availability"> } {
  return target !== undefined && target.kind !== "birth" && target.kind !== "availability";
}

function is(payload: Uint8Array | undefined, text: string): boolean {
  if (payload?.length !== text.length) return false;
  for (let at = 0; at < text.length; at++) if (payload[at] !== text.charCodeAt(at)) return false;
  return true;
}

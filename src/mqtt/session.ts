import Time from "time";
import Timer from "timer";
import { later, repeat } from "../runtime/timers";
import { Broker, OFFLINE, type BrokerOwner } from "./broker";
import { Incoming } from "./incoming";
import { Changes } from "./changes";
import { HEARTBEAT, MAX_SHORT, REPEAT, STABLE } from "./limits";
import { readRecord, writeRecord } from "./record";
import { CONFIG, Outbox, RELAY, RESULT, type OutboxOwner } from "./outbox";
import type { BusPack } from "../packs/types";
import { Requests, type RequestsOwner } from "./requests";
import { Topics, type Target } from "./topics";
import type { MqttOptions } from "./types";

const SECOND = 1_000;
const BIRTH = "online";
const CONNECTED = "connected";

/** A part not read yet, because the message before it is still in progress. */
interface Held {
  readonly count: number;
  readonly topic: string | undefined;
  readonly more: boolean;
}

/** Exists while the interface is enabled and its settings stay the same: connects the broker with the outbox and the requests. */
export class Session implements BrokerOwner, OutboxOwner, RequestsOwner {
  readonly parts: MqttOptions;
  readonly topics: Topics;
  readonly requests: Requests;
  readonly outbox: Outbox;
  readonly broker: Broker;
  private readonly heartbeat: Timer;
  private changes: Changes;
  /** Ticks at which everything was last published. */
  private published = 0;
  /** Ticks at which the bank was last checked. */
  private bankAt = 0;
  private connectedAt = 0;
  /** Connections in a row that did not last. */
  private short = 0;
  /** The connection has to be dropped. */
  private doomed = false;
  /** Why there is no connection (MqttProblem). */
  problem = "";
  /** The message being received, or to be handled in the next turn. */
  private incoming: Incoming | undefined;
  private held: Held | undefined;

  constructor(parts: MqttOptions) {
    this.parts = parts;
    this.topics = new Topics(parts.network, parts.settings);
    this.requests = new Requests(this);
    this.outbox = new Outbox(this);
    this.changes = this.begin();
    this.broker = new Broker(this);
    this.heartbeat = repeat(this, HEARTBEAT);
  }

  get part(): string {
    return "mqtt";
  }

  /** Publishes "offline" and disconnects. */
  close(): void {
    Timer.clear(this.heartbeat);
    this.outbox.detach();
    this.broker.close(true);
  }

  /** Seconds since the last connection was made. */
  get connectedFor(): number {
    return this.parts.uptime() - this.connectedAt;
  }

  brokerConnected(): void {
    this.published = Time.ticks;
    this.connectedAt = this.parts.uptime();
    this.report("");
    this.changes = this.begin();
    this.outbox.attach(this.broker);
    const record = readRecord(this.parts);
    const leftovers = this.topics.leftovers(record);
    if (leftovers.length) this.outbox.forget(leftovers);
    else if (record !== this.topics.record) this.forgotten();
  }

  /** Stored only now: if a deletion fails, the next connection retries it. */
  forgotten(): void {
    writeRecord(this.parts, this.topics.record);
  }

  /** Publishes everything again, and the discovery document again once more is known of the BMS. */
  announce(): void {
    this.changes = this.begin();
    this.outbox.announce();
  }

  private begin(): Changes {
    return new Changes(this.parts, this.parts.settings.packs.further.length + 1);
  }

  /** Called after each poll of a pack. */
  polled({ index }: BusPack): void {
    if (this.broker.connected) this.outbox.check(this.changes.polled(index), index);
  }

  /** The bank may have changed. */
  checkBank(): void {
    this.bankAt = Time.ticks;
    this.outbox.checkBank();
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
      // Unread data stays in the socket, and further messages stay with the broker.
      if (this.isFree()) this.receive(count, topic, more);
      else this.held = { count, topic, more };
    } catch (error) {
      this.failed(error);
    }
  }

  resultReady(): void {
    this.outbox.check(RESULT | RELAY | CONFIG);
  }

  /** Timer callback. */
  tick(): void {
    try {
      if (this.doomed) {
        this.doomed = false;
        this.broker.fail("failed");
      }
      this.broker.watch();
      if (!this.broker.connected) return;
      if (this.short && this.connectedFor >= STABLE / SECOND) {
        if (this.short > MAX_SHORT) report(CONNECTED, this.parts);
        this.short = 0;
      }
      const { interval: shortest } = this.parts.settings.mqtt;
      if (((Time.ticks - this.bankAt) | 0) >= shortest * SECOND) this.checkBank();
      const interval = Math.max(REPEAT, shortest);
      if (((Time.ticks - this.published) | 0) >= interval * SECOND) {
        this.published = Time.ticks;
        this.outbox.repeat();
      } else this.outbox.check(this.changes.relay());
    } catch (error) {
      this.failed(error);
    }
  }

  /** Called by the outbox: writes one item, handles the message received, then reads the one held back. */
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

  /** The next message may be read: the last one is handled and its result sent. */
  private isFree(): boolean {
    return !this.incoming?.complete && this.requests.ready;
  }

  private receive(count: number, topic: string | undefined, more: boolean): void {
    if (topic !== undefined) this.incoming = new Incoming(this.topics.target(topic), this.broker.retained);
    this.incoming?.take(this.broker, count, more);
    if (!more) this.outbox.pump();
  }

  private received({ payload, retained, target }: Incoming): void {
    this.incoming = undefined;
    if (isRequest(target)) this.requests.receive(target, payload, retained);
    else if (target?.kind === "availability") {
      // The will of an earlier connection that the broker has only now found dead.
      if (is(payload, OFFLINE)) this.outbox.republishAvailability();
      // A retained birth message needs no answer: connecting announces everything anyway.
    } else if (target && !retained && is(payload, BIRTH)) this.announce();
  }

  /** Logged once per problem, however many attempts follow, and not for ever if each connection is soon lost. */
  private report(problem: string): void {
    if (problem === this.problem && problem) return;
    const { short } = this;
    if (problem && !this.problem) this.short++;
    this.problem = problem;
    if (short <= MAX_SHORT) report(problem || CONNECTED, this.parts);
  }

  /** Any failure only drops and reopens the connection; deferred, since it must not happen inside the client's callbacks. */
  private failed(error: unknown): void {
    trace(`mqtt: ${String(error)}\n`);
    try {
      later("mqtt", () => this.broker.fail("failed"));
    } catch {
      // No memory for the timer: at the next heartbeat.
      this.doomed = true;
    }
  }
}

/** Logs a change of the connection for the user. */
export function report(what: string, { events }: Pick<MqttOptions, "events">): void {
  trace(`MQTT: ${what === "no-time" ? "waits for the time" : what}\n`);
  events?.add(`mqtt\t${what}`);
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

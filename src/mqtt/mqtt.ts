import Time from "time";
import Timer from "timer";
import type { GroupName } from "../settings/types";
import { Broker, OFFLINE } from "./broker";
import { HEARTBEAT, MAX_MESSAGE } from "./limits";
import { Outbox, type Message } from "./outbox";
import { Requests } from "./requests";
import { Topics, type Target } from "./topics";
import type { MqttOptions, MqttState, MqttStatus } from "./types";

const SECOND = 1_000;
const BIRTH = "online";

/** What there is while the face is switched on. */
interface Session {
  readonly topics: Topics;
  readonly requests: Requests;
  readonly outbox: Outbox;
  readonly broker: Broker;
  readonly heartbeat: Timer;
  readonly message: Incoming;
}

/** The message that is coming in. */
interface Incoming {
  readonly buffer: Uint8Array;
  /** Undefined: none of ours, or there is none. */
  target: Target | undefined;
  length: number;
  tooLong: boolean;
  /** It is all there, and to be looked at in the next turn. */
  complete: boolean;
  /** Not read yet, since the one before it is not done with: the count and whether more follows. */
  held: { readonly count: number; readonly topic: string | undefined; readonly more: boolean } | undefined;
}

/** The MQTT face: publishes the states, takes commands and settings, and tells Home Assistant what there is. Nothing while it is off. */
export class Mqtt {
  readonly #options: MqttOptions;
  #session: Session | undefined;
  #problem = "";
  #connections = 0;
  /** When everything was published last, ticks. */
  #published = 0;
  #paused = false;

  constructor(options: MqttOptions) {
    this.#options = options;
    const { monitor, settings } = options;
    settings.observe(this);
    monitor.observe(this);
    this.start();
  }

  get status(): MqttStatus {
    return { state: this.#state, problem: this.#problem, connections: this.#connections };
  }

  settingsChanged(group: GroupName): void {
    if (group === "mqtt") this.restart();
    else if (group === "device" || group === "relay") this.safely(() => this.#session?.outbox.announce());
  }

  bmsUpdated(): void {
    this.look("telemetry", "cells", "config");
  }

  bmsOnlineChanged(): void {
    this.look("bms", "telemetry", "diagnostics");
  }

  /** Nothing is written until `resume`: the BMS is sending what must not wait. */
  pause(): void {
    this.#paused = true;
    this.#session?.outbox.pause();
  }

  resume(): void {
    this.#paused = false;
    this.safely(() => this.#session?.outbox.resume());
  }

  /** The broker is told that the device goes. */
  close(): void {
    const session = this.#session;
    this.#session = undefined;
    if (!session) return;
    Timer.clear(session.heartbeat);
    session.outbox.detach();
    session.broker.close(true);
  }

  get #state(): MqttState {
    const { enabled, host } = this.#options.settings.mqtt;
    if (!enabled || !host) return "off";
    if (!this.#session) return "refused";
    return this.#session.broker.connected ? "connected" : this.#problem ? "waiting" : "connecting";
  }

  private restart(): void {
    this.close();
    this.start();
  }

  private start(): void {
    const { monitor, network, relay, secureSocket, settings } = this.#options;
    const { enabled, host, tls } = settings.mqtt;
    this.#problem = "";
    if (!enabled || !host) return;
    if (tls && !secureSocket) return this.report("This device has no TLS: nothing is sent in the clear instead.");
    const topics = new Topics(network, settings);
    const requests = new Requests({ monitor, relay, onResult: () => this.look("result", "relay", "config") });
    const outbox = new Outbox({
      sources: this.#options,
      topics,
      requests,
      onTurn: () => this.safely(() => this.turn()),
    });
    if (this.#paused) outbox.pause();
    const message: Incoming = {
      buffer: new Uint8Array(MAX_MESSAGE),
      target: undefined,
      length: 0,
      tooLong: false,
      complete: false,
      held: undefined,
    };
    const broker = new Broker({
      platform: this.#options,
      topics,
      onConnected: () => this.safely(() => this.connected()),
      onDisconnected: (problem) => this.disconnected(problem, outbox, message),
      onWritable: () => outbox.pump(),
      onMessage: (count, topic, more) => this.safely(() => this.receive(count, topic, more)),
    });
    const heartbeat = Timer.repeat(() => this.safely(() => this.tick()), HEARTBEAT);
    this.#session = { topics, requests, outbox, broker, heartbeat, message };
  }

  private connected(): void {
    const session = this.#session;
    if (!session) return;
    this.#connections++;
    this.#published = Time.ticks;
    this.report("");
    session.outbox.attach(session.broker);
  }

  private disconnected(problem: string, outbox: Outbox, message: Incoming): void {
    outbox.detach();
    message.target = message.held = undefined;
    message.complete = false;
    this.report(problem);
  }

  private tick(): void {
    const { broker, outbox } = this.#session as Session;
    broker.tick();
    if (!broker.connected) return;
    const { interval } = this.#options.settings.mqtt;
    if (((Time.ticks - this.#published) | 0) >= interval * SECOND) {
      this.#published = Time.ticks;
      outbox.repeat();
    } else outbox.look("relay");
  }

  private look(...messages: readonly Message[]): void {
    this.safely(() => this.#session?.outbox.look(...messages));
  }

  private turn(): void {
    const session = this.#session;
    if (!session) return;
    session.outbox.turn();
    const { message } = session;
    if (message.complete) this.received(session);
    const { held } = message;
    if (!held || !this.isFree(session)) return;
    message.held = undefined;
    if (held.topic !== undefined) this.begin(session, held.topic);
    this.read(session, held.count, held.more);
  }

  /** The next message may be read: the last one is done with, and its result sent. */
  private isFree({ message, requests }: Session): boolean {
    return !message.complete && requests.ready;
  }

  private receive(count: number, topic: string | undefined, more: boolean): void {
    const session = this.#session;
    if (!session) return;
    // What is not read stays in the socket, and what follows it with the broker.
    if (!this.isFree(session)) {
      session.message.held = { count, topic, more };
      return;
    }
    if (topic !== undefined) this.begin(session, topic);
    this.read(session, count, more);
  }

  private begin({ message, topics }: Session, topic: string): void {
    message.target = topics.target(topic);
    message.length = 0;
    message.tooLong = false;
  }

  private read({ broker, message, outbox }: Session, count: number, more: boolean): void {
    const { buffer } = message;
    if (message.length + count > buffer.length) message.tooLong = true;
    if (message.tooLong || !message.target) {
      for (let left = count; left > 0; left -= buffer.length)
        broker.read(left < buffer.length ? buffer.subarray(0, left) : buffer);
    } else {
      broker.read(buffer.subarray(message.length, message.length + count));
      message.length += count;
    }
    message.complete = !more;
    if (!more) outbox.pump();
  }

  private received({ broker, message, outbox, requests }: Session): void {
    const { buffer, length, target, tooLong } = message;
    message.target = undefined;
    message.complete = false;
    const payload = tooLong ? undefined : buffer.subarray(0, length);
    if (isRequest(target)) requests.receive(target, payload, broker.settled);
    else if (target?.kind === "availability") {
      // The will of a connection that the broker found dead only now.
      if (is(payload, OFFLINE)) outbox.insist();
      // One that the broker had kept is answered by the announcement of the connection itself.
    } else if (target && broker.settled && is(payload, BIRTH)) outbox.announce();
  }

  /** Told once, however often it is tried. */
  private report(problem: string): void {
    if (problem === this.#problem && problem) return;
    this.#problem = problem;
    const text = problem ? `MQTT: ${problem}` : "MQTT: connected.";
    trace(`${text}\n`);
    this.#options.events?.add(text);
  }

  /** Whatever went wrong, the connection is made anew, and nobody else notices. */
  private safely(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      trace(`mqtt: ${String(error)}\n`);
      const session = this.#session;
      // Not from inside the client's own callbacks.
      if (session)
        Timer.set(() => session === this.#session && session.broker.fail("Something went wrong; trying again."));
    }
  }
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

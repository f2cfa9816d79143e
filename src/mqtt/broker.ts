import { enter, onError, onReadable, onWritable } from "door/enter";
import MQTT from "embedded:network/mqtt/client";
import Time from "time";
import Timer from "timer";
import { CONNECT_TIMEOUT, FIRST_RETRY, KEEP_ALIVE, MAX_RETRY, MAX_UTF8, STABLE, TOPICS_A_PACKET } from "./limits";
import { derOf } from "../runtime/pem";
import { once } from "../runtime/timers";
import { beginHandshake, endHandshake, TLS_BUSY } from "../network/handshake";
import { TLS_NEED } from "../network/limits";
import { Lookup } from "../network/lookup";
import { FixedResolver } from "./fixed-resolver";
import { MqttSocket } from "./mqtt-socket";
import type { Topics } from "./topics";
import type { MqttOptions } from "./types";

export const ONLINE = "online";
export const OFFLINE = "offline";

/** SUBACK return code: the broker refused the subscription (MQTT 3.1.1, section 3.9.3). */
const FAILURE = 0x80;

/**
 * The platform's client as it behaves: the SDK's typings require data and a topic where none are needed, and declare a control message as
 * a number.
 */
interface Client {
  read(buffer: ByteBuffer): number;
  write(
    data: ByteBuffer | null,
    options?: {
      operation?: number;
      topic?: string;
      retain?: boolean;
      byteLength?: number;
      items?: readonly { readonly topic: string }[];
    },
  ): number;
  close(): void;
}

interface Control {
  readonly operation: number;
  readonly payload?: ArrayLike<number>;
}

interface Part {
  readonly more: boolean;
  readonly topic?: string;
}

/** Owner of the connection: supplies its parts and receives its events. Its methods must not throw. */
export interface BrokerOwner {
  readonly parts: BrokerParts;
  readonly topics: Topics;
  /** Connected; all subscriptions are requested. */
  brokerConnected(): void;
  /** Disconnected, or the attempt failed; it is retried. */
  brokerDisconnected(problem: string): void;
  /** There is room to write again. */
  brokerWritable(): void;
  /** Part of a message has arrived: `count` bytes to read. The topic comes with the first part. */
  brokerMessage(count: number, topic: string | undefined, more: boolean): void;
}

export type BrokerParts = Pick<
  MqttOptions,
  "mqttClient" | "handshakeOwner" | "resolver" | "tcp" | "tls" | "udp" | "random" | "settings" | "network" | "time"
>;

/** `this` in the client's callbacks: the client keeps the `target` passed to its constructor. */
type Owned = Client & { readonly target: Broker };

function onControl(this: Owned, message: Control): void {
  enter(this.target, "control", message);
}

/**
 * - waiting: for the next attempt
 * - searching: resolving the broker's name
 * - opening: constructing the client, which may fail at once
 * - connecting: waiting for CONNACK
 * - connected: CONNACK has come
 */
type State = "waiting" | "searching" | "opening" | "connecting" | "connected" | "closed";

/** The connection to the broker: opened, supervised and reopened with growing back-off until this object is closed. */
export class Broker {
  readonly owner: BrokerOwner;
  private lookup: Lookup | undefined;
  private client: Client | undefined;
  /** Fires at the next attempt. */
  private retry: Timer | undefined;
  private state: State = "waiting";
  /** Ticks at which it began to wait or search, or was connected. */
  private since = 0;
  private failures = 0;
  /** The device's address at the last attempt. */
  private ip = "";
  /** Capacity in bytes for the next part of the message. */
  room = 0;
  /** Index of the next topic to subscribe to; undefined: SUBSCRIBE has been sent for all. */
  private nextTopic: number | undefined;
  /** The broker has stored the message that arrives now, nobody knows since when: its RETAIN flag is set. */
  retained = false;
  private refusalLogged = false;
  /** Why the current attempt failed. */
  private reason: string | undefined;

  constructor(owner: BrokerOwner) {
    this.owner = owner;
    this.connect();
  }

  get connected(): boolean {
    return this.state === "connected";
  }

  /** Capacity in bytes for the first part of a message with this topic. */
  roomFor(topic: string): number {
    return this.nextTopic === undefined ? this.room - MAX_UTF8 * topic.length : 0;
  }

  /**
   * Asks the broker for a sign of life now. A message that takes long begins with it: none can be sent within it, and the client gives up a
   * connection on which one has waited for a quarter of KEEP_ALIVE.
   */
  ping(): void {
    this.room = this.client?.write(null, { operation: MQTT.PINGREQ }) ?? 0;
  }

  /** Begins a message of `byteLength` bytes with its first part. */
  publish(topic: string, retain: boolean, byteLength: number, first: Uint8Array): void {
    this.room = this.client?.write(first, { topic, retain, byteLength }) ?? 0;
  }

  /** Writes the next part of the message. */
  more(bytes: Uint8Array): void {
    this.room = this.client?.write(bytes) ?? 0;
  }

  read(buffer: Uint8Array): void {
    this.client?.read(buffer);
  }

  /** Called every HEARTBEAT. */
  watch(): void {
    const elapsed = (Time.ticks - this.since) | 0;
    if (this.connected) {
      if (elapsed >= STABLE) this.failures = 0;
    } else if (this.state !== "waiting") {
      if (elapsed >= CONNECT_TIMEOUT) this.fail("no-answer");
    } else if (!this.retry) {
      // There was no memory for its timer.
      this.tick();
    } else if (this.owner.parts.network.ip && this.owner.parts.network.ip !== this.ip) {
      // A network again, or another one: the failures on the old one no longer count.
      this.failures = 0;
      Timer.clear(this.retry);
      this.tick();
    }
  }

  /** Drops the connection and schedules a new attempt. Must not be called from the client's callbacks. */
  fail(problem: string): void {
    if (this.state === "closed") return;
    this.drop();
    this.wait(problem);
  }

  /** Closes for good; with `clean` publishes "offline" and sends DISCONNECT first. */
  close(clean: boolean): void {
    if (clean && this.connected) this.disconnect();
    Timer.clear(this.retry);
    this.retry = undefined;
    this.drop();
    this.enter("closed");
  }

  /** Timer callback: next attempt. */
  tick(): void {
    this.retry = undefined;
    this.connect();
  }

  /** Callback of the client. */
  control({ operation, payload }: Control): void {
    if (operation === MQTT.CONNACK) {
      this.enter("connected");
      this.nextTopic = 0;
    } else if (operation === MQTT.SUBACK) {
      for (let at = 0; payload && at < payload.length; at++) if (payload[at] === FAILURE) this.subscriptionRefused();
    }
  }

  /** Callback of the client. */
  readable(count: number, { more, topic }: Part): void {
    this.owner.brokerMessage(count, topic, more);
  }

  /** Callback of the client. */
  writable(count: number): void {
    this.room = count;
    if (this.nextTopic !== undefined) this.subscribe();
    if (this.nextTopic === undefined) this.owner.brokerWritable();
  }

  /** Callback of the client: `client` failed or lost its connection. */
  lost(_reason: unknown, client: Client): void {
    if (this.state === "opening") this.state = "waiting";
    else if (client === this.client) this.fail(this.reason ?? (this.connected ? "lost" : "unreachable"));
  }

  /** Callback of the socket. */
  publishBegins(isRetained: boolean): void {
    this.retained = isRetained;
  }

  /** Callback of the socket. */
  socketFailed(reason: string): void {
    this.reason = reason;
  }

  private connect(): void {
    const { parts } = this.owner;
    const { network, settings } = parts;
    this.ip = network.ip;
    if (settings.mqtt.tls && parts.time() === undefined) {
      this.failures = 0;
      return this.wait("no-time");
    }
    this.enter("searching");
    const lookup = new Lookup("mqtt", parts, settings.mqtt.host, (address) => {
      this.lookup = undefined;
      if (address === undefined) this.wait("unknown-host");
      else this.open(address);
    });
    if (this.isIn("searching")) this.lookup = lookup;
  }

  private open(address: string): void {
    const { parts, topics } = this.owner;
    const { host, password, port, tls, user } = parts.settings.mqtt;
    const refusal = tls && beginHandshake(parts, this, TLS_NEED);
    if (refusal) return this.wait(refusal === TLS_BUSY ? undefined : refusal);
    this.state = "opening";
    this.reason = undefined;
    let client: Client | undefined;
    try {
      client = new parts.mqttClient({
        host,
        port,
        id: `${topics.id}-bms`,
        ...(user && { user }),
        ...(user && password && { password }),
        keepAlive: KEEP_ALIVE,
        will: { topic: topics.availability, message: OFFLINE, QoS: 1, retain: true },
        dns: { io: FixedResolver, address },
        socket: this.socket(),
        target: this,
        onControl,
        onReadable,
        onWritable,
        onError,
      } as unknown as ConstructorParameters<MqttOptions["mqttClient"]>[0]);
    } catch (error) {
      trace(`mqtt: ${String(error)}\n`);
    }
    if (!client || !this.isIn("opening")) return this.wait("no-connection");
    this.state = "connecting";
    this.client = client;
  }

  /** Socket options for the client. */
  private socket(): object {
    const { parts } = this.owner;
    const { ca, tls } = parts.settings.mqtt;
    if (!tls) return { io: MqttSocket, tcp: parts.tcp, owner: this };
    return {
      io: MqttSocket,
      tcp: parts.tls,
      TCP: { io: parts.tcp },
      owner: this,
      secure: { certificate: derOf(ca)?.slice().buffer, date: parts.time() },
    };
  }

  /** Not inlined: a call in between may have changed the state. */
  private isIn(state: State): boolean {
    return this.state === state;
  }

  /** Logged once: it would repeat at each connection. */
  private subscriptionRefused(): void {
    if (!this.refusalLogged) trace("mqtt: the broker refused some topics\n");
    this.refusalLogged = true;
  }

  /** Subscribes to the topics, a few per packet. */
  private subscribe(): void {
    while (this.nextTopic !== undefined) {
      const items: { topic: string }[] = [];
      let length = 0;
      for (let topic; items.length < TOPICS_A_PACKET;) {
        topic = this.owner.topics.subscription(this.nextTopic + items.length);
        if (topic === undefined) break;
        items.push({ topic });
        length += MAX_UTF8 * topic.length;
      }
      if (items.length) {
        if (length > this.room) return;
        this.room = this.client?.write(null, { operation: MQTT.SUBSCRIBE, items }) ?? 0;
        this.nextTopic += items.length;
      }
      if (items.length < TOPICS_A_PACKET) {
        this.nextTopic = undefined;
        this.owner.brokerConnected();
      }
    }
  }

  private disconnect(): void {
    try {
      const { topics } = this.owner;
      const text = Uint8Array.from(OFFLINE, (character) => character.charCodeAt(0));
      if (this.roomFor(topics.availability) < text.length) return;
      this.publish(topics.availability, true, text.length, text);
      this.client?.write(null, { operation: MQTT.DISCONNECT });
    } catch {
      // Nothing else can be sent in the middle of a message; the broker publishes the will.
    }
  }

  private drop(): void {
    this.lookup?.close();
    this.lookup = undefined;
    const client = this.client;
    this.client = undefined;
    this.room = 0;
    this.nextTopic = undefined;
    try {
      client?.close();
    } catch (error) {
      trace(`mqtt: ${String(error)}\n`);
    }
  }

  /** Waits for the next attempt. Undefined: there was none, which is no failure, and what was reported before still holds. */
  private wait(problem: string | undefined): void {
    this.enter("waiting");
    const doublings = problem === undefined ? 0 : Math.min(this.failures++, 16);
    const longest = Math.min(MAX_RETRY, FIRST_RETRY * 2 ** doublings);
    Timer.clear(this.retry);
    this.retry = undefined;
    try {
      const [chance = 0] = new Uint8Array(this.owner.parts.random.get(1));
      this.retry = once(this, (longest * (256 + chance)) >> 9);
    } catch (error) {
      // The next heartbeat tries to connect.
      trace(`mqtt: ${String(error)}\n`);
    }
    if (problem !== undefined) this.owner.brokerDisconnected(problem);
  }

  /** Where a handshake is over, or has not begun. */
  private enter(state: State): void {
    endHandshake(this.owner.parts, this);
    this.state = state;
    this.since = Time.ticks;
  }
}

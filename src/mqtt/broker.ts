import MQTT from "embedded:network/mqtt/client";
import Time from "time";
import Timer from "timer";
import {
  CONNECT_TIMEOUT,
  FIRST_RETRY,
  KEEP_ALIVE,
  MAX_RETRY,
  MAX_UTF8,
  SETTLE,
  STABLE,
  TOPICS_A_PACKET,
} from "./limits";
import { derOf } from "../parts/pem";
import { once } from "../parts/timers";
import { Known, Lookup } from "./lookup";
import { MqttSocket } from "./mqtt-socket";
import type { Topics } from "./topics";
import type { MqttOptions } from "./types";

export const ONLINE = "online";
export const OFFLINE = "offline";

/** SUBACK: the broker does not allow this topic (MQTT 3.1.1, section 3.9.3). */
const NOT_ALLOWED = 0x80;

/** The platform's class as it is: its type asks for data and a topic where there are none, and takes a control message for a number. */
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

/** Whose connection it is: what it is made of, and who is told. Its methods must not throw. */
export interface BrokerOwner {
  readonly parts: BrokerParts;
  readonly topics: Topics;
  /** The processor is needed by others. */
  readonly paused: boolean;
  /** The connection is made and the topics are asked for. */
  brokerConnected(): void;
  /** Not connected (any more); it will be tried again. */
  brokerDisconnected(problem: string): void;
  /** There is room to write again. */
  brokerWritable(): void;
  /** A part of a message has arrived: `count` bytes to read. The topic comes with its first part. */
  brokerMessage(count: number, topic: string | undefined, more: boolean): void;
}

export type BrokerParts = Pick<
  MqttOptions,
  "mqttClient" | "resolver" | "tcp" | "tls" | "udp" | "random" | "settings" | "network" | "time"
>;

/** What the client's callbacks have for `this`: it keeps the `target` it was made with. */
type Tied = Client & { readonly target: Broker };

function onControl(this: Tied, message: Control): void {
  this.target.control(message);
}

function onReadable(this: Tied, count: number, { more, topic }: Part): void {
  this.target.owner.brokerMessage(count, topic, more);
}

function onWritable(this: Tied, count: number): void {
  this.target.writable(count);
}

function onError(this: Tied): void {
  this.target.lost(this);
}

/**
 * - waiting: until the next try
 * - searching: for the address
 * - opening: the client is being made, and may fail at once
 * - connecting: until the broker lets the device in
 * - connected: what comes may be what the broker had kept
 * - settled: what comes now was sent now
 */
type State = "waiting" | "searching" | "opening" | "connecting" | "connected" | "settled" | "closed";

/**
 * The connection to the broker: made, watched, and made again after growing pauses, for as long as this object is not closed.
 */
export class Broker {
  readonly owner: BrokerOwner;
  private lookup: Lookup | undefined;
  private client: Client | undefined;
  /** The next try. */
  private retry: Timer | undefined;
  private state: State = "waiting";
  /** Ticks, when it began to wait or to search, or was connected. */
  private since = 0;
  private failures = 0;
  private window = 0;
  /** The next topic to be asked for; undefined: all have been. */
  private asking: number | undefined;
  private unanswered = 0;
  private isDenied = false;
  /** Why the connection that is being made has failed. */
  private reason: string | undefined;

  constructor(owner: BrokerOwner) {
    this.owner = owner;
    this.connect();
  }

  get connected(): boolean {
    return this.state === "connected" || this.state === "settled";
  }

  /** Bytes that a message with this topic may have for its first part. */
  roomFor(topic: string): number {
    return this.asking === undefined ? this.window - MAX_UTF8 * topic.length : 0;
  }

  /** Bytes that the next part of the message may have. */
  get room(): number {
    return this.window;
  }

  /** What comes now was sent now: the broker has given what it had kept. */
  get settled(): boolean {
    return this.state === "settled";
  }

  /** Begins a message of `byteLength` bytes with its first ones. */
  publish(topic: string, retain: boolean, byteLength: number, first: Uint8Array): void {
    this.window = this.client?.write(first, { topic, retain, byteLength }) ?? 0;
  }

  /** More of the message that has been begun. */
  more(bytes: Uint8Array): void {
    this.window = this.client?.write(bytes) ?? 0;
  }

  read(buffer: Uint8Array): void {
    this.client?.read(buffer);
  }

  /** Called every HEARTBEAT. */
  watch(): void {
    const elapsed = (Time.ticks - this.since) | 0;
    if (this.connected) {
      if (elapsed >= STABLE) this.failures = 0;
      if (this.asking === undefined && !this.unanswered && elapsed >= SETTLE) this.state = "settled";
    } else if (this.state !== "waiting" && elapsed >= CONNECT_TIMEOUT) this.fail("no-answer");
  }

  /** Ends the connection, to make a new one. Not to be called by the client's callbacks. */
  fail(problem: string): void {
    if (this.state === "closed") return;
    this.drop();
    this.wait(problem);
  }

  /** Says goodbye when `farewell`, and connects no more. */
  close(farewell: boolean): void {
    if (farewell && this.connected) this.sayGoodbye();
    Timer.clear(this.retry);
    this.retry = undefined;
    this.drop();
    this.state = "closed";
  }

  /** For the timer: tries again. */
  tick(): void {
    this.retry = undefined;
    this.connect();
  }

  /** For the client's callback. */
  control({ operation, payload }: Control): void {
    if (operation === MQTT.CONNACK) {
      this.enter("connected");
      this.asking = 0;
      this.unanswered = 0;
    } else if (operation === MQTT.SUBACK) {
      this.unanswered--;
      // What was kept comes from here on.
      this.since = Time.ticks;
      for (let at = 0; payload && at < payload.length; at++) if (payload[at] === NOT_ALLOWED) this.denied();
    }
  }

  /** For the client's callback. */
  writable(count: number): void {
    this.window = count;
    if (this.asking !== undefined) this.ask();
    if (this.asking === undefined) this.owner.brokerWritable();
  }

  /** For the client's callback: `client` has no connection (any more). */
  lost(client: Client): void {
    if (this.state === "opening") this.state = "waiting";
    else if (client === this.client) this.fail(this.reason ?? (this.connected ? "lost" : "unreachable"));
  }

  /** For the socket: what the client does not hand on. */
  socketFailed(reason: string): void {
    this.reason = reason;
  }

  private connect(): void {
    const { network, resolver, settings, udp } = this.owner.parts;
    if (settings.mqtt.tls && this.owner.parts.time() === undefined) {
      this.failures = 0;
      return this.wait("no-time");
    }
    this.enter("searching");
    const lookup = new Lookup({
      resolver: { io: resolver, socket: { io: udp } },
      host: settings.mqtt.host,
      servers: [network.dns1, network.dns2].filter((server) => server),
      done: (address) => {
        this.lookup = undefined;
        if (address === undefined) this.wait("unknown-host");
        else this.open(address);
      },
    });
    if (this.isIn("searching")) this.lookup = lookup;
  }

  private open(address: string): void {
    const { parts, topics } = this.owner;
    const { host, password, port, user } = parts.settings.mqtt;
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
        dns: { io: Known, address },
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

  /** What the client is to make its connection with. */
  private socket(): object {
    const { parts } = this.owner;
    const { ca, tls } = parts.settings.mqtt;
    if (!tls) return { io: MqttSocket, tcp: parts.tcp };
    return {
      io: MqttSocket,
      tcp: parts.tls,
      TCP: { io: parts.tcp },
      owner: this,
      secure: { certificate: derOf(ca)?.slice().buffer, date: parts.time(), quiet: this.owner },
    };
  }

  /** Asked anew each time: what was called meanwhile may have changed it. */
  private isIn(state: State): boolean {
    return this.state === state;
  }

  /** Told once: it is so again at each connection. */
  private denied(): void {
    if (!this.isDenied) trace("mqtt: the broker does not allow all topics\n");
    this.isDenied = true;
  }

  /** Asks for the topics, a few in each packet. */
  private ask(): void {
    while (this.asking !== undefined) {
      const items: { topic: string }[] = [];
      let length = 0;
      for (let topic; items.length < TOPICS_A_PACKET;) {
        topic = this.owner.topics.subscription(this.asking + items.length);
        if (topic === undefined) break;
        items.push({ topic });
        length += MAX_UTF8 * topic.length;
      }
      if (items.length) {
        if (length > this.window) return;
        this.window = this.client?.write(null, { operation: MQTT.SUBSCRIBE, items }) ?? 0;
        this.unanswered++;
        this.asking += items.length;
      }
      if (items.length < TOPICS_A_PACKET) {
        this.asking = undefined;
        this.owner.brokerConnected();
      }
    }
  }

  private sayGoodbye(): void {
    try {
      const { topics } = this.owner;
      const text = Uint8Array.from(OFFLINE, (character) => character.charCodeAt(0));
      if (this.roomFor(topics.availability) < text.length) return;
      this.publish(topics.availability, true, text.length, text);
      this.client?.write(null, { operation: MQTT.DISCONNECT });
    } catch {
      // In the middle of a message nothing else can be said: the broker tells the will.
    }
  }

  private drop(): void {
    this.lookup?.close();
    this.lookup = undefined;
    const client = this.client;
    this.client = undefined;
    this.window = 0;
    this.asking = undefined;
    try {
      client?.close();
    } catch (error) {
      trace(`mqtt: ${String(error)}\n`);
    }
  }

  /** Until the next try. */
  private wait(problem: string): void {
    this.enter("waiting");
    const longest = Math.min(MAX_RETRY, FIRST_RETRY * 2 ** Math.min(this.failures++, 16));
    const [chance = 0] = new Uint8Array(this.owner.parts.random.get(1));
    Timer.clear(this.retry);
    this.retry = once(this, (longest * (256 + chance)) >> 9);
    this.owner.brokerDisconnected(problem);
  }

  private enter(state: State): void {
    this.state = state;
    this.since = Time.ticks;
  }
}

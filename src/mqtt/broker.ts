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
import { Known, Lookup } from "./lookup";
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

export interface BrokerOptions {
  readonly platform: Pick<
    MqttOptions,
    "client" | "resolver" | "socket" | "secureSocket" | "random" | "settings" | "network"
  >;
  readonly topics: Topics;
  /** The connection is made and the topics are asked for. */
  readonly onConnected: () => void;
  /** Not connected (any more); it will be tried again. */
  readonly onDisconnected: (problem: string) => void;
  /** There is room to write again. */
  readonly onWritable: () => void;
  /** A part of a message has arrived: `count` bytes to read. The topic comes with its first part. */
  readonly onMessage: (count: number, topic: string | undefined, more: boolean) => void;
}

/**
 * The connection to the broker: made, watched, and made again after growing pauses, for as long as this object is not closed.
 */
export class Broker {
  readonly #options: BrokerOptions;
  #lookup: Lookup | undefined;
  #client: Client | undefined;
  /** The next try. */
  #retry: Timer | undefined;
  /** When the state began, ticks. */
  #since = 0;
  #state: "waiting" | "connecting" | "connected" = "waiting";
  #failures = 0;
  #window = 0;
  /** The next topic to be asked for; undefined: all have been. */
  #asking: number | undefined;
  #unanswered = 0;
  #settled = false;
  #isDenied = false;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.connect();
  }

  get connected(): boolean {
    return this.#state === "connected";
  }

  /** Bytes that a message with this topic may have for its first part. */
  roomFor(topic: string): number {
    return this.#asking === undefined ? this.#window - MAX_UTF8 * topic.length : 0;
  }

  /** Bytes that the next part of the message may have. */
  get room(): number {
    return this.#window;
  }

  /** What comes now was sent now: the broker has given what it had kept. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Begins a message of `byteLength` bytes with its first ones. */
  publish(topic: string, retain: boolean, byteLength: number, first: Uint8Array): void {
    this.#window = this.#client?.write(first, { topic, retain, byteLength }) ?? 0;
  }

  /** More of the message that has been begun. */
  more(bytes: Uint8Array): void {
    this.#window = this.#client?.write(bytes) ?? 0;
  }

  read(buffer: Uint8Array): void {
    this.#client?.read(buffer);
  }

  /** Called every HEARTBEAT. */
  tick(): void {
    const elapsed = (Time.ticks - this.#since) | 0;
    if (this.#state === "connecting" && elapsed >= CONNECT_TIMEOUT) this.fail("The broker does not answer.");
    else if (this.#state === "connected") {
      if (elapsed >= STABLE) this.#failures = 0;
      if (!this.#settled && this.#asking === undefined && !this.#unanswered && elapsed >= SETTLE) this.#settled = true;
    }
  }

  /** Ends the connection, to make a new one. Not to be called by the callbacks. */
  fail(problem: string): void {
    this.drop();
    this.wait(problem);
  }

  /** Says goodbye when `farewell`, and connects no more. */
  close(farewell: boolean): void {
    if (farewell && this.connected) this.sayGoodbye();
    Timer.clear(this.#retry);
    this.#retry = undefined;
    this.drop();
  }

  private connect(): void {
    const { network, resolver, settings } = this.#options.platform;
    this.enter("connecting");
    const servers = [network.dns1, network.dns2].filter((server) => server);
    const lookup = new Lookup({
      resolver,
      host: settings.mqtt.host,
      servers,
      done: (address) => {
        this.#lookup = undefined;
        if (address === undefined) this.wait("The broker's name is not known.");
        else this.open(address);
      },
    });
    if (this.#state === "connecting" && !this.#client) this.#lookup = lookup;
  }

  private open(address: string): void {
    const { platform, topics } = this.#options;
    const { client, secureSocket, settings, socket } = platform;
    const { host, password, port, tls, user } = settings.mqtt;
    let failed = false;
    const onError = (): void => {
      failed = true;
      if (made && this.#client === made)
        this.fail(this.connected ? "The connection was lost." : "The broker refuses or is not there.");
    };
    let made: Client | undefined;
    try {
      made = new client.io({
        host,
        port,
        id: `${topics.id}-bms`,
        ...(user && { user }),
        ...(user && password && { password }),
        keepAlive: KEEP_ALIVE,
        will: { topic: topics.availability, message: OFFLINE, QoS: 1, retain: true },
        dns: { io: Known, address },
        socket: (tls && secureSocket) || socket,
        onControl: (message: unknown) => this.control(message as Control),
        onReadable: (count: number, { more, topic }: Part) => this.#options.onMessage(count, topic, more),
        onWritable: (count: number) => this.writable(count),
        onError,
      });
    } catch (error) {
      trace(`mqtt: ${String(error)}\n`);
      failed = true;
    }
    if (failed) return this.wait("No connection can be made.");
    this.#client = made;
  }

  private control({ operation, payload }: Control): void {
    if (operation === MQTT.CONNACK) {
      this.enter("connected");
      this.#asking = 0;
      this.#unanswered = 0;
      this.#settled = false;
    } else if (operation === MQTT.SUBACK) {
      this.#unanswered--;
      // What was kept comes from here on.
      this.#since = Time.ticks;
      for (let at = 0; payload && at < payload.length; at++) if (payload[at] === NOT_ALLOWED) this.denied();
    }
  }

  /** Told once: it is so again at each connection. */
  private denied(): void {
    if (!this.#isDenied) trace("mqtt: the broker does not allow all topics\n");
    this.#isDenied = true;
  }

  private writable(count: number): void {
    this.#window = count;
    if (this.#asking !== undefined) this.ask();
    if (this.#asking === undefined) this.#options.onWritable();
  }

  /** Asks for the topics, a few in each packet. */
  private ask(): void {
    while (this.#asking !== undefined) {
      const items: { topic: string }[] = [];
      let length = 0;
      for (let topic; items.length < TOPICS_A_PACKET;) {
        topic = this.#options.topics.subscription(this.#asking + items.length);
        if (topic === undefined) break;
        items.push({ topic });
        length += MAX_UTF8 * topic.length;
      }
      if (items.length) {
        if (length > this.#window) return;
        this.#window = this.#client?.write(null, { operation: MQTT.SUBSCRIBE, items }) ?? 0;
        this.#unanswered++;
        this.#asking += items.length;
      }
      if (items.length < TOPICS_A_PACKET) {
        this.#asking = undefined;
        this.#options.onConnected();
      }
    }
  }

  private sayGoodbye(): void {
    try {
      const { topics } = this.#options;
      const text = Uint8Array.from(OFFLINE, (character) => character.charCodeAt(0));
      if (this.roomFor(topics.availability) < text.length) return;
      this.publish(topics.availability, true, text.length, text);
      this.#client?.write(null, { operation: MQTT.DISCONNECT });
    } catch {
      // In the middle of a message nothing else can be said: the broker tells the will.
    }
  }

  private drop(): void {
    this.#lookup?.close();
    this.#lookup = undefined;
    const client = this.#client;
    this.#client = undefined;
    this.#window = 0;
    this.#asking = undefined;
    try {
      client?.close();
    } catch (error) {
      trace(`mqtt: ${String(error)}\n`);
    }
  }

  /** Until the next try. */
  private wait(problem: string): void {
    this.enter("waiting");
    const longest = Math.min(MAX_RETRY, FIRST_RETRY * 2 ** Math.min(this.#failures++, 16));
    const [chance = 0] = new Uint8Array(this.#options.platform.random.get(1));
    Timer.clear(this.#retry);
    this.#retry = Timer.set(
      () => {
        this.#retry = undefined;
        this.connect();
      },
      (longest * (256 + chance)) >> 9,
    );
    this.#options.onDisconnected(problem);
  }

  private enter(state: "waiting" | "connecting" | "connected"): void {
    this.#state = state;
    this.#since = Time.ticks;
  }
}

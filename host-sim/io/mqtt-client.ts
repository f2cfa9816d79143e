import { generate, parser as makeParser, type IConnectPacket, type IPublishPacket, type Packet } from "mqtt-packet";
import type Ambient from "embedded:network/mqtt/client";
import { bytesOf } from "../bytes";
import type { TCPOptions } from "./options";
import type TCP from "./tcp";
import Time from "./time";
import Timer from "./timer";

export interface MqttWriteOptions {
  operation?: number;
  id?: number;
  topic?: string;
  QoS?: number;
  retain?: boolean;
  duplicate?: boolean;
  byteLength?: number;
  items?: { topic: string; QoS?: number }[];
}

/** A message from the broker other than PUBLISH. */
export interface Control {
  readonly operation: number;
  readonly id?: number;
  readonly returnCode?: number;
  readonly payload?: readonly number[];
}

/** A part of a message; the first part includes the topic. */
export interface Part {
  readonly more: boolean;
  readonly topic?: string;
  readonly byteLength?: number;
  readonly QoS?: number;
}

interface Dns {
  readonly io: new (options: never) => {
    resolve(request: {
      host: string;
      onResolved: (host: string, address: string) => null;
      onError: (host: string) => null;
    }): void;
  };
}

export interface MqttClientOptions {
  readonly host: string;
  readonly port?: number;
  readonly id?: string;
  readonly user?: string;
  readonly password?: string;
  readonly clean?: boolean;
  readonly keepAlive?: number;
  readonly will?: { topic: string; message: string; QoS?: number; retain?: boolean };
  readonly dns: Dns;
  /** The remaining options are passed to the socket class. */
  readonly socket: { readonly io: new (options: TCPOptions) => Socket };
  readonly onReadable?: (count: number, part: Part) => void;
  readonly onWritable?: (count: number) => void;
  readonly onControl?: (message: Control) => void;
  readonly onError?: () => void;
  readonly target?: unknown;
}

/** The part of the socket class that is used. */
interface Socket extends Pick<TCP, "write" | "close"> {
  format: string;
  read(): ArrayBuffer | undefined;
}

/** Bytes of the window that the SDK's class reserves for the fixed header and the topic length. */
const OVERHEAD = 8;
const CONNECT_TIMEOUT = 30_000;
/** Maximum bytes per callback: what one read of the socket returns on the device. */
const LARGEST_PART = 5744;

const OPERATIONS: Partial<Record<Packet["cmd"], number>> = {
  connack: 2,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  suback: 9,
  unsuback: 11,
  pingresp: 13,
};

/**
 * The SDK's MQTT client (examples/io/tcp/mqttclient), MQTT 3.1.1, over the simulated board's TCP: same callbacks, same
 * rules for `write`, same window. It also has the same bug: a PUBLISH without a payload never completes, and later
 * messages are not received until the keep-alive closes the connection.
 */
export default class MQTTClient implements Omit<Ambient, "write"> {
  static readonly CONNECT = 1;
  static readonly CONNACK = 2;
  static readonly PUBLISH = 3;
  static readonly PUBACK = 4;
  static readonly SUBSCRIBE = 8;
  static readonly SUBACK = 9;
  static readonly UNSUBSCRIBE = 10;
  static readonly UNSUBACK = 11;
  static readonly PINGREQ = 12;
  static readonly PINGRESP = 13;
  static readonly DISCONNECT = 14;

  /** As in the SDK, present only if passed to the constructor. */
  declare readonly target?: unknown;
  readonly #options: MqttClientOptions;
  readonly #parser = makeParser({ protocolVersion: 4 });
  #socket: Socket | undefined;
  #state: "resolving" | "connecting" | "login" | "connected" | "publishing" | "closed" = "resolving";
  #writable = 0;
  /** Bytes left of the message being written. */
  #remaining = 0;
  #lastId = 1;
  #packets: Packet[] = [];
  /** Unread part of the last message announced. */
  #payload: Uint8Array = new Uint8Array(0);
  /** Data after the last part announced. */
  #rest: Uint8Array | undefined;
  #deaf = false;
  /** Protocol replies waiting for space in the window. */
  #pending: { bytes: Uint8Array; ping: boolean }[] = [];
  #timers: ReturnType<typeof Timer.set>[] = [];
  #continuing = false;
  #heard = 0;
  #pinged = 0;

  constructor(options: MqttClientOptions) {
    if (!options.host) throw new Error("host required");
    this.#options = options;
    if (options.target !== undefined) this.target = options.target;
    this.#parser.on("packet", (packet) => this.#packets.push(packet));
    this.#parser.on("error", (error: Error) => this.#fail(error.message));
    const dns = new options.dns.io(options.dns as never);
    dns.resolve({
      host: options.host,
      onResolved: (_, address) => {
        this.#connect(address);
        return null;
      },
      onError: () => {
        this.#fail();
        return null;
      },
    });
  }

  /** Reads from the last part announced, up to the size of `buffer`. */
  read(buffer: ByteBuffer): number {
    const into = bytesOf(buffer);
    const taken = this.#payload.subarray(0, into.length);
    into.set(taken);
    this.#payload = this.#payload.subarray(taken.length);
    if (!this.#payload.length && !this.#continuing) this.#later(() => this.#deliver());
    return taken.length;
  }

  write(data: ByteBuffer | null, options?: MqttWriteOptions): number {
    if (this.#state === "publishing") {
      const bytes = bytesOf(data as ByteBuffer);
      if (options || bytes.length > this.#remaining) throw new Error();
      this.#remaining -= bytes.length;
      if (!this.#remaining) this.#state = "connected";
      return this.#send(bytes);
    }
    if (this.#state !== "connected") throw new Error();
    if (!options) throw new TypeError("options required");
    const messageId = options.id ?? ++this.#lastId;
    switch (options.operation ?? MQTTClient.PUBLISH) {
      case MQTTClient.PUBLISH:
        return this.#publish(bytesOf(data as ByteBuffer), options, messageId);
      case MQTTClient.SUBSCRIBE: {
        const items = (options.items ?? []).map(({ topic, QoS = 0 }) => ({ topic, qos: QoS as 0 | 1 | 2 }));
        return this.#send(generate({ cmd: "subscribe", messageId, subscriptions: items }));
      }
      case MQTTClient.PINGREQ:
        this.#pinged = Time.ticks;
        return this.#send(generate({ cmd: "pingreq" }));
      case MQTTClient.DISCONNECT:
        return this.#send(generate({ cmd: "disconnect" }));
      default:
        throw new Error("unknown");
    }
  }

  close(): void {
    this.#state = "closed";
    for (const timer of this.#timers) Timer.clear(timer);
    this.#timers = [];
    this.#socket?.close();
    this.#socket = undefined;
    this.#packets = [];
    this.#payload = new Uint8Array(0);
    this.#rest = undefined;
    this.#writable = 0;
  }

  get #isClosed(): boolean {
    return this.#state === "closed";
  }

  #connect(address: string): void {
    try {
      this.#state = "connecting";
      this.#socket = new this.#options.socket.io({
        ...this.#options.socket,
        ...{ host: this.#options.host },
        address,
        port: this.#options.port ?? 1883,
        onReadable: () => this.#deliver(),
        onWritable: (count) => this.#onWritable(count),
        onError: () => this.#fail(),
      });
      this.#socket.format = "buffer";
      this.#timers.push(
        Timer.set(() => {
          if (this.#state === "connecting") this.#fail();
        }, CONNECT_TIMEOUT),
      );
    } catch {
      this.#fail();
    }
  }

  #onWritable(count: number): void {
    this.#writable = count;
    if (this.#state === "connecting") this.#login();
    else if (this.#state === "connected") {
      for (let next = this.#pending[0]; next; next = this.#pending[0]) {
        if (this.#writable < next.bytes.length) return;
        this.#pending.shift();
        if (next.ping) this.#pinged = Time.ticks;
        this.#send(next.bytes);
      }
      this.#tellWritable();
    } else if (this.#state === "publishing") this.#tellWritable();
  }

  #login(): void {
    const { id = "", user, password, will, clean = true, keepAlive = 0 } = this.#options;
    const seconds = Math.ceil(keepAlive / 1000);
    const packet: IConnectPacket = {
      cmd: "connect",
      protocolId: "MQTT",
      protocolVersion: 4,
      clientId: id,
      clean,
      keepalive: seconds,
      ...(user && { username: user }),
      ...(user && password && { password: Buffer.from(password) }),
      ...(will && {
        will: {
          topic: will.topic,
          payload: Buffer.from(will.message),
          qos: (will.QoS ?? 0) as 0 | 1 | 2,
          retain: will.retain ?? false,
        },
      }),
    };
    this.#send(generate(packet));
    this.#state = "login";
    if (!seconds) return;
    this.#heard = this.#pinged = Time.ticks;
    this.#timers.push(Timer.repeat(() => this.#keepAlive(seconds * 1000), seconds * 250));
  }

  #keepAlive(interval: number): void {
    if (Time.delta(this.#heard) >= interval * 1.5) return this.#fail("time out");
    if (Time.delta(this.#pinged) < interval * 0.75 - 500) return;
    if (this.#pending.some(({ ping }) => ping)) return this.#fail("time out");
    this.#queue({ bytes: generate({ cmd: "pingreq" }), ping: true });
  }

  #queue(answer: { bytes: Uint8Array; ping: boolean }): void {
    this.#pending.push(answer);
    this.#later(() => this.#onWritable(this.#writable));
  }

  #publish(data: Uint8Array, { topic = "", QoS = 0, retain, byteLength = data.length }: MqttWriteOptions, id: number) {
    if (data.length > byteLength) throw new Error("invalid");
    const whole = generate({
      cmd: "publish",
      topic,
      payload: Buffer.alloc(byteLength),
      qos: QoS as 0 | 1 | 2,
      dup: false,
      retain: retain ?? false,
      messageId: id,
    });
    const header = whole.subarray(0, whole.length - byteLength);
    if (header.length + data.length > this.#writable) throw new Error("overflow");
    if (data.length < byteLength) {
      this.#state = "publishing";
      this.#remaining = byteLength - data.length;
    }
    return this.#send(Buffer.concat([header, data]));
  }

  /** Returns the number of bytes that can be written now. */
  #send(bytes: Uint8Array): number {
    if (bytes.length > this.#writable) throw new Error("overflow");
    this.#writable = this.#socket?.write(bytes) ?? 0;
    return Math.max(0, this.#writable - OVERHEAD);
  }

  #tellWritable(): void {
    if (this.#writable > OVERHEAD) this.#options.onWritable?.call(this, this.#writable - OVERHEAD);
  }

  /** Delivers received data part by part; an unread part blocks the following ones and the socket. */
  #deliver(): void {
    if (this.#continuing) return;
    this.#continuing = true;
    while (!this.#isClosed && !this.#deaf && !this.#payload.length && this.#next());
    this.#continuing = false;
  }

  /** @returns false if nothing is left */
  #next(): boolean {
    if (this.#rest) {
      this.#part(this.#rest, {});
      return true;
    }
    const packet = this.#packets.shift();
    if (packet) this.#received(packet);
    else {
      const bytes = this.#socket?.read();
      if (!bytes) return false;
      this.#parser.parse(Buffer.from(bytes));
    }
    return true;
  }

  #received(packet: Packet): void {
    if (packet.cmd === "publish") return this.#message(packet);
    const operation = OPERATIONS[packet.cmd];
    if (operation === undefined) return this.#fail("bad parse state");
    if (packet.cmd === "pingresp") this.#heard = Time.ticks;
    const returnCode = packet.cmd === "connack" ? packet.returnCode : undefined;
    if (returnCode) return this.#fail("connection rejected");
    if (packet.cmd === "connack") this.#state = "connected";
    const payload = packet.cmd === "suback" ? (packet.granted as number[]) : undefined;
    this.#options.onControl?.call(this, {
      operation,
      ...(packet.messageId !== undefined && { id: packet.messageId }),
      ...(returnCode !== undefined && { returnCode }),
      ...(payload && { payload }),
    });
    if (packet.cmd === "connack" && !this.#isClosed) this.#tellWritable();
  }

  #message({ topic, payload, qos, messageId }: IPublishPacket): void {
    if (!payload.length) {
      this.#deaf = true;
      return;
    }
    if (qos === 1 && messageId !== undefined)
      this.#queue({ bytes: generate({ cmd: "puback", messageId }), ping: false });
    this.#part(Buffer.from(payload), { topic, byteLength: payload.length, QoS: qos });
  }

  #part(bytes: Uint8Array, first: Omit<Part, "more">): void {
    const more = bytes.length > LARGEST_PART;
    this.#payload = bytes.subarray(0, LARGEST_PART);
    this.#rest = more ? bytes.subarray(LARGEST_PART) : undefined;
    this.#options.onReadable?.call(this, this.#payload.length, { ...first, more });
  }

  #later(callback: () => void): void {
    const timer = Timer.set(() => {
      this.#timers = this.#timers.filter((other) => other !== timer);
      if (!this.#isClosed) callback();
    });
    this.#timers.push(timer);
  }

  #fail(message = "unknown"): void {
    if (this.#isClosed) return;
    globalThis.trace("mqttClient error: ", message, "\n");
    this.#options.onError?.call(this);
    this.close();
  }
}

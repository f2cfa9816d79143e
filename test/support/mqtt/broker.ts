/** Debian's mosquitto on its own port, and a second client. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "mqtt-packet";
import { freePort } from "../free-port";

/** The part of npm's mqtt in use: its own types require the DOM library. */
interface MqttClient {
  on(event: "message", listener: (topic: string, payload: Buffer, packet: { retain: boolean }) => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  publishAsync(topic: string, payload: string | Buffer, options: { retain?: boolean; qos?: 0 | 1 }): Promise<unknown>;
  subscribeAsync(filter: string): Promise<unknown>;
  unsubscribeAsync(filter: string): Promise<unknown>;
  readonly connected: boolean;
  end(force: boolean): void;
}
const MQTT = "mqtt";
const { connectAsync } = (await import(MQTT)) as {
  connectAsync: (url: string, options: object) => Promise<MqttClient>;
};

const MOSQUITTO = "mosquitto";
const PING = Uint8Array.of(0xc0, 0);

export interface BrokerUser {
  name: string;
  password: string;
}

export interface BrokerOptions {
  /** The only user allowed. */
  user?: BrokerUser;
  /** Others that are. */
  others?: readonly BrokerUser[];
  /** What each may do: mosquitto's acl_file. */
  acl?: string;
  /** Adds a second port with TLS: PEM files, the chain and its key. */
  tls?: { chain: string; key: string };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1")
      .on("connect", () => resolve(!!socket.destroy()))
      .on("error", () => resolve(false));
  });

/** Messages received by another client. */
export class Listener {
  /** Last message of each topic. */
  readonly topics = new Map<string, string>();
  /** All messages, in order. */
  readonly messages: { topic: string; text: string; retained: boolean }[] = [];

  constructor(readonly client: MqttClient) {
    client.on("message", (topic, payload, { retain }) => {
      const text = payload.toString();
      this.topics.set(topic, text);
      this.messages.push({ topic, text, retained: retain });
    });
  }

  publish(topic: string, payload: string | Buffer, retain = false): Promise<unknown> {
    return this.client.publishAsync(topic, payload, { retain, qos: 1 });
  }

  /** Resolves once it has received everything the broker has sent: the UNSUBACK follows it. */
  async catchUp(): Promise<void> {
    if (this.client.connected) await this.client.unsubscribeAsync("nothing").catch(() => undefined);
  }
}

export class TestBroker {
  readonly #folder = mkdtempSync(join(tmpdir(), "mosquitto-"));
  readonly #listeners: Listener[] = [];
  readonly #user: BrokerOptions["user"];
  #process: ChildProcess | undefined;
  /** A connection that only pings. */
  #pulse: Socket | undefined;
  #isHalted = false;
  #onBeat = (): void => undefined;

  constructor(
    readonly port: number,
    readonly tlsPort: number,
    { tls, user, others = [], acl }: BrokerOptions,
  ) {
    this.#user = user;
    const passwords = join(this.#folder, "passwords");
    // Nagle's algorithm would delay messages in real time, which virtual time does not see.
    const options = ["persistence false", "log_dest none", "max_queued_messages 0", "set_tcp_nodelay true"];
    const lines = [...options, `listener ${port} 127.0.0.1`];
    if (tls) lines.push(`listener ${tlsPort} 127.0.0.1`, `certfile ${tls.chain}`, `keyfile ${tls.key}`);
    if (user) {
      writeFileSync(passwords, "", { mode: 0o600 });
      for (const { name, password } of [user, ...others])
        spawnSync("mosquitto_passwd", ["-b", passwords, name, password]);
      lines.push("allow_anonymous false", `password_file ${passwords}`);
    } else lines.push("allow_anonymous true");
    if (acl !== undefined) {
      writeFileSync(join(this.#folder, "acl"), acl, { mode: 0o600 });
      lines.push(`acl_file ${join(this.#folder, "acl")}`);
    }
    writeFileSync(join(this.#folder, "mosquitto.conf"), `${lines.join("\n")}\nuser root\n`);
  }

  async start(): Promise<void> {
    this.#process = spawn(MOSQUITTO, ["-c", join(this.#folder, "mosquitto.conf")], { stdio: "ignore" });
    while (!(await isOpen(this.port))) {
      if (this.#process.exitCode !== null) throw new Error(`mosquitto ended with ${this.#process.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const user = this.#user && { username: this.#user.name, password: Buffer.from(this.#user.password) };
    const pulse = connectSocket(this.port, "127.0.0.1").on("error", () => undefined);
    pulse.write(generate({ cmd: "connect", clientId: "pulse", clean: true, keepalive: 0, ...user }));
    pulse.on("close", () => {
      if (this.#pulse === pulse) this.#pulse = undefined;
      this.#onBeat();
    });
    await once(pulse, "data");
    pulse.on("data", () => this.#onBeat());
    this.#pulse = pulse;
  }

  /**
   * Resolves once the broker has forwarded everything it was sent and its listeners have received it; soon if it is stopped. mosquitto
   * takes one packet per connection and round, so as long as anything arrives, more may be queued.
   */
  async beat(): Promise<void> {
    let before: number;
    do {
      before = this.#heard;
      await this.#ping();
      if (!this.#isHalted) await Promise.all(this.#listeners.map((listener) => listener.catchUp()));
    } while (this.#heard > before);
  }

  get #heard(): number {
    return this.#listeners.reduce((sum, { messages }) => sum + messages.length, 0);
  }

  /** Resolves when the broker has served each of its connections once. */
  #ping(): Promise<void> {
    return new Promise((resolve) => {
      this.#onBeat = resolve;
      if (this.#pulse && !this.#isHalted) this.#pulse.write(PING);
      else setImmediate(resolve);
    });
  }

  /** Another client, subscribed to everything. */
  async client(filter = "#", user = this.#user): Promise<Listener> {
    const client = await connectAsync(`mqtt://127.0.0.1:${this.port}`, {
      reconnectPeriod: 100,
      ...(user && { username: user.name, password: user.password }),
    });
    client.on("error", () => undefined);
    const listener = new Listener(client);
    await client.subscribeAsync(filter);
    this.#listeners.push(listener);
    return listener;
  }

  /** Suspends the process (the port stays open) until `resume`. */
  halt(): void {
    this.#isHalted = true;
    this.#process?.kill("SIGSTOP");
    this.#onBeat();
  }

  resume(): void {
    this.#isHalted = false;
    this.#process?.kill("SIGCONT");
  }

  /** Ends only the broker; its retained messages are lost. */
  async end(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (!process || process.exitCode !== null) return;
    process.kill("SIGCONT");
    process.kill("SIGTERM");
    await once(process, "exit");
  }

  async stop(): Promise<void> {
    for (const { client } of this.#listeners) client.end(true);
    await this.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function startBroker(options: BrokerOptions = {}): Promise<TestBroker> {
  const broker = new TestBroker(await freePort(), await freePort(), options);
  await broker.start();
  return broker;
}

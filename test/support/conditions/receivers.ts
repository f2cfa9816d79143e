/** Those who are told: a socket for each interface that tells by itself, all in this process, so that virtual time can wait for them. */
import { createSocket, type Socket as Datagrams } from "node:dgram";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { generate, parser as makeParser } from "mqtt-packet";
import { parse } from "../peers/snmp";
import { Webhook } from "../peers/webhook";

const MIB = "1.3.6.1.4.1.8072.9999.9999.485";
/** Of the project's traps: of the first pack, of a further one, and of the device. */
const TRAPS: Readonly<Record<string, string>> = {
  [`${MIB}.0.3`]: "alarm raised",
  [`${MIB}.0.4`]: "alarm cleared",
  [`${MIB}.0.9`]: "alarm raised",
  [`${MIB}.0.10`]: "alarm cleared",
  [`${MIB}.0.11`]: "conditions",
  [`${MIB}.0.12`]: "conditions",
  [`${MIB}.0.13`]: "conditions",
};
const SETTING_CHANGED = `${MIB}.0.14`;
const CONCERNS = `${MIB}.1.7.2.0`;
const DEVICE_CONCERNS = `${MIB}.1.7.3.0`;
const PACK_CONCERNS = `${MIB}.1.9.1.5.`;
const ALARM_NAME = `${MIB}.1.3.1.2.`;
const PACK_ALARM_NAME = `${MIB}.1.11.1.2.`;

export interface Trap {
  readonly what: string;
  /** Undefined: the first, which its objects do not name; 0: the device. */
  readonly pack: number | undefined;
  /** An alarm's name, or the codes of all conditions. */
  readonly text: string;
}

export interface Line {
  readonly severity: number;
  readonly code: string;
  readonly pack: number;
  readonly parameters: readonly string[];
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

export class Receivers {
  readonly traps: Trap[] = [];
  readonly lines: Line[] = [];
  readonly service = new Webhook();
  readonly messages = this.service.messages;
  /** What MQTT's topics have last been told, and all that was said in those of alarms. */
  readonly topics = new Map<string, string>();
  readonly alarms: { readonly topic: string; readonly text: string }[] = [];
  /** Changed settings, of SNMP and of MQTT. */
  readonly changes: {
    readonly trapped: string[];
    readonly published: { readonly topic: string; readonly text: string }[];
  } = {
    trapped: [],
    published: [],
  };
  readonly #sockets = new Set<Socket>();
  readonly #trapSocket = this.#datagrams((bytes) => this.#trap(bytes));
  readonly #syslogSocket = this.#datagrams((bytes) => this.#line(bytes.toString()));
  readonly #broker: Server = createServer((socket) => this.#client(socket));
  ports = { traps: 0, syslog: 0, mqtt: 0 };

  async open(): Promise<void> {
    const listening = (server: Server): Promise<void> => new Promise((done) => server.listen(0, "127.0.0.1", done));
    const bound = (socket: Datagrams): Promise<void> => new Promise((done) => socket.bind(0, "127.0.0.1", done));
    await Promise.all([
      listening(this.#broker),
      this.service.open(),
      bound(this.#trapSocket),
      bound(this.#syslogSocket),
    ]);
    this.ports = {
      traps: portOf(this.#trapSocket),
      syslog: portOf(this.#syslogSocket),
      mqtt: portOf(this.#broker),
    };
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#broker.close();
    this.service.close();
    this.#trapSocket.close();
    this.#syslogSocket.close();
  }

  #datagrams(take: (bytes: Buffer) => void): Datagrams {
    return createSocket("udp4").on("message", take);
  }

  #trap(bytes: Buffer): void {
    const [, trap, ...objects] = parse(bytes).bindings;
    if (trap?.value === SETTING_CHANGED) this.changes.trapped.push(objects.map(({ value }) => String(value)).join());
    const what = TRAPS[String(trap?.value)];
    if (what === undefined) return;
    const prefix = [CONCERNS, DEVICE_CONCERNS, PACK_CONCERNS, PACK_ALARM_NAME, ALARM_NAME];
    const told = objects.find(({ name }) => prefix.some((start) => name.startsWith(start)));
    const { name = "", value = "" } = told ?? {};
    const isFurther = name.startsWith(PACK_CONCERNS) || name.startsWith(PACK_ALARM_NAME);
    const further = isFurther ? Number(name.slice(MIB.length).split(".")[5]) : undefined;
    const pack = name === DEVICE_CONCERNS ? 0 : further;
    this.traps.push({ what, pack, text: String(value) });
  }

  #line(text: string): void {
    const [, priority, code, pack, value = ""] =
      /^<(\d+)>1 \S+ \S+ \S+ \S+ (\S+) \[\S+ pack="(\d+)"(?: value="([^"]*)")?\]/.exec(text) ?? [];
    if (code === undefined) throw new Error(`no line of syslog: ${text}`);
    this.lines.push({ severity: Number(priority) % 8, code, pack: Number(pack), parameters: value.split(" ") });
  }

  #client(socket: Socket): void {
    this.#sockets.add(socket);
    const parser = makeParser({ protocolVersion: 4 });
    socket.setNoDelay();
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    socket.on("data", (bytes) => parser.parse(bytes));
    parser.on("packet", (packet) => {
      if (packet.cmd === "connect") socket.write(generate({ cmd: "connack", sessionPresent: false, returnCode: 0 }));
      else if (packet.cmd === "pingreq") socket.write(generate({ cmd: "pingresp" }));
      else if (packet.cmd === "subscribe") {
        const granted = packet.subscriptions.map(() => 0 as const);
        socket.write(generate({ cmd: "suback", messageId: packet.messageId ?? 0, granted }));
      } else if (packet.cmd === "publish") {
        const text = packet.payload.toString();
        this.topics.set(packet.topic, text);
        const told = text.includes("setting_changed") ? this.changes.published : this.alarms;
        if (packet.topic.endsWith("/alarm")) told.push({ topic: packet.topic, text });
      }
    });
  }
}

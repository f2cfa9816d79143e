/** Hostile and honest clients of a device on XS, on real sockets. */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { MAX_AMPLIFICATION, MAX_REQUESTS_AT_ONCE } from "snmp-agent/limits";
import { parse, request } from "../support/peers/snmp";
import { complete, honest, HOSTILE, inspect, LOOK, OPEN, PATIENCE, STEP } from "./http";
import { snmpPacket } from "./packets";
import type { Random } from "./random";
import { httpRequest, type Secrets } from "./requests";
import { COMMUNITY, SYS_UP_TIME } from "./snmp";
import type { XsFuzzedDevice } from "./xs-device";

const HOST = "127.0.0.1";
const HONEST = "127.0.0.200";
/** A restart would cut off the honest clients. */
const RESTARTS = /restart|factory-reset/;

/** A connection, and what it has received. */
class Client {
  text = "";
  ended = false;
  readonly socket: Socket;

  constructor(port: number, localAddress: string) {
    this.socket = connect({ port, host: HOST, localAddress, noDelay: true });
    this.socket.on("data", (bytes) => (this.text += bytes.toString("latin1")));
    this.socket.on("error", () => undefined).on("close", () => (this.ended = true));
  }
}

export class XsHttpFuzz {
  honest = 0;
  private readonly statuses = new Map<string, number>();
  private open: Client[] = [];

  constructor(
    private readonly device: XsFuzzedDevice,
    private readonly random: Random,
  ) {}

  get answered(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  async run(count: number): Promise<void> {
    const { random } = this;
    let secrets = await this.look();
    for (let sent = 0; sent < count; sent++) {
      if (sent % LOOK === 0) secrets = await this.look();
      let bytes: Buffer;
      do bytes = httpRequest(random, secrets);
      while (RESTARTS.test(bytes.toString("latin1")));
      this.client().socket.write(bytes);
      await this.device.pass(random.below(20));
    }
    await this.look();
  }

  rest(): void {
    for (const client of this.open.splice(0)) this.leave(client);
  }

  end(): void {
    console.log(
      [...this.statuses]
        .sort()
        .map((pair) => pair.join(" × "))
        .join(", "),
    );
  }

  private client(): Client {
    const { open, random, device } = this;
    const at = random.below(OPEN);
    const client = open[at];
    if (client && !client.ended && !random.once(4)) return client;
    if (client) this.leave(client);
    const next = new Client(device.system.probes.port(), `127.0.0.${2 + random.below(HOSTILE)}`);
    return (open[Math.min(at, open.length)] = next);
  }

  private leave({ text, socket }: Client): void {
    inspect(text, this.statuses);
    if (this.random.once(2)) socket.destroy();
    else socket.resetAndDestroy();
  }

  private async look(): Promise<Secrets> {
    this.device.restore();
    const asks = honest();
    let step = asks.next();
    while (!step.done) {
      this.honest++;
      step = asks.next(await this.ask(step.value));
    }
    return step.value;
  }

  /** The 200 to `text` on a new connection; throws if there is none in time, retried as by a client that was refused. */
  private async ask(text: string): Promise<string> {
    const { device } = this;
    let last = "";
    for (let time = 0; time < PATIENCE; time += STEP) {
      const client = new Client(device.system.probes.port(), HONEST);
      await once(client.socket, "connect");
      client.socket.write(text);
      for (; time < PATIENCE && !client.ended && !complete(client.text); time += STEP) await device.pass(STEP);
      last = client.text;
      client.socket.destroy();
      if (last.startsWith("HTTP/1.1 200")) return last;
      await device.pass(STEP);
    }
    throw new Error(`an honest client was not served: ${last || "nothing"}`);
  }
}

export class XsSnmpFuzz {
  honest = 0;
  answered = 0;
  private readonly socket: UdpSocket = createSocket("udp4");
  private readonly responses: Buffer[] = [];

  constructor(
    private readonly device: XsFuzzedDevice,
    private readonly random: Random,
  ) {
    this.socket.on("message", (message) => this.responses.push(message));
  }

  async run(count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += MAX_REQUESTS_AT_ONCE) {
      this.device.restore();
      let longest = 0;
      for (let index = 0; index < MAX_REQUESTS_AT_ONCE; index++) {
        const { bytes } = snmpPacket(this.random, COMMUNITY);
        longest = Math.max(longest, bytes.length);
        this.send(bytes);
      }
      await this.look(longest);
    }
  }

  rest(): void {
    this.responses.length = 0;
  }

  end(): void {
    this.socket.close();
  }

  private send(bytes: Uint8Array): void {
    this.socket.send(bytes, this.device.system.probes.snmpPort(), HOST);
  }

  /** The honest manager is answered, after all that was sent before. */
  private async look(longest: number): Promise<void> {
    const id = 1_000_000 + ++this.honest;
    const own = request([SYS_UP_TIME], { community: COMMUNITY, id });
    const limit = MAX_AMPLIFICATION * Math.max(longest, own.length);
    for (let time = 0; ; time += STEP) {
      if (time > PATIENCE) throw new Error("the manager was not answered");
      if (time % 100 === 0) this.send(own);
      await this.device.pass(STEP);
      for (const response of this.responses.splice(0)) {
        if (response.length > limit) throw new Error(`${response.length} bytes for ${longest}`);
        this.answered++;
        try {
          if (parse(response).id === id) return;
        } catch {
          // The damaged list of a damaged request, sent back with the error.
        }
      }
    }
  }
}

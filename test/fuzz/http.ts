import { HttpServer } from "http-server/server";
import { answer } from "../../src/front";
import { MemoryNetwork, type MemoryClient } from "../support/http/memory-sockets";
import { TOKEN } from "../support/system/system";
import { type FuzzedDevice, PASSWORD } from "./device";
import type { Random } from "./random";
import { httpRequest, type Secrets } from "./requests";

const HONEST = "192.0.2.200";
/** Hostile addresses: each may keep two of the eight connections while others want in. */
export const HOSTILE = 2;
/** Connections that the hostile clients keep open. */
export const OPEN = 8;
/** Requests between two looks at the honest clients. */
export const LOOK = 500;
/** Longer than the server keeps any connection that does nothing, ms. */
const FOR_EVER = 120_000;
export const PATIENCE = 2_000;
export const STEP = 10;

const STATUS = /^HTTP\/1\.1 (\d\d\d) /;
const STATUSES = /^HTTP\/1\.1 (\d\d\d) /gm;

/** How many of each status are in `received`. Throws at a response that is none, and at a status that says the device is at fault. */
export function inspect(received: string, statuses: Map<string, number>): void {
  if (received && !STATUS.test(received)) throw new Error(`no response: ${JSON.stringify(received.slice(0, 200))}`);
  for (const [, status = ""] of received.matchAll(STATUSES)) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === "500") throw new Error(received);
  }
}

/**
 * The two honest clients: one with the token, one that signs in. Yields their requests, for the 200 to each; returns what lets the hostile ones in
 * as well.
 */
export function* honest(): Generator<string, Secrets, string> {
  const got = yield `GET /api HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
  const { success } = JSON.parse(got.slice(got.indexOf("\r\n\r\n"))) as { success?: boolean };
  if (!success) throw new Error(got);
  const body = JSON.stringify({ password: PASSWORD });
  const head = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const signedIn = yield `POST /web/session HTTP/1.1\r\n${head}\r\n\r\n${body}`;
  const cookie = /Set-Cookie: ([^;]*session[^;]*)/.exec(signedIn)?.[1];
  if (!cookie) throw new Error(signedIn);
  return { token: TOKEN, cookie, password: PASSWORD };
}

/** Hostile and honest clients of the device's handler behind a server of its own, on an in-memory network. */
export class HttpFuzz {
  private readonly network: MemoryNetwork;
  private readonly server: HttpServer;
  private readonly faults: unknown[] = [];
  private readonly open: MemoryClient[] = [];
  /** How many responses of each status there were. */
  readonly statuses = new Map<string, number>();
  honest = 0;

  constructor(
    private readonly device: FuzzedDevice,
    private readonly random: Random,
  ) {
    const { firmware, system } = device;
    this.network = new MemoryNetwork(system.board);
    this.server = new HttpServer({
      listener: { io: this.network.Listener, port: 80 },
      socket: { io: this.network.TCP },
      handler: answer,
      target: firmware,
      onFault: (error) => this.faults.push(error),
    });
  }

  /** Sends `count` requests. Throws at the first honest client that is not served, and at what no client may ever be sent. */
  run(count: number): void {
    let secrets = this.secrets();
    for (let sent = 0; sent < count; sent++) {
      if (sent % LOOK === 0) secrets = this.secrets();
      this.send(httpRequest(this.random, secrets));
    }
    this.secrets();
  }

  /** Ends all connections; throws unless the server has then none. */
  end(): void {
    for (const client of this.open.splice(0)) this.leave(client);
    this.advance(FOR_EVER);
    const { connections } = this.server;
    if (connections || this.network.open) throw new Error(`${connections} connections are left`);
  }

  private send(bytes: Buffer): void {
    const { random } = this;
    const client = this.client();
    if (random.once(4)) {
      const cut = random.below(bytes.length + 1);
      client.send(bytes.subarray(0, cut));
      this.advance(random.below(20));
      client.send(bytes.subarray(cut));
    } else client.send(bytes);
    if (random.once(4)) this.advance(random.below(20));
  }

  /** One of at most OPEN connections that the server has not closed. */
  private client(): MemoryClient {
    const { open, random } = this;
    const at = random.below(OPEN);
    const client = open[at];
    if (client && !client.ended && !random.once(4)) return client;
    if (client) this.leave(client);
    return (open[Math.min(at, open.length)] = this.network.connect(`192.0.2.${random.below(HOSTILE)}`));
  }

  private leave(client: MemoryClient): void {
    this.inspect(client);
    if (this.random.once(2)) client.fin();
    else client.rst();
  }

  /** As above; throws also at a fault of the server. */
  private inspect(client: MemoryClient): void {
    inspect(client.take(), this.statuses);
    if (this.faults.length) throw new Error(`a fault: ${String(this.faults[0])}`);
  }

  private secrets(): Secrets {
    this.device.restore();
    this.honest += 2;
    const asks = honest();
    let step = asks.next();
    while (!step.done) step = asks.next(this.ask(step.value));
    return step.value;
  }

  /** The 200 to `request` on a new connection; throws if there is none in time, retried as by a client that was refused. */
  private ask(request: string): string {
    let last = "";
    for (let time = 0; time < PATIENCE;) {
      const client = this.network.connect(HONEST).send(request);
      for (; time < PATIENCE && !client.ended && !complete(client.bytes.toString("latin1")); time += STEP)
        this.advance(STEP);
      last = client.take();
      client.fin();
      if (last.startsWith("HTTP/1.1 200")) return last;
      this.advance(STEP);
      time += STEP;
    }
    throw new Error(`an honest client was not served: ${last || "nothing"}`);
  }

  private advance(ms: number): void {
    this.device.system.skip(ms);
  }
}

export function complete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = /Content-Length: (\d+)/.exec(text)?.[1];
  return end >= 0 && (length === undefined || text.length >= end + 4 + Number(length));
}

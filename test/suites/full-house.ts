/**
 * The most that a board has to bear at once: eight ordinary clients, each from its own address, two pages, MQTT by TLS, SNMP, syslog and
 * notifications that wait, a scrape and a query of the history, with as many packs as the board bears.
 */
import { createSocket } from "node:dgram";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { finished } from "node:stream/promises";
import type { ConfiguredSettings } from "../../src/settings/settings";
import { NOTIFY_ON, SNMP_ON, SYSLOG_ON } from "../bench/interfaces";
import { Random } from "../fuzz/random";
import { GET_BULK, request as snmpRequest } from "../support/peers/snmp";
import { plant, RINGS } from "../support/system/history-flash";
import { TOKEN } from "../support/system/system";
import { setUpCode, WebClient } from "../support/web/web-client";

const SECOND = 1_000;
/** Between two turns of the sockets, virtual ms. */
const STEP = 20;
const CLIENTS = 8;
const PAGES = 2;
const PASSWORD = "correct horse";
/** To sign in, a second apart. */
const ATTEMPTS = 60;
/** Longest pause of a client between two requests, ms. */
const PAUSE = 1_000;
/** Between two requests of the SNMP manager, ms, and the rows that it wants at once. */
const SCAN = 500;
const ROWS = 20;
/** Those that read nothing, and how long they stay, ms: the server waits that long for none of them. */
const CROWD = 60;
const CROWD_STAYS = 5_000;
/** Of the flash, and those of a ring that are not full. */
const SECTOR = 4_080;
const FREE_SECTORS = 3;

const PATHS = ["/metrics", "/api/history", "/api/bms/status", "/api", "/api/history?series=hours"];
const DOCUMENTS = ["status", "config", "queue", "summary", "device", "packs", "records?series=fine&last=144", "log"];
const COLUMNS = ["1.3.6.1.2.1.33.1.2", "1.3.6.1.2.1.1"];
/** What a client meets whose place went to another. */
const LOST = ["ECONNRESET", "EPIPE", "ECONNREFUSED", "ERR_STREAM_PREMATURE_CLOSE"];

/** What the guests got. */
export class Served {
  /** Answers by status. */
  readonly answers = new Map<number, number>();
  /** Connections closed before an answer: their place went to another. */
  lost = 0;
  /** Answers of the SNMP agent. */
  snmp = 0;

  /** Counts an answer. Throws if it is none that a client may get. */
  async count(incoming: IncomingMessage): Promise<void> {
    const status = incoming.statusCode ?? 0;
    await finished(incoming.resume());
    if (status !== 200 && status !== 503) throw new Error(`an answer with ${status}`);
    if (status === 503 && !(Number(incoming.headers["retry-after"]) > 0)) throw new Error("503 without Retry-After");
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }

  /** Throws the error unless it says that the place went to another. */
  lose(error: unknown): void {
    const { code = "", message } = error as Error & { code?: string };
    if (!LOST.includes(code) && message !== "aborted") throw error;
    this.lost++;
  }
}

/** Asks for one document after another on a connection that it keeps. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #asked: number;

  constructor(
    readonly served: Served,
    readonly url: string,
    readonly localAddress: string,
    first: number,
  ) {
    this.#asked = first;
  }

  async visit(): Promise<void> {
    const path = PATHS[this.#asked++ % PATHS.length]!;
    const { localAddress } = this;
    const headers = { authorization: `Bearer ${TOKEN}` };
    const outgoing = httpRequest(this.url + path, { agent: this.#agent, headers, localAddress });
    try {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) =>
        outgoing.on("response", resolve).on("error", reject).end(),
      );
      await this.served.count(incoming);
    } catch (error) {
      this.served.lose(error);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Listens, and asks for its documents. */
class Page {
  #stream: IncomingMessage | undefined;

  private constructor(
    readonly served: Served,
    readonly client: WebClient,
  ) {}

  /** Signs in; the first of all chooses the password. */
  static async open(served: Served, host: Host, from: string, isFirst: boolean): Promise<Page> {
    const client = new WebClient(host, from);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let status: number | undefined;
      let failure: unknown;
      const code = isFirst && setUpCode(host.console);
      (code ? client.post("/web/password", { new: PASSWORD, code }) : client.signIn(PASSWORD)).then(
        (answer) => (status = answer.status),
        (error: unknown) => (failure = error),
      );
      while (status === undefined && failure === undefined) await host.advance(STEP);
      if (status === 200) return new Page(served, client);
      if (failure) served.lose(failure);
      else if (status !== 503) throw new Error(`signing in: ${status}`);
      await host.advance(SECOND);
    }
    throw new Error("no memory to sign in");
  }

  async visit(): Promise<void> {
    try {
      if (!this.#stream || this.#stream.destroyed) {
        const stream = await this.client.open("GET", "/web/events");
        if (stream.statusCode !== 200) return await this.served.count(stream);
        this.#stream = stream.on("error", () => undefined).resume();
      }
      for (const document of DOCUMENTS) await this.served.count(await this.client.open("GET", `/web/${document}`));
    } catch (error) {
      this.served.lose(error);
    }
  }

  close(): void {
    this.#stream?.destroy();
  }
}

/** Sixty that ask and never read, from one address; others take their turn. */
class Crowd {
  #sockets: Socket[] = [];

  constructor(readonly port: number) {}

  come(): void {
    this.close();
    this.#sockets = Array.from({ length: CROWD }, () => {
      const socket = connect({ port: this.port, host: "127.0.0.1", localAddress: "127.0.3.1" });
      socket.on("error", () => undefined).pause();
      socket.write(`GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
      return socket;
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** A device that runs, whose time the load moves. */
export interface Host {
  readonly url: string;
  readonly console: readonly string[];
  /** UDP port of its SNMP agent. */
  readonly snmpPort: number;
  /** Its time, ms. */
  now(): number;
  /** Lets `ms` of it pass. Throws when the firmware has ended. */
  advance(ms: number): Promise<void>;
}

/** What every interface needs to be busy. `mqtt`: the broker's TLS port and its CA. */
export const houseSettings = ({ port, ca }: { readonly port: number; readonly ca: string }): ConfiguredSettings => ({
  mqtt: { enabled: true, host: "127.0.0.1", port, tls: true, ca },
  ...SNMP_ON,
  ...SYSLOG_ON,
  ...NOTIFY_ON,
});

/** The packs behind the first, at addresses 2 to `packs`. */
export const furtherOf = (packs: number): { readonly address: number; readonly name: string }[] =>
  Array.from({ length: packs - 1 }, (_, at) => ({ address: at + 2, name: `Pack ${at + 2}` }));

/** Fills the ten minutes: all that a query may have to look through. `end`: the time, seconds since 1970. */
export function fillHistory(flash: Uint8Array, end: number): void {
  const { record, sectors } = RINGS.fine;
  const many = Math.floor(SECTOR / record);
  const full = sectors - FREE_SECTORS;
  const payload = [50, 20, 0x50, 0x80, 1, 0x80, 0, 0x80, 2, 13, 0, 4, 120, 125, 10, 1];
  for (let sector = 0; sector < full; sector++) {
    const records = Array.from(
      { length: many },
      (_, at) => [end - ((full - sector) * many - at) * 600, payload] as const,
    );
    plant(flash, "fine", sector, sector + 1, records);
  }
}

/** What may be worse than the plain load. */
export interface Load {
  /** Of the pauses. */
  readonly seed?: number;
  /** Sixty clients that read nothing. */
  readonly crowded?: boolean;
  /** The clients ask at once, and all for the same. */
  readonly together?: boolean;
}

/** Lets it go on for `seconds`. Throws if the firmware ends, or a client gets what it must not. */
export async function fillHouse(
  host: Host,
  seconds: number,
  { seed = 1, crowded = false, together = false }: Load = {},
): Promise<Served> {
  const random = new Random(seed);
  const served = new Served();
  const manager = createSocket("udp4").on("message", () => served.snmp++);
  const guests: (Client | Page)[] = [];
  const crowd = new Crowd(Number(new URL(host.url).port));
  try {
    for (let at = 0; at < CLIENTS; at++)
      guests.push(new Client(served, host.url, `127.0.1.${at + 1}`, together ? 0 : at));
    for (let at = 0; at < PAGES; at++) guests.push(await Page.open(served, host, `127.0.2.${at + 1}`, at === 0));
    const end = host.now() + seconds * SECOND;
    // Together: at each full second.
    const later = (now: number): number => now + (together ? PAUSE - (now % PAUSE) : random.below(PAUSE));
    const next = guests.map(() => later(host.now()));
    let nextScan = 0;
    let nextCrowd = crowded ? 0 : Infinity;
    let failure: unknown;
    for (let now = host.now(); now < end; now = host.now()) {
      guests.forEach((guest, at) => {
        if (next[at]! > now) return;
        next[at] = Infinity;
        guest.visit().then(
          () => (next[at] = later(host.now())),
          (error: unknown) => (failure ??= error),
        );
      });
      if (nextScan <= now) {
        nextScan = now + SCAN;
        manager.send(snmpRequest(COLUMNS, { pdu: GET_BULK, second: ROWS }), host.snmpPort, "127.0.0.1");
      }
      if (nextCrowd <= now) {
        nextCrowd = now + CROWD_STAYS;
        crowd.come();
      }
      await host.advance(STEP);
      if (failure) throw failure as Error;
    }
    return served;
  } finally {
    for (const guest of guests) guest.close();
    crowd.close();
    manager.close();
  }
}

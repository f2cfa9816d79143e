/** Who asks an emulated board: clients with addresses of their own, at the board's time, and what became of each of their requests. */
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TOKEN } from "../support/system/system";
import { WebClient } from "../support/web/web-client";
import { ROUTER } from "./command";
import type { Machine } from "./machine";

/** Between two looks at the board's time, ms. */
const LOOK = 20;
const SECOND = 1000;
const PATHS = ["/metrics", "/api/history", "/api/bms/status", "/api", "/"];
const DOCUMENTS = ["status", "config", "queue", "summary", "device", "packs", "records?series=fine&last=144", "log"];
const BEARER = { authorization: `Bearer ${TOKEN}` };
/** The board knows itself by its address in the router's network. */
const HEADERS = { host: ROUTER.lease, origin: `http://${ROUTER.lease}` };

/** The board's time, read so often that everybody can wait for it. */
export class BoardTime {
  now = 0;
  #ended = false;

  private constructor(readonly machine: Machine) {}

  static async of(machine: Machine): Promise<BoardTime> {
    const time = new BoardTime(machine);
    time.now = await machine.now();
    void time.#look();
    return time;
  }

  async #look(): Promise<void> {
    while (!this.#ended) {
      this.now = await this.machine.now().catch(() => this.now);
      await sleep(LOOK);
    }
  }

  async until(time: number): Promise<void> {
    while (this.now < time && !this.#ended) await sleep(LOOK);
  }

  end(): void {
    this.#ended = true;
  }
}

function countIn<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const listOf = (counts: Map<string, number>): string =>
  [...counts].map(([what, count]) => `${count} ${what}`).join(", ");

/** What became of requests. */
export class Tally {
  /** Whole answers by status. */
  readonly answers = new Map<number, number>();
  /** Connections that ended in the middle of an answer, and before one. */
  readonly cut: string[] = [];
  closed = 0;
  /** Of `closed`, by what the client was told and whether the connection had served it before. */
  readonly closings = new Map<string, number>();
  /** Answers but those with 200, by status and path. */
  readonly others = new Map<string, number>();
  /** How long whole answers took, seconds of the board, by path. */
  readonly seconds = new Map<string, number[]>();

  get asked(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, this.cut.length + this.closed);
  }

  count(status: number): number {
    return this.answers.get(status) ?? 0;
  }

  /** Of all requests, those with 503 and those without an answer. */
  get refused(): number {
    return (this.count(503) + this.closed) / this.asked;
  }

  get text(): string {
    const answers = [...this.answers].map(([status, count]) => `${count} with ${status}`);
    return `${this.asked} requests: ${[...answers, `${this.closed} closed before an answer (${listOf(this.closings)})`, `${this.cut.length} cut`].join(", ")}; ${listOf(this.others)}`;
  }

  /** By path: the middle, and the longest. */
  get times(): string {
    return [...this.seconds]
      .map(([path, all]) => {
        const sorted = [...all].sort((one, other) => one - other);
        return `${path} ${sorted[sorted.length >> 1]!.toFixed(1)} s, at most ${sorted.at(-1)!.toFixed(1)} s`;
      })
      .join("; ");
  }
}

interface Asked {
  readonly url: string;
  readonly agent: Agent;
  readonly localAddress: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks for a document and counts what becomes of it. */
export function ask(tally: Tally, time: BoardTime, { url, ...options }: Asked): Promise<void> {
  const begin = time.now;
  return new Promise((resolve) => {
    const outgoing = httpRequest(url, options);
    let incoming: IncomingMessage | undefined;
    let bytes = 0;
    outgoing.on("response", (answer) => {
      incoming = answer;
      answer.on("data", (piece: Buffer) => (bytes += piece.length)).on("error", () => undefined);
    });
    let why = "";
    outgoing.on("error", ({ code = "", message }: NodeJS.ErrnoException) => (why = code || message));
    outgoing.on("close", () => {
      if (!incoming) {
        const kind = `${why}${outgoing.reusedSocket ? " on a kept connection" : ""}`;
        tally.closed++;
        countIn(tally.closings, kind);
      } else if (incoming.complete) {
        countIn(tally.answers, incoming.statusCode!);
        const { pathname } = new URL(url);
        if (incoming.statusCode !== 200) countIn(tally.others, `${incoming.statusCode} ${pathname}`);
        const times = tally.seconds.get(pathname) ?? [];
        times.push((time.now - begin) / SECOND);
        tally.seconds.set(pathname, times);
      } else tally.cut.push(`${new URL(url).pathname} after ${bytes} bytes`);
      resolve();
    });
    outgoing.end();
  });
}

/** One that asks for something once a second, until it is told to stop. */
abstract class Guest {
  readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #stopped = false;
  #done: Promise<void> = Promise.resolve();

  constructor(
    readonly tally: Tally,
    readonly time: BoardTime,
    readonly localAddress: string,
  ) {}

  /** @param offset of its seconds, ms */
  start(offset: number): void {
    this.#done = this.#run(offset);
  }

  async #run(offset: number): Promise<void> {
    for (let next = this.time.now + offset; !this.#stopped; next = Math.max(next + SECOND, this.time.now)) {
      await this.time.until(next);
      await this.visit();
    }
  }

  protected abstract visit(): Promise<void>;

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
    this.agent.destroy();
  }
}

/** Asks for metrics, history, status, /api and the page in turn. */
export class Client extends Guest {
  #asked = Math.floor(Math.random() * PATHS.length);

  protected visit(): Promise<void> {
    const url = this.time.machine.url + PATHS[this.#asked++ % PATHS.length]!;
    return ask(this.tally, this.time, { url, agent: this.agent, localAddress: this.localAddress, headers: BEARER });
  }
}

/** Listens, and asks for its documents in turn. */
export class Page extends Guest {
  #stream: IncomingMessage | undefined;
  #client: WebClient | undefined;
  #asked = 0;
  /** Streams opened. */
  streams = 0;

  async signIn(password: string): Promise<void> {
    const client = new WebClient(this.time.machine, this.localAddress);
    for (let status = 0; status !== 200;) {
      const answer = await client.send("POST", "/web/session", { body: { password }, headers: HEADERS });
      ({ status } = answer);
      if (status !== 200 && status !== 503) throw new Error(`signing in is answered with ${status}`);
      if (status === 503) await this.time.until(this.time.now + SECOND);
    }
    this.#client = client;
  }

  protected async visit(): Promise<void> {
    if (!this.#stream || this.#stream.destroyed) {
      const stream = await this.#client!.open("GET", "/web/events", { headers: HEADERS }).catch(() => undefined);
      if (stream?.statusCode === 200) this.streams++;
      this.#stream = stream?.on("error", () => undefined).resume();
      if (stream?.statusCode !== 200) stream?.destroy();
    }
    await ask(this.tally, this.time, {
      url: `${this.time.machine.url}/web/${DOCUMENTS[this.#asked++ % DOCUMENTS.length]!}`,
      agent: this.agent,
      localAddress: this.localAddress,
      headers: { ...HEADERS, cookie: this.#client!.cookie!, "sec-fetch-site": "same-origin" },
    });
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.#stream?.destroy();
  }
}

/** As many connections that ask for the metrics and read nothing. Returns what ends them. */
export function unreading(machine: Machine, count: number, localAddress: string): () => void {
  const port = Number(new URL(machine.url).port);
  const sockets: Socket[] = Array.from({ length: count }, () => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.on("error", () => undefined).pause();
    socket.write(`GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: ${BEARER.authorization}\r\n\r\n`);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/**
 * A mock device for the page's tests: answers as documented in src/web/README.md, with data that a test may change, and can do on demand
 * what the simulator rarely does (refuse event streams, go silent, end the session).
 */
import type { WriteReport } from "../../../src/bms/outcomes";
import { faultsIn } from "../../../src/catalogue/alarms";
import { severityOf } from "../../../src/conditions/table";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery } from "../../../web/documents.ts";
import { POLICY } from "../../../src/web/policy.ts";
import { PARAMETERS } from "../../../web/tables.ts";
import { past } from "./past-data.ts";
import * as data from "./web-mock-data.ts";

interface Fact {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  readonly file: string;
}

const COUNTERS = ["status", "config", "queue", "relay", "device", "settings", "urgent"] as const;
type Counter = (typeof COUNTERS)[number];

type Values = Record<string, unknown>;

/** The device's: an event at least this often, ms. */
const HEARTBEAT = 15_000;

export const PASSWORD = "correct horse";

/** What the device answers for who came by a read-only link (src/web/router.ts); events it has at another place. */
const VIEWED = /^\/web\/(session|status|config|queue|energy|packs|records|history\.csv)$/;

type Status = ReturnType<typeof data.status>;
type Bms = ReturnType<typeof data.bms>;

/** As the device: by what needs attention, the alarms, and whether the BMS answers. */
const judged = (status: Status, bms: Bms): object => {
  const isWell = !faultsIn(status.alarmCode) && bms.concerns.every((code) => severityOf(code) === "notice");
  return { ...bms, well: status.online && bms.age !== null && isWell };
};

export class WebMock {
  /** Current and power of the events, mA and mW. */
  flow: { readonly current?: number; readonly power?: number } = {};
  /** Tests may change these and then call `touch` to notify the page. */
  status = data.status();
  bms = data.bms();
  config = data.config();
  setup = data.setup();
  reference = data.reference();
  /** Of packs, by address, that do not have the first one's. */
  packSetup: Readonly<Record<string, Partial<typeof this.setup>>> = {};
  packConfig: Readonly<Record<string, typeof this.config>> = {};
  queue = data.queue();
  summary = data.summary();
  device = data.device();
  groups: Record<string, Values> = data.groups();
  history = data.history();
  /** Raw records by series, as they are in flash; none of a series: 503. */
  records: Partial<Record<"fine" | "hours" | "days" | "cells" | "events" | "today", Buffer>> = past();
  /** Wh. */
  energy: Values = data.energy();
  /** `data` of /web/packs, and the status by address. */
  packs: Values = {};
  /** `data` of /web/packs/search, and why none begins. */
  search: Values = data.search();
  searchProblem = "";
  /** `data` of /web/packs/settings, and the error of the next POST. */
  job: Values = { running: false, setting: null, problem: "", packs: [] };
  jobProblem = "";
  /** `data` of /web/bms-log by the pack's address; none: 503. */
  bmsLogs: Record<string, Values> = {
    "1": {
      ...{ ageSeconds: 60, uptime: 31_536_000, total: 3 },
      entries: [
        { uptime: 31_449_600, code: 18, event: "cell_overvoltage_released" },
        { uptime: 31_449_000, code: 106, event: "cell_7_overcharged" },
        { uptime: 1_047_240, code: 4, event: "app_charging_on" },
      ],
    },
  };
  packStatus: Record<string, { readonly data: Values; readonly bms: Values }> = {};
  /** What a service says of a test message; or what is in the way of one. */
  told: Delivery = { problem: "", status: 200, answer: "delivered", message: "Taken. It answered 200: delivered" };
  log = data.log();
  password = PASSWORD;
  token = "0123456789abcdef0123456789abcdef";
  tokens: Values[] = [];
  links: Values[] = [{ number: 0, name: "Wall tablet", write: false }];
  /** Browsers that are signed in besides. */
  others = 0;
  firstStart = false;
  safeMode = false;
  /** Who signs in is a guest. */
  guest = false;
  /** By a read-only link. */
  link = false;
  /** What the session tells of the device's clock. */
  clock: { readonly zone?: string; readonly offset?: number } = {};
  /** There is a guest password. */
  guests = false;
  /** The stored password is damaged. */
  passwordLost = false;
  /** The first start asks for the code, or for a press of the button. */
  hasButton = false;
  /** Event streams allowed. */
  maxListeners = 2;
  /** Event streams go silent without a change. */
  silent = false;
  /** How the next write ends. */
  ending: Pick<WriteReport, "outcome" | "detail"> = { outcome: "confirmed", detail: "" };
  /** Names of the commands and parameters that the BMS refuses (exception 4). */
  refuse: (name: string) => boolean = () => false;
  /** V by which the pack is above the connected ones, if a MOSFET is switched on; null: not known. */
  above: number | null | undefined;
  /** Duration of a write, ms; Infinity: until `endWrites`. */
  writeTime = 300;
  readonly #heldWrites: (() => void)[] = [];
  /** POST requests received: path and body. */
  readonly posts: [string, unknown][] = [];
  /** Paths of requests received. */
  readonly requests: string[] = [];
  /** Paths of requests answered. */
  readonly answered: string[] = [];
  /** Open requests without event streams, and their peak. */
  open = 0;
  mostOpen = 0;
  /** What happens instead to the page's files at these paths: no connection free, cut off half-way, or other contents. */
  readonly files = new Map<string, "busy" | "cut" | Buffer>();
  /** Requests that are held. */
  waiting = 0;
  #held: Promise<void> | undefined;

  readonly #folder: string;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  readonly #sessions = new Set<string>();
  readonly #counters: Record<Counter, number> = {
    status: 1,
    config: 1,
    queue: 1,
    relay: 1,
    device: 1,
    settings: 1,
    urgent: 1,
  };
  #scanned = false;
  readonly #heartbeat = setInterval(() => {
    if (!this.silent) for (const stream of this.#streams) this.#tell(stream);
  }, HEARTBEAT);

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  /** @param folder output of buildWeb() */
  static async start(folder: string, port = 0): Promise<WebMock> {
    const mock = new WebMock(folder);
    await new Promise<void>((resolve) => mock.#server.listen(port, "127.0.0.1", resolve));
    return mock;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get listeners(): number {
    return this.#streams.size;
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Notifies the page of a change. */
  touch(...names: Counter[]): void {
    for (const name of names.length ? names : COUNTERS) this.#counters[name]++;
    // A status changed by a test must show at once.
    if (names.includes("status")) this.#counters.urgent++;
    for (const stream of this.#streams) this.#tell(stream);
  }

  /** Begins a session, as a sign-in does. Returns the value of its cookie. */
  session(): string {
    const id = String(Math.random());
    this.#sessions.add(id);
    return id;
  }

  /** Holds all responses until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return () => {
      this.#held = undefined;
      release();
    };
  }

  endSessions(): void {
    this.#sessions.clear();
    for (const stream of this.#streams) stream.end();
  }

  #tell(stream: ServerResponse): void {
    stream.write(`data: ${JSON.stringify({ ...this.#counters, ...this.flow })}\n\n`);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://device");
    const method = request.method ?? "GET";
    this.requests.push(`${method} ${pathname}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (pathname === "/web/events") return this.#listen(request, response);
    response.on("finish", () => this.answered.push(`${method} ${pathname}`));
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    response.on("close", () => this.open--);
    if (!pathname.startsWith("/web/")) return this.#file(pathname, response);
    if (this.#held) {
      this.waiting++;
      await this.#held;
      this.waiting--;
    }
    const isImage = request.headers["content-type"] === "application/octet-stream";
    const text = Buffer.concat(chunks).toString();
    const body = text && !isImage ? (JSON.parse(text) as Values) : {};
    if (method === "POST") this.posts.push([pathname, isImage ? text.length : body]);
    this.#answer(method, this.#ofPack(pathname, searchParams), body, searchParams, request, response, text);
  }

  /** All packs have the first one's configuration, queue and writes; `posts` and `requests` tell which was meant. */
  #ofPack(path: string, query: URLSearchParams): string {
    const [, address = "", resource = ""] = /^\/web\/packs\/(\d+)\/(\w+)$/.exec(path) ?? [];
    if (!address) return path;
    query.set("pack", address);
    return resource === "accept" ? "/web/accept" : `/web/${resource}`;
  }

  #file(path: string, response: ServerResponse): void {
    const facts = JSON.parse(readFileSync(`${this.#folder}/facts.json`, "utf8")) as Fact[];
    const fact = facts.find(({ name }) => path === `/${name}` || (path === "/" && name === "index.html"));
    if (!fact) {
      response.writeHead(404).end();
      return;
    }
    const instead = this.files.get(path);
    if (instead === "busy") {
      response.writeHead(503, { "Retry-After": "2" }).end();
      return;
    }
    const content = readFileSync(`${this.#folder}/${fact.file}`);
    response.writeHead(200, {
      "Content-Type": fact.type,
      "Content-Encoding": "gzip",
      "Content-Length": (instead instanceof Buffer ? instead : content).length,
      "Content-Security-Policy": POLICY,
      "X-Content-Type-Options": "nosniff",
      ETag: `"${fact.etag}"`,
    });
    if (instead === "cut") response.write(content.subarray(0, content.length / 2), () => response.destroy());
    else response.end(instead ?? content);
  }

  #isSignedIn({ headers }: IncomingMessage): boolean {
    return this.#sessions.has(/session=([^;]*)/.exec(headers.cookie ?? "")?.[1] ?? "");
  }

  #listen(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#isSignedIn(request)) response.writeHead(401).end();
    else if (this.#streams.size >= this.maxListeners) response.writeHead(503).end();
    else {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      this.#streams.add(response);
      response.on("close", () => this.#streams.delete(response));
      this.#tell(response);
    }
  }

  #answer(
    method: string,
    path: string,
    body: Values,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
    text: string,
  ): void {
    const signedIn = this.#isSignedIn(request);
    const json = (status: number, answer: object, headers = {}): void => {
      response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(answer));
    };
    const give = (value: unknown, beside = {}): void => json(200, { success: true, data: value, ...beside });
    const fail = (status: number, error: string): void => json(status, { success: false, error });
    const done = (): void => void response.writeHead(204).end();
    const begin = (): void =>
      json(200, { success: true }, { "Set-Cookie": `session=${this.session()}; Path=/; HttpOnly; SameSite=Strict` });
    if (signedIn && this.link && (!VIEWED.test(path) || query.get("series") === "events")) return fail(403, "guest");
    const route = `${method} ${path}`;
    switch (route) {
      case "GET /web/session":
        return give({
          safeMode: this.safeMode,
          firstStart: this.firstStart,
          signedIn,
          guest: this.guest,
          link: this.link,
          guests: this.guests,
          passwordLost: this.passwordLost,
          codeWanted: this.hasButton,
          button: this.hasButton,
          idleSeconds: 1_800,
          stayDays: 30,
          language: "",
          ...this.clock,
        });
      case "POST /web/button":
        return give({ state: "waiting", number: "12" });
      case "POST /web/session":
        if (this.firstStart) return fail(409, "no-password");
        if (body["password"] !== this.password) return fail(401, "wrong-password");
        return begin();
      case "POST /web/password": {
        const { firstStart } = this;
        if (!firstStart && signedIn && body["old"] === undefined) return fail(400, "Required field: old (text).");
        if (!firstStart && body["old"] !== this.password) return fail(401, "wrong-password");
        this.password = String(body["new"]);
        this.firstStart = false;
        return firstStart ? begin() : done();
      }
    }
    if (!signedIn) return fail(401, "not-signed-in");
    const group = /^\/web\/group\/(\w+)$/.exec(path)?.[1];
    if (group) {
      if (method === "GET") return give(query.has("secrets") ? this.groups[group] : hide(this.groups[group] ?? {}));
      if (Buffer.byteLength(text) > 1_024) return fail(413, "The request body must be 1 to 1024 bytes.");
      this.groups[group] = { ...this.groups[group], ...body };
      this.touch();
      return give({});
    }
    if (/^\/web\/packs\/\d+\/bms-log$/.test(path)) {
      const log = this.bmsLogs[path.split("/")[3] as string];
      return log ? give(log) : fail(503, "The log of the BMS has not been read yet.");
    }
    switch (route) {
      case "DELETE /web/session":
        this.#sessions.clear();
        return done();
      case "GET /web/status": {
        const pack = query.get("pack");
        if (pack === null) return give(this.status, { bms: judged(this.status, this.bms) });
        const one = this.packStatus[pack];
        return one
          ? give(one.data, { bms: judged(one.data as Status, one.bms as Bms) })
          : fail(404, "There is no such pack.");
      }
      case "GET /web/packs/search":
        return give(this.search);
      case "POST /web/packs/search":
        if (this.searchProblem) return fail(409, this.searchProblem);
        this.search = { ...this.search, searching: true, searched: 0, found: [] };
        return json(202, { success: true, data: this.search });
      case "GET /web/packs/settings":
        return give(this.job);
      case "POST /web/packs/settings":
        if (this.jobProblem) return fail(409, this.jobProblem);
        return json(202, { success: true, status: "queued", data: {} });
      case "GET /web/packs":
        return give({ packs: [{ address: 1, name: "" }], ...this.packs });
      case "POST /web/notifications":
        return give(this.told);
      case "POST /web/accept":
        for (const pack of this.packs["packs"] as Values[])
          if (String(pack["address"]) === query.get("pack")) pack["swapped"] = false;
        return give({});
      case "GET /web/config":
        if (this.packConfig[query.get("pack") ?? ""]) return give(this.packConfig[query.get("pack") ?? ""]!);
        return this.config.loaded ? give(this.config) : fail(503, "The BMS setup frame is not loaded yet.");
      case "GET /web/reference":
        return give(this.reference);
      case "POST /web/reference": {
        const { setting } = body as { setting: string };
        const differences = this.reference.differences.filter((row) => setting !== "all" && row.setting !== setting);
        this.reference = { ...this.reference, count: differences.length, differences };
        return give({});
      }
      case "GET /web/setup":
        // As the device: only of a BMS that answers, and whose settings have been read.
        if (!this.status.online || !this.config.loaded) return fail(503, "The BMS setup frame is not loaded yet.");
        return give(this.packSetup[query.get("pack") ?? ""] ?? this.setup);
      case "GET /web/queue":
        return give(this.queue);
      case "GET /web/summary":
        return give(this.summary);
      case "GET /web/device":
        return give(this.device);
      case "GET /web/sessions":
        return give(
          Array.from({ length: 1 + this.others }, (_, at) => ({
            ...{ number: at + 1, address: `192.0.2.${at + 1}`, since: 60, idle: 0, guest: false, own: !at },
          })),
        );
      case "DELETE /web/sessions":
        if (query.has("number")) this.others--;
        else this.#sessions.clear();
        return done();
      case "POST /web/guest":
        this.guests = body["password"] !== "";
        return give({});
      case "GET /web/tokens":
        return give(this.tokens);
      case "POST /web/tokens":
        this.tokens.push({ number: 1, name: body["name"], write: body["write"] });
        return give({ number: 1, token: this.token });
      case "DELETE /web/tokens":
        this.tokens = this.tokens.filter(({ number }) => String(number) !== query.get("number"));
        return done();
      case "GET /web/links":
        return give(this.links);
      case "POST /web/links":
        this.links.push({ number: this.links.length, name: body["name"], write: false });
        return give({ number: this.links.length - 1, token: this.token });
      case "GET /web/token":
        return give({ token: this.token });
      case "POST /web/token":
        this.token = this.token.split("").reverse().join("");
        return give({ token: this.token });
      case "GET /web/log":
        return give(this.log);
      case "GET /web/energy":
        return give(this.energy);
      case "GET /web/records": {
        const records = this.records[query.get("series") as "fine"];
        if (!records) return fail(503, "There is no history: its flash cannot be used.");
        response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(records);
        return;
      }
      case "GET /web/history.csv":
        response.writeHead(200, { "Content-Type": "text/csv" }).end(this.history);
        return;
      case "POST /web/scan":
        this.#scanned = false;
        return give({});
      case "GET /web/scan": {
        const scanning = !this.#scanned;
        this.#scanned = true;
        return give({ scanning, networks: scanning ? [] : data.NETWORKS });
      }
      case "POST /web/relay":
        this.summary.relay = body["state"] ? 1 : 0;
        this.touch("relay");
        return give({});
      case "POST /web/commands":
      case "POST /web/parameters":
        return this.#write(body, (status, answer) => json(status, answer));
      case "POST /web/update":
        return text.startsWith("bad") ? fail(400, "not-firmware") : give({});
      case "GET /web/update":
        return give({ state: "idle", received: 0, size: 0, error: "" });
      case "POST /web/test/snmp":
        return give({ sent: 0 });
      case "POST /web/test/mqtt":
      case "POST /web/test/time":
      case "POST /web/restart":
      case "POST /web/factory-reset":
        return done();
      default:
        fail(404, "Not found.");
    }
  }

  #write(body: Values, json: (status: number, answer: object) => void): void {
    if (this.queue.pending)
      return json(409, {
        success: false,
        error: "Another write is pending; try again when it has ended.",
        data: { pending: true },
      });
    if (!this.status.online) return json(409, { success: false, error: "BMS indisponivel.", data: { pending: false } });
    const connects = String(body["command"]).endsWith("_mos") && body["state"] === true;
    const above = connects ? this.above : undefined;
    if (above && body["force"] !== true)
      return json(409, {
        success: false,
        error: "Pack 2 is not at the voltage of the connected packs.",
        data: { pending: false, reason: "off-voltage", above },
      });
    json(202, { success: true, status: "queued", data: above === null ? { above } : {} });
    this.beginWrite(body);
  }

  /** Performs a write, also for another client. */
  beginWrite(body: Values): void {
    this.queue = { ...this.queue, pending: true };
    this.touch("queue");
    const end = (): void => this.#endWrite(body);
    if (this.writeTime === Infinity) this.#heldWrites.push(end);
    else setTimeout(end, this.writeTime);
  }

  /** Ends the writes that are held. */
  endWrites(): void {
    for (const end of this.#heldWrites.splice(0)) end();
  }

  #endWrite(body: Values): void {
    const name = String(body["command"] ?? body["setting"]);
    const ending = this.refuse(name) ? ({ outcome: "refused", detail: "4" } as const) : this.ending;
    const lastCommandOk = ending.outcome === "confirmed";
    const value = body["state"] === undefined ? String(body["value"]) : body["state"] ? "on" : "off";
    if (lastCommandOk && body["command"]) this.bms.switches = { ...this.bms.switches, [name]: body["state"] === true };
    const row = PARAMETERS.find((one) => one.name === body["setting"]);
    if (lastCommandOk && row && row.kind !== "text")
      (this.config[row.object] as Values)[row.member] = row.kind === "boolean" ? body["value"] === true : Number(value);
    this.queue = {
      ...this.queue,
      pending: false,
      lastCommandOk,
      lastCommand: `${name} ${value}`,
      last: { name, value, unit: PARAMETERS.find((row) => row.name === name)?.unit ?? "", ...ending },
    };
    this.touch("queue", "config", "status");
  }
}

const SECRETS = /^(password|community|(token|url|channel)\d?)$/;

function hide(group: Values): Values {
  return Object.fromEntries(
    Object.entries(group).map(([member, value]) => [member, SECRETS.test(member) ? value !== "" : value]),
  );
}

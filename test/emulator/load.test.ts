import { createSocket } from "node:dgram";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { MIN_FREE } from "../../src/health/limits";
import { fillHistory, furtherOf } from "../suites/full-house";
import { freeUdpPort } from "../support/free-port";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { GET_BULK, request as snmpRequest } from "../support/peers/snmp";
import { TOKEN } from "../support/system/system";
import { Authority } from "../support/tls/certificates";
import { type Addresses, ownAddresses } from "./addresses";
import { ROUTER } from "./command";
import { partitionsOf } from "./flash";
import { ask, BoardTime, Client, Page, Tally, unreading } from "./guests";
import { BOARD, Machine, newBoard, scrap, until, WIFI } from "./machine";
import { OWNED, Owner, PASSWORD } from "./owner";
import { serveTime } from "./time";

if (!WIFI) throw new Error("This QEMU has no Wi-Fi: these tests need lcgamboa/qemu (docs/building.md)");

/** For how long the ordinary load lasts, in seconds of the board, and how often the broker goes away. */
const SECONDS = Number(process.env["LOAD_SECONDS"] ?? 60);
const OUTAGES = Math.max(1, Math.min(10, Math.floor(SECONDS / 180)));
const PACKS = 8;
/** Who asks once a second. */
const CLIENTS = Number(process.env["LOAD_CLIENTS"] ?? 8);
const PAGES = Number(process.env["LOAD_PAGES"] ?? 2);
/** Few are refused, none cut, and few polls lost: to be judged on an idle PC only, since a busy one is slow to read, and to answer a poll. */
const STRICT = process.env["LOAD_STRICT"] === "1";
const SECOND = 1000;
const MINUTE = 60_000;
/** The board's time may go several times slower than that of a busy machine, ms. */
const PATIENCE = 600_000 + SECONDS * 30_000;
const SCAN = 500;
const ROWS = 20;
const COLUMNS = ["1.3.6.1.2.1.33.1.2", "1.3.6.1.2.1.1"];
const CROWD = 60;
const CROWD_STAYS = 5 * SECOND;
const CROWD_COMES = 6;
/** For how long the broker is away, ms. */
const AWAY = 20 * SECOND;
const BEARER = { authorization: `Bearer ${TOKEN}` };

/** A server that takes a connection and says nothing. */
async function silentServer(): Promise<{ port: number; stop: () => void }> {
  const server = createServer((socket) => socket.on("error", () => undefined));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { port: (server.address() as AddressInfo).port, stop: () => void server.close() };
}

/** Sums of a family's values, by one of its labels. */
function sums(metrics: string, name: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [, label = "", value] of metrics.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, "gm")))
    found[label] = (found[label] ?? 0) + Number(value);
  return found;
}

describe(`the worst ordinary load on ${BOARD}`, () => {
  const authority = new Authority();
  let addresses: Addresses | undefined;
  let folder = "";
  let machine: Machine;
  let broker: TestBroker;
  let listener: Listener;
  let owner: Owner;
  let time: BoardTime;
  let pages: Page[];
  let guests: (Client | Page)[];
  let syslog = 0;
  let answered = 0;
  const tally = new Tally();
  const ends: (() => unknown)[] = [];

  /** With patience: the board may be at its limit. */
  const metrics = (): Promise<string> =>
    until("the metrics", async () => {
      const answer = await fetch(`${machine.url}/metrics`, { headers: BEARER }).catch(() => undefined);
      return answer?.status === 200 ? await answer.text().catch(() => undefined) : undefined;
    });

  /** What the board itself counts, and its memory. */
  async function say(what: string): Promise<void> {
    const text = await metrics();
    const names = [
      "http_unavailable_total",
      "http_connections_total",
      "http_connections_evicted_total",
      "free_memory_bytes",
      "least_free_memory_bytes",
      "largest_free_block_bytes",
    ];
    const own = names.map((name) => `${name} ${JSON.stringify(sums(text, `bms_monitor_${name}`))}`);
    const link = ["requests", "replies", "timeouts", "late_replies", "crc_errors"].map(
      (name) => `${name} ${Object.values(sums(text, `bms_link_${name}_total`)).join("+")}`,
    );
    console.log(
      [
        `${BOARD} at ${Math.round(time.now / SECOND)} s, ${what}: ${tally.text}`,
        `answered after: ${tally.times}`,
        `cut: ${tally.cut.join("; ")}`,
        `streams opened: ${pages.map(({ streams }) => streams).join(", ")}; SNMP answers ${answered}; syslog ${syslog}; MQTT ${listener.messages.length}`,
        ...own,
        `link: ${link.join(", ")}; the packs: ${machine.packs.map(({ traffic }) => traffic.outcomes.answered).join(" ")} answered, ${machine.bms.traffic.outcomes.damaged} damaged`,
      ].join("\n  "),
    );
  }

  beforeAll(async () => {
    ends.push(() => authority.remove());
    const stopTime = await serveTime();
    if (stopTime) ends.push(stopTime);
    addresses = ownAddresses();
    ends.push(() => addresses?.release());
    const silent = await silentServer();
    ends.push(silent.stop);
    const syslogPort = await freeUdpPort();
    const collector = createSocket("udp4").on("message", () => syslog++);
    collector.bind(syslogPort, "127.0.0.1");
    ends.push(() => collector.close());
    broker = await startBroker({ tls: authority.server({ names: `IP:${ROUTER.host}` }) });
    ends.push(() => broker.stop());
    folder = newBoard({
      ...OWNED,
      packs: { further: furtherOf(PACKS) },
      snmp: { enabled: true, community: "public", receiver1: ROUTER.host },
      syslog: { host: ROUTER.host, port: syslogPort },
      // All packs are below: a message waits for a service that says nothing.
      notify: { kind1: "webhook", url1: `https://${ROUTER.host}:${silent.port}/`, soc: 99 },
    });
    ends.push(() => scrap(folder));
    const flash = readFileSync(join(folder, "flash.bin"));
    const { offset } = partitionsOf(readFileSync(join(root, "boards/esp32/partitions.csv"), "utf8")).get("history")!;
    fillHistory(flash.subarray(offset), Math.floor(Date.now() / SECOND) - 600);
    writeFileSync(join(folder, "flash.bin"), flash);
    machine = await Machine.start(folder, {}, PACKS);
    ends.push(() => machine.cut());
    owner = await Owner.of(machine);
    if (stopTime) await owner.configure("time", { server: ROUTER.host });
    listener = await broker.client();
    const secured = { host: ROUTER.host, port: broker.tlsPort, tls: true, ca: authority.pem };
    await owner.configure("mqtt", { enabled: true, ...secured });
    const telemetry = (): boolean[] => [...listener.topics.keys()].map((topic) => topic.endsWith("/telemetry"));
    await until("the packs' values at the broker", () =>
      telemetry().filter(Boolean).length >= PACKS ? true : undefined,
    );
    await until("a message waits", async () => {
      const { json } = (await owner.send("GET", "/web/device")) as { json: unknown };
      return JSON.stringify((json as { data: { notify: unknown } }).data.notify).includes('"waiting":0')
        ? undefined
        : true;
    });
    time = await BoardTime.of(machine);
    ends.push(() => time.end());
    pages = Array.from({ length: PAGES }, (_, at) => new Page(tally, time, addresses!.of(101 + at)));
    for (const page of pages) await page.signIn(PASSWORD);
    guests = [...Array.from({ length: CLIENTS }, (_, at) => new Client(tally, time, addresses!.of(1 + at))), ...pages];
    guests.forEach((guest, at) => guest.start((at * SECOND) / guests.length));
    ends.push(() => Promise.all(guests.map((guest) => guest.stop())));
    const manager = createSocket("udp4").on("message", () => answered++);
    ends.push(() => manager.close());
    const scan = setInterval(
      () => manager.send(snmpRequest(COLUMNS, { pdu: GET_BULK, second: ROWS }), machine.snmpPort, "127.0.0.1"),
      SCAN,
    );
    ends.push(() => clearInterval(scan));
  }, PATIENCE);
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  }, PATIENCE);

  it(
    `${SECONDS} s: clients and pages are served, no restart`,
    async () => {
      const begin = time.now;
      for (let minute = begin; time.now < begin + SECONDS * SECOND;) {
        minute = Math.min(minute + 5 * MINUTE, begin + SECONDS * SECOND);
        await time.until(minute);
        await say(`ordinary load for ${Math.round((time.now - begin) / SECOND)} s`);
        expect(machine.starts).toBe(1);
      }
      expect(tally.count(200)).toBeGreaterThan(SECONDS / 2);
      if (STRICT) {
        expect(tally.cut).toEqual([]);
        expect(tally.refused).toBeLessThanOrEqual(0.05);
      }
      expect([...tally.answers.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "four scrapes at once beside it, ten times: some are served, no restart",
    async () => {
      const scrapes = new Tally();
      for (let round = 0; round < 10; round++) {
        await Promise.all(
          Array.from({ length: 4 }, async (_, at) => {
            const localAddress = addresses!.of(21 + at);
            await ask(scrapes, time, {
              url: `${machine.url}/metrics`,
              agent: new Agent(),
              localAddress,
              headers: BEARER,
            });
          }),
        );
        await time.until(time.now + SECOND);
      }
      await say(`four scrapes at once: ${scrapes.text}`);
      if (STRICT) expect(scrapes.cut).toEqual([]);
      expect(scrapes.count(200)).toBeGreaterThan(0);
      expect(machine.starts).toBe(1);
    },
    PATIENCE,
  );

  it(
    "sixty clients that leave answers unread: the others are served again, no restart",
    async () => {
      for (let come = 0; come < CROWD_COMES; come++) {
        const leave = unreading(machine, CROWD, addresses!.of(31));
        await time.until(time.now + CROWD_STAYS);
        leave();
      }
      await say("sixty clients that read nothing");
      const before = tally.count(200);
      await until("answers to the others", () => (tally.count(200) > before + 20 ? true : undefined));
      expect(machine.starts).toBe(1);
    },
    PATIENCE,
  );

  it(
    `a broker that goes away and comes back, ${OUTAGES} times: connected again within a minute`,
    async () => {
      const times: number[] = [];
      for (let outage = 0; outage < OUTAGES; outage++) {
        const begin = time.now;
        await broker.end();
        await time.until(time.now + AWAY);
        const heard = listener.messages.length;
        await broker.start();
        const back = time.now;
        await until("values at the broker", () =>
          listener.messages.slice(heard).some(({ topic }) => topic.endsWith("/telemetry")) ? true : undefined,
        );
        times.push((time.now - back) / SECOND);
        await time.until(begin + MINUTE);
      }
      await say(`broker back, MQTT after ${times.map((seconds) => seconds.toFixed(1)).join(", ")} s`);
      for (const seconds of times) expect(seconds).toBeLessThan(60);
      expect(machine.starts).toBe(1);
    },
    PATIENCE,
  );

  it(
    "afterwards: memory, polls and stacks",
    async () => {
      await Promise.all(guests.map((guest) => guest.stop()));
      // The session is over: nobody has used it for so long.
      owner = await Owner.of(machine);
      const { memory, start } = await owner.device();
      const tasks = await machine.tasks();
      console.log(
        `${BOARD}: ${JSON.stringify(memory)}; stacks in use at most`,
        ...tasks.map(({ name, stack, unused }) => `${name} ${stack - unused} of ${stack};`),
      );
      expect([start.restarts, machine.starts]).toEqual([0, 1]);
      expect(memory.leastFree).toBeGreaterThan(MIN_FREE);
      const text = await metrics();
      const of = (name: string): number => Object.values(sums(text, name)).reduce((sum, value) => sum + value, 0);
      const [requests, replies] = [of("bms_link_requests_total"), of("bms_link_replies_total")];
      expect(replies).toBeGreaterThan(SECONDS);
      if (STRICT) expect(requests - replies).toBeLessThan(requests / 20);
    },
    PATIENCE,
  );
});

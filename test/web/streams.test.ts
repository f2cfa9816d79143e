import { beforeEach, describe, expect, it, vi } from "vitest";
import Timer from "../../host-sim/io/timer";
import { SEND_STALL_MS } from "http-server/limits";
import * as FIELDS from "jk-bms/field-table";
import type { HttpServer } from "http-server/server";
import { HttpServer as Server } from "http-server/server";
import {
  DEVICE_SAMPLES,
  HEARTBEAT,
  MAX_EVENT_BYTES,
  MAX_LISTENERS,
  SAMPLE_INTERVAL,
  SESSION_IDLE,
} from "../../src/web/limits";
import type { Packs } from "../../src/packs/types";
import { TestMonitor } from "../support/bms/bms-link";
import { MemoryNetwork, type MemoryClient } from "../support/http/memory-sockets";
import { HOST, WebBench } from "../support/web/web-bench";

type Counters = Record<"status" | "config" | "queue" | "relay" | "device" | "settings" | "urgent", number>;

let bench: WebBench;
let network: MemoryNetwork;
let server: HttpServer;
let cookie: string;

beforeEach(() => {
  bench = new WebBench();
  network = new MemoryNetwork(bench.board);
  server = new Server({
    listener: { io: network.Listener, port: 80 },
    socket: { io: network.TCP },
    handler: (exchange) => bench.web.answer(exchange),
  });
  cookie = bench.signIn();
});

const request = (path: string, method = "GET"): string =>
  `${method} ${path} HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${cookie}\r\n\r\n`;
const listen = (): MemoryClient => network.connect().send(request("/web/events"));

/** The events that have come since the last look. */
const events = (client: MemoryClient): Counters[] =>
  [...client.take().matchAll(/data: (\{.*\})\n\n/g)].map(([, json]) => JSON.parse(json!) as Counters);

/** Lets a change be noticed, and tells which counters have risen. */
function risen(client: MemoryClient, change: () => void): string[] {
  bench.advance(3_000);
  const before = events(client).at(-1) ?? last;
  change();
  bench.advance(2_500);
  const after = events(client).at(-1) ?? before;
  last = after;
  return (Object.keys(after) as (keyof Counters)[]).filter((name) => after[name] > before[name]);
}
let last: Counters = { status: 0, config: 0, queue: 0, relay: 0, device: 0, settings: 0, urgent: 0 };

/** On the bus, at the addresses 1 to 3. */
function threePacks(): TestMonitor[] {
  const { monitor } = bench;
  const packs = [0, 1, 2].map((index) => {
    const pack = index ? new TestMonitor() : monitor.pack;
    pack.telemetry.set(FIELDS.packCurrent, -1_000 * 10 ** index).set(FIELDS.packPower, 50_000 * 10 ** index);
    pack.telemetry.valid = true;
    return Object.assign(pack, { index, label: index + 1, identity: { address: index + 1, name: "", serial: "" } });
  });
  monitor.packs = packs as unknown as Packs;
  return packs;
}

describe("the events", () => {
  it("start with all counters, as an event stream", () => {
    const text = listen().take();
    expect(text).toContain("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n");
    expect(text).toContain("Cache-Control: no-store\r\n");
    expect(text).toMatch(
      /data: \{"status":\d+,"config":\d+,"queue":\d+,"relay":\d+,"device":\d+,"settings":\d+,"urgent":\d+,"current":-?\d+,"power":-?\d+\}\n\n/,
    );
  });

  it("name the document that changed", () => {
    const client = listen();
    last = events(client)[0]!;
    const { monitor, settings } = bench;
    expect(risen(client, () => undefined)).toEqual([]);
    expect(risen(client, () => monitor.observers.report("packUpdated", monitor.pack))).toEqual(["status"]);
    expect(risen(client, () => monitor.observers.report("packOnlineChanged", monitor.pack))).toEqual(["status"]);
    expect(risen(client, () => monitor.observers.report("packUnanswered", monitor.pack))).toEqual(["status"]);
    const lose = (): void => {
      monitor.pack.online = false;
      monitor.observers.report("packOnlineChanged", monitor.pack);
    };
    expect(risen(client, lose)).toEqual(["status", "urgent"]);
    const find = (): void => {
      monitor.pack.online = true;
      monitor.observers.report("packOnlineChanged", monitor.pack);
    };
    expect(risen(client, find)).toEqual(["status", "urgent"]);
    expect(risen(client, () => void monitor.parameter(monitor.pack, "cell_count", 15))).toEqual(["queue"]);
    expect(risen(client, () => monitor.settle())).toEqual(["status", "config", "queue", "urgent"]);
    expect(risen(client, () => void (monitor.pack.configurationLoaded = false))).toEqual(["queue"]);
    expect(risen(client, () => void settings.update("device", { name: "Shed" }))).toEqual(["device", "settings"]);
    expect(risen(client, () => void settings.update("relay", { name: "Pump" }))).toEqual([
      "relay",
      "device",
      "settings",
    ]);
  });

  it("have the current and the power of the pack, and nothing of one that does not answer", () => {
    const { monitor } = bench;
    monitor.pack.telemetry.set(FIELDS.packCurrent, -12_345).set(FIELDS.packPower, 654_321);
    const client = listen();
    expect(events(client).at(-1)).toMatchObject({ current: -12_345, power: -654_321 });
    monitor.pack.telemetry.set(FIELDS.packCurrent, 0).set(FIELDS.packPower, 0);
    monitor.observers.report("packUpdated", monitor.pack);
    bench.advance(SAMPLE_INTERVAL);
    expect(events(client).at(-1)).toMatchObject({ current: 0, power: 0 });
    monitor.pack.online = false;
    monitor.observers.report("packOnlineChanged", monitor.pack);
    bench.advance(SAMPLE_INTERVAL);
    const newest = events(client).at(-1);
    expect(newest).toHaveProperty("status");
    expect(newest).not.toHaveProperty("current");
    expect(newest).not.toHaveProperty("power");
  });

  it.each([0, 1, 2])("name the document of pack %d of three that changed", (index) => {
    const { monitor } = bench;
    const packs = threePacks();
    const pack = packs[index]!;
    const client = listen();
    last = events(client)[0]!;
    const after = (change: () => void): string[] =>
      risen(client, () => {
        change();
        monitor.observers.report("packUpdated", packs[0]!);
      });
    expect(after(() => undefined)).toEqual(["status"]);
    expect(after(() => pack.setup.set(FIELDS.cellOvpVoltage, 3_600))).toEqual(["status", "config", "urgent"]);
    expect(after(() => pack.deviceInfo.set(FIELDS.bluetoothName, "Left"))).toEqual(["status", "config", "urgent"]);
    expect(after(() => pack.telemetry.set(FIELDS.alarmCode, 1))).toEqual(["status", "urgent"]);
    expect(after(() => pack.telemetry.set(FIELDS.alarmCode, 3))).toEqual(["status", "urgent"]);
    expect(risen(client, () => void (pack.configurationLoaded = false))).toEqual(["queue"]);
    expect(
      risen(client, () => {
        monitor.observers.report("writeEnded", {
          name: "cell_ovp_voltage",
          value: "3.6",
          unit: "V",
          outcome: "confirmed",
          detail: "",
          pack: pack.identity.address,
        });
      }),
    ).toEqual(["queue"]);
  });

  it.each([0, 1, 2])("have the sums of the packs that answer; that pack %d is silent is urgent", (silent) => {
    const { monitor } = bench;
    const packs = threePacks();
    const client = listen();
    const before = events(client).at(-1)!;
    expect(before).toMatchObject({ current: -111_000, power: -5_550_000 });
    packs[silent]!.online = false;
    monitor.observers.report("packOnlineChanged", packs[silent]!);
    bench.advance(SAMPLE_INTERVAL);
    const [one, other] = packs.filter(({ index }) => index !== silent) as [TestMonitor, TestMonitor];
    const after = events(client).at(-1)!;
    expect(after).toMatchObject({ current: -111_000 + 1_000 * 10 ** silent, urgent: before["urgent"] + 1 });
    // Once a round, by those that answer.
    for (let round = 1; round < 4; round++) {
      monitor.observers.report("packUpdated", one);
      bench.advance(SAMPLE_INTERVAL);
      expect(events(client).at(-1)!["status"]).toBe(after["status"] + round);
      monitor.observers.report("packUpdated", other);
      bench.advance(SAMPLE_INTERVAL);
      expect(events(client)).toEqual([]);
    }
  });

  it("are at most MAX_EVENT_BYTES long", () => {
    const counter = 4_294_967_295;
    const names = ["status", "config", "queue", "relay", "device", "settings", "urgent"];
    const counters = Object.fromEntries(names.map((name) => [name, counter]));
    // Of 16 packs.
    const longest = JSON.stringify({ ...counters, current: -16 * 2_147_483_648, power: -16 * counter });
    expect(`data: ${longest}\n\n`.length).toBeLessThanOrEqual(MAX_EVENT_BYTES);
  });

  it("report a change of the network within DEVICE_SAMPLES", () => {
    const client = listen();
    bench.advance(1_000);
    const { device } = events(client).at(-1)!;
    Object.assign(bench.options.network, { mode: "AP" });
    bench.advance(DEVICE_SAMPLES * SAMPLE_INTERVAL);
    expect(events(client).at(-1)!.device).toBe(device + 1);
  });

  it("report queued notifications and delivery results", () => {
    const courier = { kind: "ntfy", problem: "", status: 0, answer: "", words: "", sent: 0 };
    const client = listen();
    last = events(client)[0]!;
    const set = (waiting: number, change: object): void => {
      Object.assign(bench.options, { notify: { waiting, couriers: [Object.assign(courier, change)] } });
    };
    expect(risen(client, () => set(0, {}))).toEqual(["device"]);
    expect(risen(client, () => set(0, {}))).toEqual([]);
    expect(risen(client, () => set(1, {}))).toEqual(["device"]);
    expect(risen(client, () => set(1, { problem: "no-time" }))).toEqual(["device"]);
    expect(risen(client, () => set(1, { sent: 1 }))).toEqual(["device"]);
  });

  it("are sent without changes too, so that a dead client is detected", () => {
    const client = listen();
    bench.advance(SAMPLE_INTERVAL);
    events(client);
    bench.advance(HEARTBEAT - 2 * SAMPLE_INTERVAL);
    expect(events(client)).toEqual([]);
    bench.advance(2 * SAMPLE_INTERVAL);
    expect(events(client)).toHaveLength(1);
    bench.advance(20 * HEARTBEAT);
    expect(events(client).length).toBeGreaterThanOrEqual(19);
    expect(client.ended).toBe(false);
  });

  it("wait for a slow reader, who then gets the newest; nothing is queued", () => {
    const client = listen();
    client.autoAck = false;
    for (let count = 0; count < 200; count++) {
      // Now and then something gets through: it is slow, not gone.
      if (count % 40 === 39) client.ack(1e6);
      bench.monitor.observers.report("packUpdated", bench.monitor.pack);
      bench.advance(SAMPLE_INTERVAL);
    }
    const sent = events(client);
    expect(sent.length).toBeLessThan(40);
    client.autoAck = true;
    client.ack(1e6);
    bench.advance(SAMPLE_INTERVAL);
    const newest = [...sent, ...events(client)].at(-1)!;
    const other = events(listen())[0]!;
    expect(newest.status).toBe(other.status);
  });

  it("end for a client that vanished", () => {
    const client = listen();
    client.autoAck = false;
    bench.advance(HEARTBEAT + SEND_STALL_MS + 1_000);
    expect(client.ended).toBe(true);
    expect(server.connections).toBe(0);
    expect(events(listen())).toHaveLength(1);
  });

  it("are limited; one more listener gets 503, and later the next free place", () => {
    const clients = Array.from({ length: MAX_LISTENERS }, listen);
    const refused = listen();
    expect(refused.take()).toMatch(/^HTTP\/1\.1 503 /);
    clients[0]!.fin();
    expect(refused.send(request("/web/events")).take()).toMatch(/^HTTP\/1\.1 200 /);
    const another = network.connect().send(request("/web/events"));
    expect(another.take()).toMatch(/^HTTP\/1\.1 503 /);
  });

  it("leave the other connections free, and are not closed for them", () => {
    const clients = Array.from({ length: MAX_LISTENERS }, listen);
    bench.advance(7_000);
    for (let count = 0; count < 20; count++) {
      const client = network.connect().send(request("/web/queue"));
      expect(client.take()).toMatch(/^HTTP\/1\.1 200 /);
      bench.advance(6_000);
    }
    expect(clients.map(({ ended }) => ended)).toEqual([false, false]);
  });

  it("end with the session", () => {
    const client = listen();
    bench.advance(1_000);
    network.connect().send(`${request("/web/session", "DELETE").slice(0, -2)}Origin: http://${HOST}\r\n\r\n`);
    bench.advance(SAMPLE_INTERVAL);
    expect(client.take().endsWith("0\r\n\r\n")).toBe(true);
  });

  it("do not keep an unused session alive", () => {
    const client = listen();
    bench.advance((SESSION_IDLE + 1) * 1000);
    expect(client.take().endsWith("0\r\n\r\n")).toBe(true);
  });

  it("are empty for HEAD", () => {
    const client = network.connect().send(request("/web/events", "HEAD"));
    expect(client.take()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/);
    expect(listen().take()).toMatch(/^HTTP\/1\.1 200 /);
    expect(listen().take()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("cost nothing without a listener", () => {
    const set = vi.spyOn(Timer, "set");
    const clear = vi.spyOn(Timer, "clear");
    const client = listen();
    expect(set).toHaveBeenCalledTimes(1);
    client.fin();
    expect(clear).toHaveBeenCalledExactlyOnceWith(set.mock.results[0]!.value);
    vi.restoreAllMocks();
    bench.advance(HEARTBEAT);
    const first = events(listen())[0]!;
    const [second] = events(listen());
    // Whatever happened meanwhile was not looked at: all counters have risen.
    expect(first.config).toBeGreaterThan(1);
    expect(second).toEqual(first);
  });
});

import dashboard from "../../docs/grafana-dashboard.json";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseExposition, sampleOf, type MetricFamily } from "../support/peers/exposition";
import { Prometheus } from "../support/peers/prometheus";
import { System, TOKEN, type SystemOptions } from "../support/system/system";

const SECOND = 1000;
/** Bit of the alarm word. */
const UNDERVOLTAGE = 11;

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options?: SystemOptions): Promise<System> {
  const system = await System.start(options);
  cleanUps.push(() => system.stop());
  return system;
}

async function scrape(system: System): Promise<Map<string, MetricFamily>> {
  const { status, headers, text } = await system.get("/metrics");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseExposition(text);
}

describe("GET /metrics", () => {
  it("passes promtool without a warning, with everything known and with the BMS offline", async () => {
    const system = await start({
      board: {
        instrumentation: {
          "XS Slot Heap Used": 16_000,
          "XS Chunk Heap Used": 20_000,
          "XS Garbage Collection Count": 3,
        },
      },
    });
    await system.untilLoaded();
    const check = async (): Promise<void> => {
      const { text } = await system.get("/metrics");
      parseExposition(text);
      const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
      expect([status, stdout, stderr]).toEqual([0, "", ""]);
    };
    await check();
    system.board.heap = [90_000, 41_000, 30_000];
    const told = await scrape(system);
    const figures = ["free_memory", "least_free_memory", "largest_free_block"];
    expect(figures.map((name) => sampleOf(told, `bms_monitor_${name}_bytes`))).toEqual([90_000, 41_000, 30_000]);
    system.bms.setOnline(false);
    await system.untilOffline();
    await check();
    expect(sampleOf(await scrape(system), "bms_online")).toBe(0);
  });

  it("of several packs passes promtool too, all of them and one of them", async () => {
    const further = [2, 3].map((address) => ({ address, name: address === 2 ? 'Gar\u00e3o "b"' : "Shed" }));
    const system = await start({
      bank: { count: 3, timeFactor: 0 },
      board: { config: { settings: { packs: { first: "Pack 1", further } } } },
    });
    await system.until(
      "all are online",
      async () => (await scrape(system)).get("bms_pack_voltage_volts")?.samples.length === 3,
    );
    for (const path of ["/metrics", "/metrics?pack=3"]) {
      const { text } = await system.get(path);
      parseExposition(text);
      const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
      expect([status, stdout, stderr]).toEqual([0, "", ""]);
    }
    const families = await scrape(system);
    const volts = families.get("bms_pack_voltage_volts")!.samples;
    expect(volts.map(({ labels }) => labels)).toEqual([
      { pack: "1", name: "Pack 1" },
      { pack: "2", name: 'Gar\u00e3o "b"' },
      { pack: "3", name: "Shed" },
    ]);
    const none = await system.get("/metrics?pack=4");
    expect([none.status, none.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  it("matches GET /api/bms/status", async () => {
    const system = await start({ bms: { evolving: false } });
    await system.untilLoaded();
    const { data } = (await system.get("/api/bms/status")).json as {
      data: {
        soc: number;
        pack: { voltage: number; power: number };
        cells: { number: number; voltage: number; wireResistanceMilliOhm: number }[];
        temperatures: { mosfet: number };
      };
    };
    const families = await scrape(system);
    expect(sampleOf(families, "bms_state_of_charge_ratio")).toBe(data.soc / 100);
    expect(sampleOf(families, "bms_voltage_volts")).toBe(data.pack.voltage);
    expect(sampleOf(families, "bms_power_watts")).toBe(data.pack.power);
    expect(sampleOf(families, "bms_mosfet_temperature_celsius")).toBe(data.temperatures.mosfet);
    const cells = families.get("bms_cell_voltage_volts")!.samples;
    expect(cells.map(({ labels, value }) => [Number(labels["cell"]), value])).toEqual(
      data.cells.map(({ number, voltage }) => [number, voltage]),
    );
  });

  it("requires the token and the API enabled; other methods are 405", async () => {
    const system = await start();
    for (const Authorization of ["", "Bearer wrong"])
      expect((await system.request("GET", "/metrics", { headers: { Authorization } })).status).toBe(401);
    const refused = await system.request("POST", "/metrics", { body: {} });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await system.request("HEAD", "/metrics");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect((await system.get("/metric")).status).toBe(404);
    system.probes.configure("api", { enabled: false });
    expect((await system.get("/metrics")).status).toBe(403);
  });

  it("has counters that only rise, through writes, lost polls and refused requests", async () => {
    const system = await start();
    await system.untilLoaded();
    let before = await scrape(system);
    const rise = async (): Promise<void> => {
      const now = await scrape(system);
      for (const { name, type, samples } of before.values())
        if (type === "counter" && now.has(name))
          for (const { labels, value } of samples)
            expect(sampleOf(now, name, labels), name).toBeGreaterThanOrEqual(value);
      before = now;
    };
    const posted = await system.whileTimeStands(async () => [
      await system.post("/api/bms/commands", { command: "charge_mos", state: false }),
      await system.post("/api/bms/commands", { command: "charge_mos", state: true }),
    ]);
    expect(posted.map(({ status }) => status)).toEqual([202, 409]);
    await system.outcome();
    await rise();
    expect(sampleOf(before, "bms_writes_total", { outcome: "confirmed" })).toBe(1);
    expect(sampleOf(before, "bms_writes_rejected_total", { reason: "pending" })).toBe(1);
    await system.until("it is off", async () => sampleOf(await scrape(system), "bms_charge_mosfet_on") === 0);
    expect((await system.post("/api/bms/commands", { command: "explode", state: true })).status).toBe(409);
    system.bms.setOnline(false);
    await system.untilOffline();
    await rise();
    expect(sampleOf(before, "bms_writes_rejected_total", { reason: "unknown" })).toBe(1);
    expect(sampleOf(before, "bms_polls_lost_total")).toBeGreaterThanOrEqual(3);
    expect(sampleOf(before, "bms_monitor_http_responses_total", { class: "4xx" })).toBe(2);
    expect(sampleOf(before, "bms_telemetry_age_seconds")).toBeGreaterThanOrEqual(4);
  });

  it("arrives complete through a small send window, along with other requests", async () => {
    const system = await start({ board: { sendWindow: 600 } });
    await system.untilLoaded();
    const [one, two] = await Promise.all([scrape(system), scrape(system), system.get("/api")]);
    expect([...one.keys()]).toEqual([...two.keys()]);
    expect(one.get("bms_alarm")!.samples).toHaveLength(ALARMS_TABLE.length);
  });
});

describe("a real Prometheus", () => {
  it("scrapes it, and its queries return the BMS's values until the BMS is gone", async () => {
    const system = await start({ bms: { evolving: false } });
    await system.untilLoaded();
    const prometheus = await Prometheus.start(new URL(system.url).host, TOKEN);
    cleanUps.push(() => prometheus.stop());
    const { cells } = ((await system.get("/api/bms/status")).json as { data: { cells: { voltage: number }[] } }).data;
    // A scrape that times out on a busy machine removes all values until the next.
    const tells = (query: string, value: number | undefined): Promise<void> =>
      expect.poll(() => prometheus.query(query), { message: query }).toBe(value);
    await tells('up{job="bms"}', 1);
    await tells("bms_state_of_charge_ratio", 0.55);
    await tells("count(bms_cell_voltage_volts)", 16);
    await tells("sum(bms_alarm)", 0);
    await tells('bms_cell_voltage_volts{cell="3"}', cells[2]!.voltage);
    system.bms.setOnline(false);
    await system.untilOffline();
    await tells("bms_online", 0);
    await tells("bms_state_of_charge_ratio", undefined);
    await tells('up{job="bms"}', 1);
  });
});

it("the dashboard's panels show the alarm of the first, the middle and the last pack of a bank", async () => {
  const NAMES = ["Top", "Middle", "Bottom"];
  const further = [2, 3].map((address) => ({ address, name: NAMES[address - 1]! }));
  const system = await start({
    bank: { count: 3, evolving: false },
    board: { config: { settings: { packs: { first: "Top", further } } } },
  });
  const prometheus = await Prometheus.start(new URL(system.url).host, TOKEN);
  cleanUps.push(() => prometheus.stop());
  const instance = new URL(system.url).host;
  const ask = (id: number, more = ""): Promise<number | undefined> => {
    const { expr } = dashboard.panels.find((panel) => panel.id === id)!.targets[0]!;
    const query = expr.replaceAll("$instance", instance).replaceAll("$pack", ".*").replaceAll("$__range", "5m");
    return prometheus.query(more ? `count((${query}) and {${more}})` : query);
  };
  const [ALARMS, TIMELINE, ATTENTION] = [5, 13, 30];
  const tells = (what: string, asked: () => Promise<number | undefined>, value: number | undefined): Promise<void> =>
    expect.poll(asked, { message: what }).toBe(value);
  await tells("all are online", () => prometheus.query("sum(bms_pack_online)"), 3);
  for (const [index, name] of NAMES.entries()) {
    const { registers } = system.bank!.packs[index]!;
    await tells("no alarm", () => ask(ALARMS), 0);
    registers.write("Alarms", 1 << UNDERVOLTAGE);
    await tells(`the alarm of ${name}`, () => ask(ALARMS), 1);
    await tells(`${name} in the time line`, () => ask(TIMELINE, `name="${name}",alarm="cell_undervoltage"`), 1);
    await tells(`${name} needs attention`, () => ask(ATTENTION, `name="${name}",concern="alarm"`), 1);
    registers.write("Alarms", 0);
  }
});

describe("sources of the metrics", () => {
  it("energy is counted, kept across an ordered restart, and a power cut loses no more than limits.ts states", async () => {
    const folder = mkdtempSync(join(tmpdir(), "energy-"));
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
    const board = { storage: join(folder, "nvs.json") };
    const first = await start({ unpaced: true, board });
    first.board.clock.runFor(60 * SECOND);
    const { joules } = first.probes.parts();
    expect(joules.charged + joules.discharged).toBeGreaterThan(10_000);
    first.probes.close();
    first.stop();
    const second = await start({ unpaced: true, board });
    expect(second.probes.parts().joules).toEqual(joules);
    second.board.clock.runFor(30 * SECOND);
    second.stop();
    const third = await start({ unpaced: true, board });
    expect(third.probes.parts().joules).toEqual(joules);
  });

  it("the history has a row for every two minutes in which the BMS answered", async () => {
    const system = await start({ unpaced: true });
    const { clock } = system.board;
    clock.runFor(5 * 60 * SECOND);
    system.bms.setOnline(false);
    clock.runFor(4 * 60 * SECOND);
    system.bms.setOnline(true);
    clock.runFor(60 * SECOND);
    const rows = system.probes.parts().history.trimEnd().split("\r\n");
    expect(rows[0]).toBe("time_s,soc,power_w,min_cell_v,max_cell_v");
    expect(rows.slice(1).map((row) => Number(row.split(",")[0]))).toEqual([-540, -420, -300, -60]);
    expect(rows[1]).toMatch(/^-540,5\d,-?\d+,3\.2\d+,3\.\d+$/);
  });

  it("the log has the start, the BMS, writes and the relay, but no secret", async () => {
    const system = await start({ unpaced: true });
    const { clock } = system.board;
    clock.runFor(10 * SECOND);
    expect(system.probes.writeCommand("charge_mos", false)).toBeUndefined();
    clock.runFor(5 * SECOND);
    system.probes.switchRelay(true);
    system.probes.configure("api", { token: "another-token-of-the-owner" });
    system.bms.setOnline(false);
    clock.runFor(10 * SECOND);
    system.probes.close();
    const { log } = system.probes.parts();
    expect(log[0]).toMatch(/^started\t\d+\.\d+\.\d+\t\w+$/);
    expect(log.slice(1)).toEqual([
      "start-reason\tpower-on",
      "bms-online",
      "write\tcharge_mos\toff\tconfirmed\t\t\tAPI\t",
      "condition-raised\tcharging-off",
      "relay-on",
      "settings-changed\tapi",
      "bms-offline",
      "no-reply\tsilence",
      "stopped",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import type { EventLog } from "../../src/events/types";
import { GROUP_PATH } from "../../src/web/group";
import { ASSETS } from "../../src/web/assets";
import { MAX_GROUP_BODY, MAX_LONG_BODY, RESTART_DELAY } from "../../src/web/limits";
import type { Updater, WebDevice } from "../../src/web/types";
import * as settings from "../../src/settings/limits";
import GROUPS from "../../src/settings/tables";
import type { GroupName } from "../../src/settings/types";
import type { FakeSensors } from "../support/fakes/fake-parts";
import { pemOf } from "../support/tls/pem";
import { WebBench } from "../support/web/web-bench";

function signedIn(options: Partial<WebDevice> = {}): [WebBench, string] {
  const bench = new WebBench(options);
  return [bench, bench.signIn()];
}

describe("the summary", () => {
  it("has no SNMP community: guests read it too", () => {
    const bench = new WebBench();
    const cookie = bench.signIn();
    bench.settings.update("snmp", { community: "a community of some length" });
    const { json } = bench.get("/web/summary", cookie);
    expect(json).toMatchObject({ data: { connectivity: { community: "" } } });
    expect(JSON.stringify(json)).not.toContain("a community");
  });

  it("has null for what is not measured, where the API has 0", () => {
    const [bench, cookie] = signedIn();
    (bench.options.sensors as FakeSensors).temperature = undefined;
    expect(bench.get("/web/summary", cookie).json).toMatchObject({
      data: { monitoring: { temp0: null, voltageDC0: 12.345, voltageDC1: 24, voltageDC2: null } },
    });
  });

  it("has the state of the relay without the inputs too, if there is one", () => {
    const [bench, cookie] = signedIn();
    bench.settings.update("monitoring", { fitted: false });
    bench.post("/web/relay", { state: "on" }, cookie);
    expect(bench.get("/web/summary", cookie).json).toMatchObject({ data: { relay: 1 } });
    bench.settings.update("relay", { fitted: false });
    expect((bench.get("/web/summary", cookie).json as { data: object }).data).not.toHaveProperty("relay");
  });
});

describe("a write", () => {
  it.each([
    ["/web/commands", { command: "charge_mos", state: "on" }, 202],
    ["/web/commands", { command: "charge_mos" }, 400],
    ["/web/commands", { command: "self_destruct", state: true }, 409],
    ["/web/parameters", { setting: "cell_count", value: 16 }, 202],
    ["/web/parameters", { setting: "cell_count", value: null }, 400],
    ["/web/parameters", { setting: "cell_count", value: 99 }, 409],
    ["/web/relay", { state: "on" }, 200],
    ["/web/relay", { state: "perhaps" }, 400],
  ])("%s of %j gets the API's answer: %i", (path, json, status) => {
    const [bench, cookie] = signedIn();
    expect(bench.post(path, json, cookie).status).toBe(status);
    bench.monitor.settle();
  });

  it.each(["/web/commands", "/web/parameters", "/web/relay"])("%s accepts JSON only, up to its limit", (path) => {
    const [bench, cookie] = signedIn();
    const send = (type: string, body: string): number | undefined =>
      bench.ask({ method: "POST", path, cookie, body, headers: { "content-type": type } }).status;
    expect(send("application/x-www-form-urlencoded", "state=on")).toBe(415);
    expect(send("application/json", "")).toBe(413);
    expect(send("application/json", " ".repeat(257))).toBe(413);
    expect(send("application/json", " ".repeat(256))).toBe(400);
  });

  it("is refused while another is pending, from any interface", () => {
    const [bench, cookie] = signedIn();
    bench.monitor.parameter(bench.monitor.pack, "cell_count", 15);
    const exchange = bench.post("/web/commands", { command: "balance", state: true }, cookie);
    expect([exchange.status, exchange.json]).toMatchObject([409, { success: false, data: { pending: true } }]);
    expect(bench.get("/web/queue", cookie).json).toMatchObject({ data: { pending: true } });
  });

  it("of an offline BMS is refused; the settings are not sent", () => {
    const [bench, cookie] = signedIn();
    Object.assign(bench.monitor.pack, { online: false, configurationLoaded: false });
    expect(bench.post("/web/commands", { command: "balance", state: true }, cookie).status).toBe(409);
    expect(bench.get("/web/config", cookie).status).toBe(503);
    expect(bench.get("/web/status", cookie).json).toMatchObject({ data: { online: false }, bms: { age: null } });
  });
});

describe("the groups of settings", () => {
  const groups = (Object.keys(GROUPS) as GroupName[]).filter((group) => group !== "web" && group !== "access");

  it.each(groups)("%s: what is read can be written back, except secrets", (group) => {
    const [bench, cookie] = signedIn();
    const read = (): unknown => (bench.get(GROUP_PATH + group, cookie).json as { data: unknown }).data;
    const values = read() as Record<string, unknown>;
    expect(Object.keys(values)).toEqual(Object.keys(GROUPS[group].fields));
    for (const [member, field] of Object.entries(GROUPS[group].fields as Record<string, { secret?: true }>))
      if (field.secret) {
        expect(values[member]).toBeTypeOf("boolean");
        delete values[member];
      }
    expect(bench.post(GROUP_PATH + group, values, cookie).status).toBe(200);
    const all = bench.ask({ path: GROUP_PATH + group, query: "secrets=1", cookie }).json as { data: unknown };
    expect(all.data).toEqual(bench.settings[group]);
    // The whole of a group fits a body, so that a backup can be restored.
    expect(JSON.stringify(values).length).toBeLessThanOrEqual(MAX_GROUP_BODY);
  });

  it("MQTT's fit one body even at maximum length", () => {
    const [bench, cookie] = signedIn();
    const quotes = (count: number): string => '"'.repeat(count);
    const change = {
      ca: pemOf(settings.MAX_CERTIFICATE),
      host: "a".repeat(settings.MAX_HOST),
      user: quotes(settings.MAX_MQTT_USER),
      password: quotes(settings.MAX_MQTT_PASSWORD),
      baseTopic: "\u20ac".repeat(settings.MAX_TOPIC),
      discoveryPrefix: "\u20ac".repeat(settings.MAX_TOPIC),
      port: 65_535,
      interval: 3_600,
      ...{ enabled: false, tls: false, discovery: false },
    };
    expect(Object.keys(change).sort()).toEqual(Object.keys(GROUPS.mqtt.fields).sort());
    expect(bench.post(`${GROUP_PATH}mqtt`, change, cookie).status).toBe(200);
    expect(bench.settings.mqtt).toEqual(change);
    const padded = { ...change, spare: "" };
    const room = MAX_LONG_BODY - Buffer.byteLength(JSON.stringify(padded));
    const status = (more: number): number | undefined =>
      bench.post(`${GROUP_PATH}mqtt`, { ...change, spare: "x".repeat(room + more) }, cookie).status;
    expect([status(-1), status(0), status(1)]).toEqual([200, 200, 413]);
  });

  it.each(["", "web", "Bms", "constructor", "__proto__", "bms/", "bms/readMode"])("%j is not a group", (group) => {
    const [bench, cookie] = signedIn();
    expect(bench.get(GROUP_PATH + group, cookie).status).toBe(404);
    expect(bench.post(GROUP_PATH + group, {}, cookie).status).toBe(404);
  });

  it.each([
    ["bms", { interval: 499 }, "not-integer\tbms.interval\t500\t60000\tms"],
    ["bms", { readMode: "telepathy" }, "not-choice\tbms.readMode\tauto, registers, frames"],
    ["relay", { onAt: 30, offAt: 30 }, "equal\trelay.onAt\trelay.offAt"],
    ["monitoring", { voltages: [] }, "not-list\tmonitoring.voltages\t3"],
    ["monitoring", { voltages: [1, 2, 3] }, "not-object\tmonitoring.voltages.0"],
    ["monitoring", { temperature: [] }, "not-object\tmonitoring.temperature"],
  ] as const)("%s: %j is refused, in the settings' words", (group, change, error) => {
    const [bench, cookie] = signedIn();
    const before = bench.settings[group];
    const exchange = bench.post(GROUP_PATH + group, change, cookie);
    expect([exchange.status, exchange.json]).toEqual([400, { success: false, error }]);
    expect(bench.settings[group]).toBe(before);
  });

  it.each(["[]", "null", "7", "{", '{"name":1}}', ""])("the body %j is refused", (body) => {
    const [bench, cookie] = signedIn();
    const headers = { "content-type": "application/json" };
    const { status } = bench.ask({ method: "POST", path: `${GROUP_PATH}device`, cookie, body, headers });
    expect(status).toBe(body ? 400 : 413);
  });

  it("unknown members are ignored on every level", () => {
    const [bench, cookie] = signedIn();
    const [first, ...others] = bench.settings.monitoring.voltages;
    const change = {
      name: "x",
      voltages: [{ ...first, ratio: 12, beta: 1 }, ...others],
      temperature: { y: 1, offset: 2 },
    };
    expect(bench.post(`${GROUP_PATH}monitoring`, change, cookie).status).toBe(200);
    expect(bench.settings.monitoring).toMatchObject({ temperature: { offset: 2 }, voltages: [{ ratio: 12 }, {}, {}] });
    expect(JSON.stringify(bench.settings.monitoring)).not.toMatch(/"y"|"beta":1[,}]/);
  });
});

describe("optional parts", () => {
  const events = (texts: readonly string[]): EventLog => ({
    add: () => undefined,
    length: texts.length,
    at: (index) => ({ uptime: index, before: index === 0, text: texts[index]! }),
  });

  it("a log, truncated to its newest lines", () => {
    const [bench, cookie] = signedIn({ events: events(["start", "BMS online"]) });
    expect(bench.get("/web/log", cookie).json).toEqual({
      success: true,
      data: [
        { uptime: 0, before: true, text: "start" },
        { uptime: 1, text: "BMS online" },
      ],
    });
    const [long, longCookie] = signedIn({ events: events(Array.from({ length: 200 }, () => "x".repeat(100))) });
    const told = (long.get("/web/log", longCookie).json as { data: { uptime: number }[] }).data;
    expect(told.at(-1)).toMatchObject({ uptime: 199 });
    expect(told.length).toBeGreaterThan(20);
    expect(told.length).toBeLessThan(200);
    const [none, noneCookie] = signedIn({ events: events([]) });
    expect(none.get("/web/log", noneCookie).json).toEqual({ success: true, data: [] });
  });

  it("Wi-Fi, which can scan", () => {
    let scanning = false;
    const networks = [{ ssid: "Shed", rssi: -61, open: false }];
    const networkControl = {
      ssid: "Shed",
      rssi: -61,
      reason: "",
      accessPointIp: "",
      onPortal: () => false,
      scan: () => ({ scanning, networks }),
      startScan: () => void (scanning = true),
    };
    const [bench, cookie] = signedIn({ networkControl });
    expect(bench.get("/web/scan").status).toBe(401);
    expect(bench.get("/web/scan", cookie).json).toEqual({ success: true, data: { scanning: false, networks } });
    const started = bench.post("/web/scan", {}, cookie);
    expect([started.status, started.json]).toMatchObject([202, { data: { scanning: true } }]);
    expect(bench.get("/web/device", cookie).json).toMatchObject({
      data: { network: { ssid: "Shed", rssi: -61, reason: "" } },
    });
  });

  it("meters and a clock", () => {
    const memory = { slots: 1000, chunks: 20_000, free: undefined, leastFree: 41_000, largestBlock: 30_000 };
    const start = { reason: "panic", restarts: 3, where: "task main, pc 0x400d1a2b", safe: false };
    const [bench, cookie] = signedIn({ memory, start, time: () => 1_800_000_000 });
    expect(bench.get("/web/device", cookie).json).toMatchObject({
      data: {
        time: 1_800_000_000,
        memory: { slots: 1000, chunks: 20_000, free: null, leastFree: 41_000, largestBlock: 30_000 },
        start: { reason: "panic", restarts: 3, where: "task main, pc 0x400d1a2b", safeMode: false, problems: [] },
        mac: "A0:B1:C2:D3:E4:F5",
      },
    });
  });

  it("a slot for updates", () => {
    const taken: number[] = [];
    let problem = "";
    let result = "";
    const updater: Updater = {
      state: "idle",
      signed: true,
      received: 0,
      size: 0,
      error: "",
      receive(_exchange, size, done) {
        if (problem) return problem;
        taken.push(size);
        done(result);
        return undefined;
      },
    };
    const [bench, cookie] = signedIn({ updater });
    const idle = { state: "idle", signed: true, received: 0, size: 0, error: "" };
    expect(bench.get("/web/update", cookie).json).toEqual({ success: true, data: idle });
    expect(bench.get("/web/device", cookie).json).toMatchObject({ data: { update: idle } });
    const send = (headers: object): (number | undefined)[] => {
      const exchange = bench.ask({ method: "POST", path: "/web/update", cookie, headers });
      return [exchange.status];
    };
    const image = { "content-type": "application/octet-stream", "content-length": "4096" };
    expect(send(image)).toEqual([200]);
    expect(send({ ...image, "content-type": "application/json" })).toEqual([415]);
    expect(send({ "content-type": "application/octet-stream" })).toEqual([411]);
    result = "image-other-chip";
    expect(send(image)).toEqual([400]);
    problem = "update-running";
    expect(send(image)).toEqual([409]);
    expect(taken).toEqual([4096, 4096]);
    expect(bench.ask({ method: "POST", path: "/web/update", headers: image }).status).toBe(401);
  });
});

describe("restart and factory reset", () => {
  it("happen after the answer is sent", () => {
    const [bench, cookie] = signedIn();
    expect(bench.post("/web/restart", {}, cookie).status).toBe(204);
    bench.advance(RESTART_DELAY - 1);
    expect(bench.restarts).toEqual([]);
    bench.advance(1);
    expect(bench.restarts).toEqual(["ordered"]);
  });

  it("happens at once without memory for a timer", () => {
    const [bench, cookie] = signedIn();
    bench.board.refusals.failAllocation(1);
    expect(bench.post("/web/restart", {}, cookie).status).toBe(204);
    expect(bench.restarts).toEqual(["ordered"]);
  });

  it("a factory reset needs a confirmation, and may fail", () => {
    const resets: (string | undefined)[] = [];
    let problem: string | undefined = "not-stored";
    const factoryReset = (): string | undefined => (resets.push(problem), problem);
    const [bench, cookie] = signedIn({ factoryReset });
    for (const json of [{}, { confirm: "true" }, { confirm: 1 }])
      expect(bench.post("/web/factory-reset", json, cookie).status).toBe(400);
    expect(resets).toEqual([]);
    expect(bench.post("/web/factory-reset", { confirm: true }, cookie).status).toBe(500);
    problem = undefined;
    expect(bench.post("/web/factory-reset", { confirm: true }, cookie).status).toBe(204);
    bench.advance(RESTART_DELAY);
    expect([resets.length, bench.restarts]).toEqual([2, ["factory-reset"]]);
  });
});

describe("a firmware without the page", () => {
  it.each(["/", "/favicon.ico", ...ASSETS.map((name) => `/${name}`)])("says so at %s", (path) => {
    const bench = new WebBench();
    const { status, type, body } = bench.get(path);
    expect([status, type]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(new TextDecoder().decode(body)).toContain("was not built into this firmware");
    expect(bench.post(path, {}).status).toBe(405);
  });
});

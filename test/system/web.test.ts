import type { IncomingMessage } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { defaultConfig } from "../../host-sim/config";
import { hashPassword } from "../../host-sim/password";
import { ASKING_FOR, MAX_LISTENERS } from "../../src/web/limits";
import { freePort } from "../support/free-port";
import { System, TOKEN, type SystemOptions } from "../support/system/system";
import { setUpCode, WebClient, type WebAnswer } from "../support/web/web-client";

const PASSWORD = "Lítio-280-Ah";
/** Hashed with few iterations: these tests are not about hashing time. */
const HASH = hashPassword(PASSWORD, 100);
const PAGE = "<!doctype html><title>page</title>";

let resources = "";
beforeAll(() => {
  resources = mkdtempSync(join(tmpdir(), "bms-page-"));
  writeFileSync(join(resources, "index.html.gz"), gzipSync(PAGE));
  writeFileSync(join(resources, "app.js.gz"), gzipSync("'use strict'".repeat(2_000)));
  writeFileSync(join(resources, "icon.svg.gz"), gzipSync("<svg/>"));
});
afterAll(() => rmSync(resources, { recursive: true }));

const running: System[] = [];
const streams: IncomingMessage[] = [];
const start = async (options: SystemOptions = {}, web: object = { password: HASH }): Promise<System> => {
  const settings = { ...options.board?.config?.settings, web };
  const system = await System.start({
    ...options,
    board: { resources, ...options.board, config: { ...options.board?.config, settings } },
  });
  running.push(system);
  return system;
};
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
  for (const system of running.splice(0)) system.stop();
});

const signedIn = async (system: System): Promise<WebClient> => {
  const client = new WebClient(system);
  expect((await client.signIn(PASSWORD)).status).toBe(200);
  return client;
};

const listen = async (
  client: WebClient,
): Promise<{ status: number; events: () => Record<string, number>[]; ended: () => boolean }> => {
  const stream = await client.open("GET", "/web/events");
  streams.push(stream);
  let text = "";
  let ended = false;
  stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  stream.on("end", () => (ended = true)).on("error", () => (ended = true));
  return {
    status: stream.statusCode ?? 0,
    events: () =>
      text
        .split("\n\n")
        .slice(0, -1)
        .map((event) => JSON.parse(event.replace("data: ", "")) as Record<string, number>),
    ended: () => ended,
  };
};

describe("from the first start to a confirmed write", () => {
  it("choose a password, set the device up, and write", async () => {
    const system = await start({}, {});
    const client = new WebClient(system);
    expect((await client.get("/web/session")).json.data).toMatchObject({ firstStart: true, signedIn: false });
    expect((await client.get("/web/status")).status).toBe(401);
    for (const group of ["device", "api"]) expect((await client.post(`/web/group/${group}`, {})).status).toBe(401);
    expect((await client.post("/web/password", { new: PASSWORD })).status).toBe(403);

    const chosen = await client.post("/web/password", { new: PASSWORD, code: setUpCode(system.console) });
    expect([chosen.status, chosen.json.data]).toMatchObject([200, { firstStart: false, signedIn: true }]);
    expect((await client.get("/web/session")).json.data).toMatchObject({ firstStart: false, signedIn: true });
    expect((await client.post("/web/group/device", { name: "Garage" })).status).toBe(200);

    await system.untilLoaded();
    const queued = await client.post("/web/parameters", { setting: "cell_ovp_voltage", value: 3.65 });
    expect([queued.status, queued.json.data]).toEqual([
      202,
      { setting: "cell_ovp_voltage", statusEndpoint: "/web/queue" },
    ]);
    await system.until("the write has ended", async () => !(await client.get("/web/queue")).json.data.pending);
    expect((await client.get("/web/queue")).json.data).toMatchObject({ lastCommandOk: true });
    expect((await client.get("/web/config")).json.data.protections.cellOvpVoltage).toBe(3.65);

    const stranger = new WebClient(system);
    expect((await stranger.post("/web/group/device", { name: "Mine" })).status).toBe(401);
    expect((await stranger.post("/web/password", { new: "another-one" })).status).toBe(401);
    expect((await stranger.signIn(PASSWORD)).status).toBe(200);
  });
});

it("on the first start a press of the button admits the one page that asked, not any that polls", async () => {
  const pins = { ...defaultConfig().pins, button: 13 };
  const system = await start({ board: { config: { pins } } }, {});
  const owner = new WebClient(system, "127.0.0.2");
  const stranger = new WebClient(system, "127.0.0.3");
  const choose = async (client: WebClient, number?: string): Promise<number> =>
    (await client.post("/web/password", { new: PASSWORD, number })).status;
  const ask = async (client: WebClient, number = ""): Promise<{ state: string; number: string }> =>
    (await client.post("/web/button", { number })).json.data as { state: string; number: string };
  const press = (): void => {
    system.board.press(200);
    system.skip(400);
  };

  const { number } = await ask(owner);
  expect((await stranger.get("/web/session")).json.data).toMatchObject({ codeWanted: true, button: true });
  expect(await choose(stranger)).toBe(403);
  press();
  expect([await choose(stranger), await choose(stranger, number), await choose(owner)]).toEqual([403, 403, 403]);
  expect(await ask(owner, number)).toMatchObject({ state: "admitted", number });

  expect(await ask(stranger)).toMatchObject({ state: "contested", number: "" });
  system.skip(ASKING_FOR);
  const first = (await ask(stranger)).number;
  expect(await ask(owner, number)).toMatchObject({ state: "contested", number: "" });
  press();
  expect([await choose(stranger, first), await choose(owner, number)]).toEqual([403, 403]);

  system.skip(ASKING_FOR);
  const again = (await ask(owner, number)).number;
  press();
  expect([await choose(stranger, again), await choose(owner, again)]).toEqual([403, 200]);
});

describe("unauthorized clients", () => {
  it("are kept out: wrong passwords with growing delays, other sites, other addresses' sessions", async () => {
    const system = await start({ unpaced: true });
    const { clock } = system.board;
    const client = new WebClient(system);
    /** Virtual ms until the answer is there. */
    const timed = async (password: string): Promise<[status: number, time: number]> => {
      const from = clock.now;
      let answer: WebAnswer | undefined;
      void client.signIn(password).then((given) => (answer = given));
      await system.until("there is an answer", () => {
        clock.runFor(50);
        return answer !== undefined;
      });
      return [answer!.status, clock.now - from];
    };
    const attempts: [number, number][] = [];
    for (let count = 0; count < 4; count++) attempts.push(await timed("wrong-password"));
    expect(attempts.map(([status]) => status)).toEqual([401, 401, 401, 401]);
    expect(attempts[3]![1]).toBeGreaterThanOrEqual(2_000);
    expect((await timed(PASSWORD))[0]).toBe(200);
    const cookie = client.cookie!;
    expect(cookie).toMatch(/^session=[0-9a-f]{32}$/);

    clock.start();
    for (const headers of [{ origin: "http://evil.example" }, { origin: undefined, "sec-fetch-site": "cross-site" }])
      for (const [method, path] of [
        ["POST", "/web/commands"],
        ["POST", "/web/restart"],
        ["DELETE", "/web/session"],
      ] as const)
        expect((await client.send(method, path, { headers })).status).toBe(403);
    client.cookie = `${cookie.slice(0, -1)}${cookie.endsWith("0") ? "1" : "0"}`;
    expect((await client.get("/web/status")).status).toBe(401);
    client.cookie = cookie;
    expect((await client.get("/web/status")).status).toBe(200);
    clock.stop();
    clock.runFor(31 * 60_000);
    clock.start();
    expect((await client.get("/web/status")).status).toBe(401);
    expect((await client.get("/web/session")).json.data).toMatchObject({ signedIn: false });
  });
});

describe("signed in", () => {
  it("can read every document and write everything, with the API disabled", async () => {
    const system = await start();
    await system.untilLoaded();
    const client = await signedIn(system);
    expect((await client.post("/web/group/api", { enabled: false })).status).toBe(200);
    expect((await system.get("/api")).status).toBe(403);

    const status = await client.get("/web/status");
    expect(status.json).toMatchObject({
      success: true,
      data: { online: true, cellCount: 16, pack: { chargeMosfet: true, balancing: false } },
      bms: { switches: { charge_mos: true, emergency: false } },
    });
    expect(status.json.bms.age).toBeLessThan(5);
    expect((await client.get("/web/config")).json.data.loaded).toBe(true);
    expect((await client.get("/web/summary")).json.data.system.boardVersion).toBe("host-sim");
    expect((await client.get("/web/device")).json.data).toMatchObject({
      board: "host-sim",
      time: null,
      link: { online: true, readMode: "registers", timeouts: 0 },
      network: { mode: "STA", type: "Ethernet" },
    });
    expect((await client.get("/web/token")).json.data).toEqual({ token: TOKEN });
    expect((await client.post("/web/relay", { state: "on" })).json.data).toMatchObject({ relay0State: "on" });
    const [first, second] = await system.whileTimeStands(async () => [
      await client.post("/web/commands", { command: "balance", state: false }),
      await client.post("/web/commands", { command: "balance", state: true }),
    ]);
    expect(first.status).toBe(202);
    expect(second.json).toMatchObject({ success: false, data: { pending: true } });
    await system.skipUntil("the write has ended", () => !system.monitor().pending);
    expect(system.monitor()).toMatchObject({ lastCommandOk: true });
    expect((await client.get("/web/nothing")).status).toBe(404);
    expect((await client.get("/web/history.csv")).text).toMatch(
      /^time_s,soc,power_w,min_cell_v,max_cell_v\r\n-?\d+,\d+,-?\d+,\d\.\d+,\d\.\d+\r\n$/,
    );
    const log = (await client.get("/web/log")).json.data as { text: string }[];
    expect(log.map(({ text }) => text).join()).toMatch(/online/i);
    expect((await client.get("/web/scan")).json.data).toEqual({ scanning: false, networks: [] });
    expect((await client.get("/web/update")).json.data).toEqual({
      state: "idle",
      signed: false,
      received: 0,
      size: 0,
      error: "",
    });
  });

  it("a new token works at once, and the old one no longer", async () => {
    const system = await start();
    const client = await signedIn(system);
    const { token } = (await client.post("/web/token", {})).json.data as { token: string };
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    const ask = (bearer: string): Promise<number> =>
      system.request("GET", "/api", { headers: { Authorization: `Bearer ${bearer}` } }).then(({ status }) => status);
    expect([await ask(TOKEN), await ask(token)]).toEqual([401, 200]);
  });

  it("changes groups with lists and records, and reports errors in the settings' words", async () => {
    const system = await start();
    const client = await signedIn(system);
    const { voltages } = (await client.get("/web/group/monitoring")).json.data as { voltages: { ratio: number }[] };
    expect(voltages.map(({ ratio }) => ratio)).toEqual([25, 25, 25]);
    const changed = voltages.map((channel, at) => ({ ...channel, ratio: at ? 11.25 : 24.999, unheardOf: 1 }));
    const request = { voltages: changed, temperature: { offset: -0.5 }, invented: { deep: true } };
    expect((await client.post("/web/group/monitoring", request)).status).toBe(200);
    expect((await client.get("/web/group/monitoring")).json.data).toMatchObject({
      temperature: { offset: -0.5, beta: 3950 },
      voltages: [{ ratio: 24.999 }, { ratio: 11.25 }, { ratio: 11.25 }],
    });
    const wrong = await client.post("/web/group/bms", { interval: 499 });
    expect([wrong.status, wrong.json.error]).toEqual([400, "not-integer\tbms.interval\t500\t60000\tms"]);
    expect((await client.get("/web/group/bms")).json.data.interval).toBe(1000);
  });

  it("never sends a secret that was not requested, nor the password", async () => {
    const system = await start();
    const client = await signedIn(system);
    await client.post("/web/group/mqtt", { password: "broker-secret" });
    await client.post("/web/group/network", { password: "wifi-secret-1" });
    expect((await client.get("/web/group/mqtt")).json.data).toMatchObject({ password: true, user: "" });
    expect((await client.get("/web/group/api")).json.data).toEqual({ enabled: true, token: true });
    expect((await client.get("/web/group/snmp")).json.data.community).toBe(false);
    expect((await client.send("GET", "/web/group/mqtt?secrets=1")).json.data.password).toBe("broker-secret");
    for (const query of ["", "?secrets=1"]) expect((await client.get(`/web/group/web${query}`)).status).toBe(404);
    expect((await client.post("/web/group/web", { password: "" })).status).toBe(404);
    for (const path of ["/web/device", "/web/summary", "/web/group/network", "/web/session", "/web/status"])
      expect((await client.get(path)).text).not.toMatch(/broker-secret|wifi-secret|pbkdf2/);
    expect(system.console.join()).not.toMatch(/broker-secret|wifi-secret|pbkdf2/);
  });

  it("restarts, and erases everything on a factory reset", async () => {
    const port = await freePort();
    const system = await start({ board: { config: { httpPort: port } } }, {});
    const client = new WebClient({ url: `http://127.0.0.1:${port}` });
    await client.post("/web/password", { new: PASSWORD, code: setUpCode(system.console) });
    await client.post("/web/group/device", { name: "Garage" });
    const session = async (): Promise<unknown> =>
      (await client.get("/web/session").catch(() => undefined))?.json?.data ?? "none";

    expect((await client.post("/web/restart", {})).status).toBe(204);
    await expect.poll(session).toMatchObject({ firstStart: false, signedIn: false });
    expect((await client.signIn(PASSWORD)).status).toBe(200);
    expect((await client.get("/web/group/device")).json.data.name).toBe("Garage");

    const { storage } = system.board;
    storage.write("state", "leftover", { string: "a secret" });
    storage.write("state", "energy", { string: "10 20 30" });
    expect((await client.post("/web/factory-reset", { confirm: "yes" })).status).toBe(400);
    expect((await client.post("/web/factory-reset", { confirm: true })).status).toBe(204);
    await expect.poll(session).toMatchObject({ firstStart: true, signedIn: false });
    await client.post("/web/password", { new: PASSWORD, code: setUpCode(system.console) });
    expect((await client.get("/web/group/device")).json.data.name).toBe("JK BMS monitor");
    await system.board.restarted;
    // The flash was erased, not only the settings; the energy that has flowed is no setting.
    expect(storage.keys("state")).toEqual(["energy"]);
  });
});

describe("events", () => {
  it("report changes; a third listener is refused, and other connections stay free", async () => {
    const system = await start();
    await system.untilLoaded();
    const client = await signedIn(system);
    const open: Awaited<ReturnType<typeof listen>>[] = [];
    for (let count = 0; count < MAX_LISTENERS; count++) open.push(await listen(client));
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    const refused = await client.get("/web/events");
    expect([refused.status, refused.json.success]).toEqual([503, false]);
    await expect.poll(() => open[0]!.events().length).toBeGreaterThan(2);
    const before = open[0]!.events().at(-1)!;
    await client.post("/web/relay", { state: "on" });
    await client.post("/web/commands", { command: "charge_mos", state: false });
    await expect
      .poll(() => {
        const now = open[1]!.events().at(-1)!;
        return [now["relay"]! > before["relay"]!, now["queue"]! > before["queue"]!, now["config"]! > before["config"]!];
      })
      .toEqual([true, true, true]);
    const all = await Promise.all(Array.from({ length: 4 }, () => client.get("/web/status")));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);

    expect((await client.send("DELETE", "/web/session")).status).toBe(204);
    await expect.poll(() => open.map(({ ended }) => ended())).toEqual([true, true]);
  });
});

describe("the page", () => {
  it("is served from flash, compressed, with a CSP and an ETag", async () => {
    const system = await start();
    const client = new WebClient(system);
    const incoming = await client.open("GET", "/", { headers: { "accept-encoding": "gzip" } });
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(PAGE);
    const { etag } = incoming.headers;
    expect(incoming.headers).toMatchObject({
      "content-encoding": "gzip",
      "cache-control": "no-cache",
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    const policy = (incoming.headers["content-security-policy"] as string).replace(/'sha256-[\w+/]{43}='/, "DIGEST");
    expect(policy).toBe(
      "default-src 'none'; script-src 'self' DIGEST; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const again = await client.send("GET", "/", { headers: { "if-none-match": etag } });
    expect([again.status, again.headers.get("etag"), again.headers.get("x-content-type-options")]).toEqual([
      304,
      etag,
      "nosniff",
    ]);
    const script = await client.send("GET", "/app.js");
    expect([script.status, script.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    const digest = (script.headers.get("etag") ?? "").slice(1, -1);
    const cached = async (query: string): Promise<string | null> =>
      (await client.send("GET", `/app.js?${query}`)).headers.get("cache-control");
    expect(await cached(digest)).toBe("public, max-age=31536000, immutable");
    // Asked for by the page of other firmware.
    expect(await cached("0123")).toBe("no-cache");
    expect((await client.send("GET", "/?0123")).headers.get("cache-control")).toBe("no-cache");
    expect((await client.send("GET", "/favicon.ico")).headers.get("content-type")).toBe("image/svg+xml");
    expect((await client.get("/app.css")).status).toBe(503);
  });
});

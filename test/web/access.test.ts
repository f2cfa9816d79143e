import { beforeEach, describe, expect, it } from "vitest";
import { MAX_SESSIONS, SESSION_IDLE, SESSION_LIFE } from "../../src/web/limits";
import { ROUTES } from "../../src/web/router";
import { fakeParts } from "../support/fakes/fake-parts";
import { HOST, WebBench } from "../support/web/web-bench";

const SECOND = 1000;

let bench: WebBench;
beforeEach(() => void (bench = new WebBench()));

const isIn = (cookie: string): boolean => bench.get("/web/token", cookie).status === 200;

describe("a session", () => {
  it("expires after its idle time, not earlier", () => {
    const cookie = bench.signIn();
    bench.advance((SESSION_IDLE - 1) * SECOND);
    expect(isIn(cookie)).toBe(true);
    bench.advance((SESSION_IDLE - 1) * SECOND);
    expect(isIn(cookie)).toBe(true);
    bench.advance((SESSION_IDLE + 1) * SECOND);
    expect(isIn(cookie)).toBe(false);
  });

  it("expires after a day, however busy", () => {
    const cookie = bench.signIn();
    const step = SESSION_IDLE - 1;
    for (let time = step; time < SESSION_LIFE; time += step) {
      bench.advance(step * SECOND);
      expect(isIn(cookie)).toBe(true);
    }
    bench.advance(step * SECOND);
    expect(isIn(cookie)).toBe(false);
  });

  it("that was idle longest is evicted for a new one", () => {
    const cookies = Array.from({ length: MAX_SESSIONS }, () => {
      bench.advance(2 * SECOND);
      return bench.signIn();
    });
    bench.advance(2 * SECOND);
    expect(isIn(cookies[0]!)).toBe(true);
    bench.advance(2 * SECOND);
    const last = bench.signIn();
    expect([...cookies, last].map(isIn)).toEqual([true, false, true, true, true]);
  });

  it("ends at sign-out, together with its cookie", () => {
    const [mine, other] = [bench.signIn(), bench.signIn()];
    const exchange = bench.ask({ method: "DELETE", path: "/web/session", cookie: mine });
    expect([exchange.status, exchange.responseHeader("set-cookie")]).toEqual([
      204,
      "session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
    ]);
    expect([isIn(mine), isIn(other)]).toEqual([false, true]);
    expect(bench.ask({ method: "DELETE", path: "/web/session", cookie: mine }).status).toBe(401);
  });

  it("is found by its cookie among others, and by nothing else", () => {
    const cookie = bench.signIn();
    const id = cookie.slice("session=".length);
    expect(isIn(`a=b; ${cookie}; c=d`)).toBe(true);
    for (const wrong of [
      "",
      "session=",
      "session",
      id,
      `Session=${id}`,
      `xsession=${id}`,
      `${cookie}0`,
      cookie.slice(0, -1),
    ])
      expect(isIn(wrong)).toBe(false);
    expect(isIn(cookie.toUpperCase())).toBe(false);
  });

  it("can be queried without being signed in", () => {
    expect(bench.get("/web/session").json).toEqual({
      success: true,
      data: {
        safeMode: false,
        firstStart: false,
        signedIn: false,
        guest: false,
        link: false,
        guests: false,
        passwordLost: false,
        codeWanted: false,
        button: false,
        idleSeconds: 1800,
        stayDays: 30,
      },
    });
    expect(bench.get("/web/session", bench.signIn()).json).toMatchObject({ data: { signedIn: true } });
  });
});

describe("every resource", () => {
  const methods = (route: (typeof ROUTES)[number]): string[] =>
    (["get", "post", "delete"] as const).filter((method) => route[method]).map((method) => method.toUpperCase());
  const fitted = ROUTES.filter((route) => (!route.part && !route.exists) || route.path === "/web/relay");
  const pathOf = (route: (typeof ROUTES)[number]): string => (route.below ? `${route.path}bms` : route.path);

  it.each(fitted.filter(({ path }) => path !== "/web/session"))("$path requires a session", (route) => {
    for (const method of methods(route)) {
      const exchange = bench.ask({ method, path: pathOf(route) });
      expect([exchange.status, exchange.json]).toEqual([401, { success: false, error: "not-signed-in" }]);
    }
  });

  it.each(fitted)("$path has no other methods", (route) => {
    const cookie = bench.signIn();
    for (const method of ["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"].filter(
      (name) => !methods(route).includes(name),
    )) {
      const exchange = bench.ask({ method, path: pathOf(route), cookie, headers: { origin: `http://${HOST}` } });
      expect(exchange.status).toBe(405);
      const allow = exchange.responseHeader("allow")!.split(", ");
      expect(allow.filter((name) => name !== "HEAD")).toEqual(methods(route));
      expect(allow.includes("HEAD")).toBe(allow.includes("GET"));
    }
  });

  it("carries the security headers", () => {
    const cookie = bench.signIn();
    for (const exchange of [
      bench.get("/web/session"),
      bench.get("/web/status", cookie),
      bench.get("/web/status"),
      bench.get("/web/nothing"),
      bench.get("/app.css"),
      bench.post("/web/session", {}),
      bench.ask({ method: "PUT", path: "/" }),
    ]) {
      const header = (name: string): string | undefined => exchange.responseHeader(name);
      expect(header("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
      expect(header("content-security-policy")).toContain("frame-ancestors 'none'");
      expect([header("x-content-type-options"), header("referrer-policy"), header("cache-control")]).toEqual([
        "nosniff",
        "no-referrer",
        "no-store",
      ]);
      expect(header("access-control-allow-origin")).toBeUndefined();
    }
  });

  it("of a part that this device lacks is 404, like an unknown one", () => {
    const cookie = bench.signIn();
    for (const path of [
      "/web/history.csv",
      "/web/log",
      "/web/scan",
      "/web/update",
      "/web",
      "/web/",
      "/web/Status",
      "/x",
    ])
      expect(bench.get(path, cookie).status).toBe(404);
    bench.settings.update("relay", { fitted: false });
    const withoutRelay = new WebBench({ settings: bench.settings });
    expect(withoutRelay.post("/web/relay", { state: "on" }, withoutRelay.signIn()).status).toBe(404);
  });
});

describe("a request with another Host", () => {
  const status = (host: string | undefined, path = "/web/session", method = "GET"): number | undefined =>
    bench.ask({ method, path, headers: { host: host as string } }).status;

  it.each([
    "evil.example",
    "evil.example:80",
    "jk-bms.evil.example",
    "jk-bms.local.evil.example",
    "jk-bms-1",
    "jk-bms-10.local",
    "xjk-bms",
    "jk-bms.",
    ".local",
    "192.0.2.1",
    "192.0.2.100",
    "203.0.113.9",
    "localhost",
    "",
    ":80",
    undefined,
  ])("such as %j is misdirected", (host) => {
    for (const path of ["/web/session", "/web/token", "/web/nothing", "/web"]) expect(status(host, path)).toBe(421);
    const refusal = bench.ask({ method: "GET", path: "/web/session", headers: { host: host as string } });
    expect(refusal.json).toEqual({ success: false, error: `unknown-host-name\t${HOST}` });
    const first = new WebBench({}, { password: "" });
    const headers = { host: host as string, origin: `http://${host}` };
    const taken = first.ask({ method: "POST", path: "/web/password", json: { new: "taken over" }, headers });
    first.advance(10_000);
    expect([taken.status, first.settings.web.password]).toEqual([421, ""]);
  });

  it.each([HOST, `${HOST}:8080`, "jk-bms", "JK-BMS.local", "jk-bms-2.local", "jk-bms-9", "192.168.4.1"])(
    "that belongs to the device is accepted: %s",
    (host) => {
      const { accessPointIp } = { accessPointIp: "192.168.4.1" };
      const scan = { scanning: false, networks: [] };
      const control = {
        ssid: "",
        rssi: undefined,
        reason: "",
        accessPointIp,
        onPortal: () => false,
        scan: () => scan,
        startScan: () => undefined,
      };
      bench = new WebBench({ networkControl: control });
      expect(status(host)).toBe(200);
    },
  );

  it("that the owner or the build added is accepted", () => {
    expect(status("battery.example.org")).toBe(421);
    bench.settings.update("device", { proxyHost: "Battery.example.org" });
    expect(status("battery.example.org:443")).toBe(200);
    expect(status("www.battery.example.org")).toBe(421);
    const { build } = fakeParts();
    bench = new WebBench({ build: { ...build, hosts: ["localhost"] } });
    expect(status("localhost:8080")).toBe(200);
  });

  it("gets the page's files, which reveal nothing about the device", () => {
    expect(status("evil.example", "/app.css")).toBe(503);
  });
});

describe("a state-changing request", () => {
  const from = (headers: Record<string, string | undefined>, method = "POST"): number | undefined => {
    const given = Object.fromEntries(Object.entries({ host: HOST, origin: undefined, ...headers }));
    const exchange = bench.ask({ method, path: "/web/restart", headers: given, cookie: bench.signIn() });
    return exchange.status;
  };

  it.each([
    [{ origin: `http://${HOST}` }],
    [{ origin: `https://${HOST}` }],
    [{ origin: "http://JK-BMS.local", host: "jk-bms.LOCAL" }],
    [{ origin: "http://jk-bms.local:8080", host: "jk-bms.local:8080" }],
    [{ origin: `http://${HOST}`, "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-origin" }],
    [{}],
  ])("with %j is same-origin", (headers) => {
    expect(from(headers)).toBe(204);
  });

  it.each([
    [{ origin: "http://evil.example" }],
    [{ origin: "null" }],
    [{ origin: "" }],
    [{ origin: HOST }],
    [{ origin: `http://${HOST}:81` }],
    [{ origin: `http://${HOST}.evil.example` }],
    [{ origin: `ftp://${HOST}` }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-site": "none" }],
  ])("with %j is cross-origin and refused", (headers) => {
    expect(from(headers)).toBe(403);
    bench.advance(60 * SECOND);
    expect(bench.restarts).toEqual([]);
  });

  it.each(["POST", "DELETE", "PUT", "OPTIONS", "BREW"])("has the method %s", (method) => {
    const headers = { origin: "http://evil.example" };
    for (const path of ["/web/session", "/web/nothing", "/"])
      expect(bench.ask({ method, path, headers }).status).toBe(403);
  });

  it.each(["GET", "HEAD"])("does not have the method %s", (method) => {
    const headers = { origin: "http://evil.example" };
    expect(bench.ask({ method, path: "/web/session", headers }).status).toBe(200);
  });
});

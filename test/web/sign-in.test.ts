import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FAILURE_MEMORY } from "../../src/auth/limits";
import {
  FIRST_FAILURE_DELAY,
  ITERATIONS,
  MAX_FAILURE_DELAY,
  MAX_HELD,
  MAX_PASSWORD_BODY,
  MAX_WAITING,
  STEP_INTERVAL,
  STEP_ITERATIONS,
} from "../../src/web/limits";
import type { WebDevice } from "../../src/web/types";
import type { FakeExchange } from "../support/http/fake-exchange";
import { fakeParts } from "../support/fakes/fake-parts";
import { watchTimers } from "../support/fakes/timers";
import { setUpCode } from "../support/web/web-client";
import { HOST, HASH, PASSWORD, WebBench } from "../support/web/web-bench";

let timers: ReturnType<typeof watchTimers>;
let bench: WebBench;
beforeEach(() => {
  timers = watchTimers();
  bench = new WebBench();
});
afterEach(() => void vi.restoreAllMocks());

const seconds = (exchange: FakeExchange): string | undefined => exchange.responseHeader("retry-after");
const address = (number: number): string => `198.51.100.${number}`;

describe("a password", () => {
  it("that is correct starts a session, with all cookie attributes", () => {
    const exchange = bench.attempt(PASSWORD);
    expect(exchange.open).toBe(true);
    expect(bench.wait(exchange)).toBe(STEP_INTERVAL);
    expect([exchange.status, exchange.json]).toMatchObject([200, { data: { signedIn: true, firstStart: false } }]);
    expect(exchange.responseHeader("set-cookie")).toMatch(/^session=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(timers.size).toBe(0);
  });

  it("that is wrong gets 401, with growing delays", () => {
    const delays = Array.from({ length: 7 }, () => {
      const exchange = bench.attempt("wrong horse");
      const delay = bench.wait(exchange) - STEP_INTERVAL;
      expect([exchange.status, exchange.json]).toEqual([401, { success: false, error: "wrong-password" }]);
      expect(exchange.responseHeader("set-cookie")).toBeUndefined();
      return delay;
    });
    expect(delays).toEqual([0, FIRST_FAILURE_DELAY, 1000, 2000, 4000, MAX_FAILURE_DELAY, MAX_FAILURE_DELAY]);
    expect(timers.size).toBe(0);
  });

  it("that is wrong is answered at once without memory for a timer, which takes no other's place", () => {
    bench.wait(bench.attempt("wrong horse"));
    for (let nth = 0; nth <= MAX_HELD; nth++) {
      const exchange = bench.attempt("wrong horse");
      // The next allocation is the timer of the answer: that of the check exists.
      bench.board.refusals.failAllocation(1);
      expect([bench.wait(exchange), exchange.status]).toEqual([STEP_INTERVAL, 401]);
      bench.advance(MAX_FAILURE_DELAY);
    }
    expect(bench.wait(bench.attempt("wrong horse"))).toBeGreaterThan(STEP_INTERVAL);
  });

  it("that cannot be checked without memory for a timer can be tried again", () => {
    bench.board.refusals.failAllocation(1);
    expect(() => bench.attempt(PASSWORD)).toThrow("add failed");
    const exchange = bench.attempt(PASSWORD);
    bench.wait(exchange);
    expect(exchange.status).toBe(200);
  });

  it("that was wrong is forgotten after a correct one, and after FAILURE_MEMORY", () => {
    for (const password of ["wrong horse", "wrong horse", PASSWORD]) bench.wait(bench.attempt(password));
    expect(bench.wait(bench.attempt("wrong horse"))).toBe(STEP_INTERVAL);
    bench.advance(FAILURE_MEMORY + 1);
    expect(bench.wait(bench.attempt("wrong horse"))).toBe(STEP_INTERVAL);
  });

  it("is not checked while its address is delayed, even if correct", () => {
    bench.wait(bench.attempt("wrong horse"));
    const held = bench.attempt("wrong horse");
    bench.advance(STEP_INTERVAL);
    expect(held.open).toBe(true);
    const next = bench.attempt(PASSWORD);
    expect([next.status, seconds(next)]).toEqual([429, "1"]);
    bench.wait(held);
    const right = bench.attempt(PASSWORD);
    bench.wait(right);
    expect(right.status).toBe(200);
  });

  it("from another address is not delayed by that", () => {
    bench.wait(bench.attempt("wrong horse"));
    bench.attempt("wrong horse");
    bench.advance(STEP_INTERVAL);
    const other = bench.attempt(PASSWORD, address(2));
    expect(bench.wait(other)).toBe(STEP_INTERVAL);
    expect(other.status).toBe(200);
  });

  it("is checked one at a time per address", () => {
    bench.attempt(PASSWORD);
    expect(bench.attempt(PASSWORD).status).toBe(429);
    expect(bench.attempt(PASSWORD, address(2)).open).toBe(true);
  });

  it("queues behind others, up to a limit", () => {
    const all = Array.from({ length: MAX_WAITING + 1 }, (_, number) => bench.attempt(PASSWORD, address(number)));
    const more = bench.attempt(PASSWORD, address(99));
    expect([more.status, seconds(more)]).toEqual([503, "2"]);
    expect(all.map((exchange) => bench.wait(exchange))).toEqual(all.map(() => STEP_INTERVAL));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(bench.attempt(PASSWORD, address(99)).open).toBe(true);
  });

  it("that is wrong holds a limited number of connections; beyond that only its address is delayed", () => {
    for (let round = 0; round < 2; round++) {
      const exchanges = Array.from({ length: MAX_HELD + 1 }, (_, number) => {
        const exchange = bench.attempt("wrong horse", address(number));
        bench.advance(STEP_INTERVAL);
        return exchange;
      });
      const open = exchanges.map((exchange) => exchange.open);
      if (round) {
        expect(open).toEqual([true, true, false]);
        expect(bench.attempt(PASSWORD, address(MAX_HELD)).status).toBe(429);
        for (const exchange of exchanges) bench.wait(exchange);
      } else expect(open).toEqual([false, false, false]);
    }
    expect(timers.size).toBe(0);
  });

  it("that is changed during the check no longer matches", () => {
    const exchange = bench.attempt(PASSWORD);
    bench.settings.update("web", { password: HASH.replace("$2$", "$3$") });
    bench.wait(exchange);
    expect(exchange.status).toBe(401);
  });

  it.each([
    "plain text",
    "lost",
    HASH.slice(0, -1),
    HASH.replace("$2$", "$1000000000$"),
    HASH.replace("pbkdf2-sha256", "pbkdf2-sha1"),
  ])("stored as %j admits nobody; console, log and page report it", (damaged) => {
    bench.settings.update("web", { password: damaged });
    const lines: string[] = [];
    const log = {
      add: (line: string) => void lines.push(line),
      length: 0,
      at: () => ({ uptime: 0, before: false, text: "" }),
    };
    bench = new WebBench({ settings: bench.settings, events: log }, { password: "" });
    expect(lines).toEqual([expect.stringContaining("password-lost")]);
    expect(bench.console).toContain("web: password-lost\n");
    expect(bench.get("/web/session").json).toMatchObject({ data: { firstStart: false, passwordLost: true } });
    for (const password of [damaged, PASSWORD]) {
      const exchange = bench.attempt(password);
      bench.wait(exchange);
      expect([exchange.status, exchange.json]).toMatchObject([409, { error: lines[0] }]);
    }
    expect(bench.post("/web/password", { new: PASSWORD }).status).toBe(401);
  });

  it.each([
    [{ password: 12345678 }, 400],
    [{}, 400],
    [{ password: "\ud800 is no text" }, 401],
    [{ password: "x".repeat(MAX_PASSWORD_BODY) }, 413],
  ])("%j is refused", (json, status) => {
    const exchange = bench.post("/web/session", json);
    bench.wait(exchange);
    expect(exchange.status).toBe(status);
  });

  it("is hashed in steps", () => {
    bench = new WebBench({}, { password: "" });
    const exchange = bench.post("/web/password", { new: PASSWORD, code: setUpCode(bench.console) });
    const steps = Math.ceil((ITERATIONS - 1) / STEP_ITERATIONS);
    expect(bench.wait(exchange)).toBe(steps * STEP_INTERVAL);
  });

  it("of a disconnected client starts no session", () => {
    const exchange = bench.attempt(PASSWORD);
    exchange.open = false;
    bench.advance(100);
    expect(exchange.status).toBeUndefined();
  });
});

describe("the first password", () => {
  beforeEach(() => void (bench = new WebBench({}, { password: "" })));

  it("is chosen without a session, and signs in", () => {
    const exchange = choose({ new: PASSWORD, code: setUpCode(bench.console) });
    expect([exchange.status, exchange.json]).toMatchObject([200, { data: { firstStart: false, signedIn: true } }]);
    const cookie = exchange.responseHeader("set-cookie")!.split(";")[0];
    expect(bench.get("/web/token", cookie).status).toBe(200);
    expect(bench.settings.web.password).toMatch(/^pbkdf2-sha256\$5000\$[0-9a-f]{32}\$[0-9a-f]{64}$/);
    const next = bench.attempt(PASSWORD);
    bench.wait(next);
    expect(next.status).toBe(200);
  });

  it("can be chosen only once, by the first client", () => {
    const code = setUpCode(bench.console);
    const first = bench.post("/web/password", { new: PASSWORD, code });
    const second = bench.ask({
      method: "POST",
      path: "/web/password",
      json: { new: "another one", code },
      remoteAddress: address(2),
    });
    bench.wait(first);
    bench.wait(second);
    expect([first.status, second.status]).toEqual([200, 409]);
    expect(bench.post("/web/password", { new: "another one" }).status).toBe(401);
  });

  it("cannot be used to sign in before it is chosen", () => {
    expect(bench.attempt("").status).toBe(409);
  });

  it("must be valid", () => {
    const exchange = bench.post("/web/password", { new: "short" });
    expect([exchange.status, exchange.json]).toEqual([400, { success: false, error: "bad-password" }]);
  });

  it("has its address on the console once there is a network: with the code, and only until it is chosen", () => {
    const parts = fakeParts();
    const told = (network: Partial<WebDevice["network"]>, build: Partial<WebDevice["build"]> = {}): string[] => {
      const whole = { network: { ...parts.network, ...network }, build: { ...parts.build, ...build } };
      bench = new WebBench(whole, { password: "" });
      bench.web.networkChanged();
      return bench.console.slice(1);
    };
    const line = (host: string): string[] => [
      `web: choose the password at http://${host}/#code=${setUpCode(bench.console)} (it has the set-up code)\n`,
    ];
    expect(told({ ip: HOST })).toEqual(line(HOST));
    expect(told({ ip: HOST }, { httpPort: 80 })).toEqual(line(HOST));
    expect(told({ ip: HOST }, { httpPort: 8_080 })).toEqual(line(`${HOST}:8080`));
    // Clients of the access point need none, and without an address there is nothing to say.
    expect(told({ ip: HOST, mode: "AP" })).toEqual([]);
    expect(told({ ip: "" })).toEqual([]);
    bench = new WebBench({}, { password: "" });
    choose({ new: PASSWORD, code: setUpCode(bench.console) });
    const before = bench.console.length;
    bench.web.networkChanged();
    expect(bench.console.slice(before)).toEqual([]);
  });

  const choose = (json: object): FakeExchange => {
    const exchange = bench.post("/web/password", json);
    bench.wait(exchange);
    return exchange;
  };
  const codeWanted = (): unknown =>
    (bench.get("/web/session").json as { data: { codeWanted: boolean } }).data.codeWanted;

  it("requires presence at the device: a press of the button alone is none", () => {
    const code = setUpCode(bench.console);
    expect(code).toMatch(/^[a-z2-9]{12}$/);
    expect(codeWanted()).toBe(true);
    for (const wrong of [7, null, {}, code.slice(1), `${code}a`, "undefined", undefined, ""]) {
      const refused = choose({ new: PASSWORD, code: wrong });
      // A wrong code is told apart from none.
      const error = wrong === undefined || wrong === "" ? "not-present" : "wrong-code";
      expect([refused.status, refused.json, bench.settings.web.password]).toEqual([403, { success: false, error }, ""]);
    }
    expect(choose({ new: PASSWORD, code: ` ${code.toUpperCase()} ` }).status).toBe(200);
    expect(codeWanted()).toBe(false);
  });

  it("can be set over the access point, but not from elsewhere", () => {
    const scan = { scanning: false, networks: [] };
    bench = new WebBench(
      {
        networkControl: {
          ...{ ssid: "", rssi: undefined, reason: "", accessPointIp: "192.168.4.1" },
          onPortal: (from) => from === "192.0.2.1",
          scan: () => scan,
          startScan: () => undefined,
        },
      },
      { password: "" },
    );
    const json = { new: PASSWORD };
    expect(bench.ask({ method: "POST", path: "/web/password", json, remoteAddress: address(2) }).status).toBe(403);
    expect(choose(json).status).toBe(200);
  });

  it("must be set before anything else", () => {
    for (const group of ["network", "bms", "device", "time", "api", "relay", "monitoring", "mqtt", "snmp"]) {
      expect(bench.get(`/web/group/${group}`).status).toBe(401);
      expect(bench.post(`/web/group/${group}`, {}).status).toBe(401);
    }
    for (const path of ["/web/status", "/web/token", "/web/device", "/web/scan"])
      expect([401, 404]).toContain(bench.get(path).status);
  });
});

describe("another password", () => {
  it("requires the old one, and ends the other sessions", () => {
    const mine = bench.signIn();
    const other = bench.signIn();
    const wrong = bench.post("/web/password", { old: "wrong horse", new: "battery staple" }, mine);
    bench.wait(wrong);
    expect(wrong.status).toBe(401);
    expect(bench.post("/web/password", { new: "battery staple" }, mine).status).toBe(400);

    const right = bench.post("/web/password", { old: PASSWORD, new: "battery staple" }, mine);
    bench.wait(right);
    expect(right.status).toBe(200);
    expect(right.responseHeader("set-cookie")).toBeUndefined();
    expect([bench.get("/web/token", mine).status, bench.get("/web/token", other).status]).toEqual([200, 401]);
    const old = bench.attempt(PASSWORD);
    bench.wait(old);
    expect(old.status).toBe(401);
  });
});

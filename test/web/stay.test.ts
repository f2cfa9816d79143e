import { beforeEach, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { DAY, MAX_GUEST_SESSIONS, MAX_SESSIONS, SESSION_IDLE, SESSION_LIFE, STAY_DAYS } from "../../src/web/limits";
import type { FakeExchange } from "../support/http/fake-exchange";
import { HOST, PASSWORD, WebBench } from "../support/web/web-bench";

const SECOND = 1_000;
const DAY_MS = DAY * SECOND;

let bench: WebBench;
beforeEach(() => void (bench = new WebBench()));

const isIn = (cookie: string): boolean => bench.get("/web/status", cookie).status === 200;
const stored = (): string => bench.storage.get("state", "sessions") ?? "";
const end = (cookie: string, query = ""): FakeExchange =>
  bench.ask({ method: "DELETE", path: "/web/sessions", query, cookie });
const list = (cookie: string): Record<string, unknown>[] =>
  (bench.get("/web/sessions", cookie).json as { data: Record<string, unknown>[] }).data;

function setCookie(stay: unknown, origin = `http://${HOST}`): FakeExchange {
  const json = { password: PASSWORD, stay, browser: "Firefox, Linux" };
  const exchange = bench.ask({ method: "POST", path: "/web/session", json, headers: { origin } });
  bench.wait(exchange);
  return exchange;
}

describe("a browser that stays signed in", () => {
  it("keeps its cookie for the days, others until they are closed", () => {
    const cookie = (stay: unknown): string | undefined => setCookie(stay).responseHeader("set-cookie");
    expect(cookie(true)).toMatch(/^session=[0-9a-f]{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
    for (const not of [false, undefined])
      expect(cookie(not)).toMatch(/^session=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Strict$/);
    for (const wrong of [1, "true", null, {}]) expect(setCookie(wrong).status).toBe(400);
  });

  it("is signed in after hours without a request, and after a restart; others are not", () => {
    const [stays, other] = [bench.stay(), bench.signIn()];
    bench.advance((SESSION_IDLE + 1) * SECOND);
    expect([stays, other].map(isIn)).toEqual([true, false]);
    bench.advance((SESSION_LIFE + 1) * SECOND);
    expect(isIn(stays)).toBe(true);
    const fresh = bench.signIn();
    bench.restart();
    expect([stays, other, fresh].map(isIn)).toEqual([true, false, false]);
    bench.restart();
    expect(isIn(stays)).toBe(true);
  });

  it.each([
    [SESSION_IDLE - 1, true],
    [SESSION_IDLE, false],
    [SESSION_IDLE + 1, false],
  ])("%i s after its last request somebody is here: %s", (idle, isHere) => {
    expect(bench.web.isInUse).toBe(false);
    bench.stay();
    bench.advance(idle * SECOND);
    expect(bench.web.isInUse).toBe(isHere);
  });

  it("signs in again when its days have passed, however busy, and not earlier", () => {
    const cookie = bench.stay();
    for (let day = 1; day < STAY_DAYS; day++) {
      bench.advance(DAY_MS);
      expect(isIn(cookie)).toBe(true);
    }
    bench.advance(DAY_MS);
    expect(isIn(cookie)).toBe(false);
    bench.restart();
    expect(isIn(cookie)).toBe(false);
  });

  it("signs in again when its days have passed while nobody asked", () => {
    const cookie = bench.stay();
    bench.advance(STAY_DAYS * DAY_MS);
    expect(isIn(cookie)).toBe(false);
    expect(stored()).toBe("");
  });

  it("needs no clock: its first use after a start counts as a day, and only that", () => {
    const cookie = bench.stay();
    for (let start = 1; start < STAY_DAYS; start++) {
      bench.restart();
      bench.restart();
      const { writes } = bench.storage;
      expect([isIn(cookie), isIn(cookie)]).toEqual([true, true]);
      expect(bench.storage.writes).toBe(writes + 1);
      expect(list(cookie)).toMatchObject([{ days: STAY_DAYS - start }]);
    }
    bench.restart();
    expect(isIn(cookie)).toBe(false);
  });

  it("costs the flash one write a day, whatever is asked", () => {
    const cookie = bench.stay();
    const { writes } = bench.storage;
    for (let hour = 0; hour < 48; hour++) {
      bench.advance(3_600 * SECOND);
      isIn(cookie);
    }
    expect(bench.storage.writes).toBe(writes + 2);
  });

  it("is found by its cookie alone: what is stored is no cookie", () => {
    const cookie = bench.stay();
    const id = cookie.slice("session=".length);
    const proof = stored().split(" ")[0]!;
    expect([stored().includes(id), proof]).toEqual([false, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    bench.restart();
    for (const wrong of ["", proof, id.slice(1), `${id}0`, id.toUpperCase(), `${id.slice(0, -1)}g`])
      expect(isIn(`session=${wrong}`)).toBe(false);
    expect(isIn(cookie)).toBe(true);
  });

  it("keeps its cookie bound to TLS over a restart", () => {
    const set = setCookie(true, `https://${HOST}`).responseHeader("set-cookie")!;
    expect(set).toMatch(/^__Host-session=[0-9a-f]{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    const cookie = set.split(";")[0]!;
    bench.restart();
    const out = bench.ask({ method: "DELETE", path: "/web/session", cookie });
    expect(out.responseHeader("set-cookie")).toMatch(/^__Host-session=; Max-Age=0;.*Secure$/);
  });
});

describe("the list of those that stay signed in", () => {
  it("names browser, days and, once seen, the address", () => {
    const [mine, guest] = [setCookie(true).responseHeader("set-cookie")!.split(";")[0]!, bench.stay(true)];
    bench.restart();
    expect(list(mine)).toEqual([
      {
        number: 1,
        address: "192.0.2.1",
        browser: "Firefox, Linux",
        since: 0,
        idle: 0,
        guest: false,
        link: 0,
        own: true,
        days: 29,
      },
      { number: 2, address: "", browser: "", since: 0, idle: 0, guest: true, link: 0, own: false, days: 30 },
    ]);
    expect(isIn(guest)).toBe(true);
    expect(bench.get("/web/token", guest).status).toBe(403);
    expect(list(mine)).toMatchObject([{}, { address: "192.0.2.1", days: 29 }]);
  });

  it("ends each for good, before it has been seen too", () => {
    const [mine, other, third] = [bench.stay(), bench.stay(), bench.stay()];
    bench.restart();
    expect(end(mine, "number=2").status).toBe(204);
    expect([mine, other, third].map(isIn)).toEqual([true, false, true]);
    bench.restart();
    expect([mine, other, third].map(isIn)).toEqual([true, false, true]);
    expect(bench.ask({ method: "DELETE", path: "/web/session", cookie: third }).status).toBe(204);
    bench.restart();
    expect([mine, other, third].map(isIn)).toEqual([true, false, false]);
    expect(end(mine).status).toBe(204);
    bench.restart();
    expect([mine, other, third].map(isIn)).toEqual([false, false, false]);
  });

  it("says so if an end could not be stored: it holds until the next start", () => {
    const [mine, other] = [bench.stay(), bench.stay()];
    bench.storage.writesLeft = 0;
    for (const query of ["number=2", ""]) {
      const ended = end(mine, query);
      expect([ended.status, ended.json]).toEqual([500, { success: false, error: "not-stored" }]);
    }
    expect([mine, other].map(isIn)).toEqual([false, false]);
    expect(bench.console.join("")).toContain("web: cannot store the sessions that stay signed in\n");
  });

  it("has as many as other sessions, guests apart; one more ends the least recently used, over a restart too", () => {
    const owners = Array.from({ length: MAX_SESSIONS }, () => bench.stay());
    const guests = Array.from({ length: MAX_GUEST_SESSIONS + 1 }, () => {
      bench.advance(2 * SECOND);
      return bench.stay(true);
    });
    expect(stored().split("\n")).toHaveLength(MAX_SESSIONS + MAX_GUEST_SESSIONS);
    bench.restart();
    expect(guests.map(isIn)).toEqual([false, true, true]);
    bench.advance(2 * SECOND);
    expect(owners.slice(1).map(isIn)).toEqual([true, true, true]);
    bench.stay();
    bench.restart();
    expect(owners.map(isIn)).toEqual([false, true, true, true]);
    expect(guests.map(isIn)).toEqual([false, true, true]);
  });
});

describe("staying signed in ends with the password", () => {
  const change = (cookie: string): FakeExchange => {
    const exchange = bench.post("/web/password", { old: PASSWORD, new: "another password" }, cookie);
    bench.wait(exchange);
    return exchange;
  };

  it("for all but the browser that changes it", () => {
    const [mine, other, guest] = [bench.stay(), bench.stay(), bench.stay(true)];
    expect(change(mine).status).toBe(200);
    expect([mine, other, guest].map(isIn)).toEqual([true, false, false]);
    bench.restart();
    expect([mine, other, guest].map(isIn)).toEqual([true, false, false]);
  });

  it("also if the power fails when only the password has been stored", () => {
    const [mine, other] = [bench.stay(), bench.stay()];
    const before = stored();
    bench.storage.writesLeft = 1;
    expect(change(mine).status).toBe(200);
    expect(stored()).toBe(before);
    bench.restart();
    expect([mine, other].map(isIn)).toEqual([false, false]);
  });

  it("for guests with theirs", () => {
    const [owner, guest] = [bench.stay(), bench.stay(true)];
    bench.restart();
    bench.settings.update("access", { guest: hashPassword("another guest", 2) });
    expect([owner, guest].map(isIn)).toEqual([true, false]);
    bench.settings.update("access", { guest: "" });
    bench.restart();
    expect([owner, guest].map(isIn)).toEqual([true, false]);
  });

  it.each(["lost", ""])("when the stored one is %j", (password) => {
    const cookie = bench.stay();
    bench.settings.update("web", { password });
    bench.restart();
    expect(isIn(cookie)).toBe(false);
  });
});

describe("a storage that fails", () => {
  it("makes it an ordinary session", () => {
    bench.storage.writesLeft = 0;
    const set = setCookie(true).responseHeader("set-cookie")!;
    expect(set).not.toContain("Max-Age");
    const cookie = set.split(";")[0]!;
    expect(list(cookie)).toMatchObject([{ days: 0 }]);
    bench.advance((SESSION_IDLE + 1) * SECOND);
    expect(isIn(cookie)).toBe(false);
  });

  it.each(["failsToRead", "failsToOpen"] as const)("(%s) at the start signs nobody in, and nothing else", (way) => {
    const cookie = bench.stay();
    if (way === "failsToRead") bench.storage.failsToRead = ["sessions"];
    else bench.storage.failsToOpen = true;
    bench.restart();
    expect(isIn(cookie)).toBe(false);
    expect(bench.console.join("")).toContain("web: cannot read the sessions that stay signed in\n");
    expect(isIn(bench.signIn())).toBe(true);
  });

  it.each([
    "",
    "\n\n",
    "zz owner 30 x",
    `${"0".repeat(31)} owner 30 x`,
    `${"0".repeat(32)} owner 31 x`,
    `${"0".repeat(32)} owner 0 x`,
    `${"0".repeat(32)} owner -1 x`,
    `${"0".repeat(32)} owner x x`,
    `${"0".repeat(32)}`,
    7,
  ])("and is corrupt (%j) signs nobody in", (text) => {
    bench.storage.put("state", "sessions", text);
    bench.restart();
    expect(list(bench.signIn())).toHaveLength(1);
  });

  it("and has too many of them bounds them", () => {
    const line = `${"0".repeat(32)} owner 30 x`;
    bench.storage.put("state", "sessions", Array.from({ length: 100 }, () => line).join("\n"));
    bench.restart();
    expect(list(bench.signIn()).length).toBeLessThanOrEqual(MAX_SESSIONS + MAX_GUEST_SESSIONS);
  });
});

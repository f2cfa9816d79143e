import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { ITERATIONS, MAX_WAITING } from "../../src/web/limits";
import type { FakeExchange } from "../support/http/fake-exchange";
import { linesOf } from "../support/http/header-lines";
import { watchTimers } from "../support/fakes/timers";
import { isLong } from "../support/property";
import { PASSWORD, WebBench } from "../support/web/web-bench";

/** As slow to work out as on the device. */
const SLOW = hashPassword(PASSWORD, ITERATIONS);
const SECOND = 1_000;
/** How often a connection that was refused tries again, ms. */
const STEP = 50;
const GUESSERS = 4;
const ADDRESSES = 40;
const SIGN_INS = isLong ? 60 : 20;
const OWNER = "192.0.2.200";
const PROXY = "192.0.2.250";

beforeEach(() => void watchTimers());
afterEach(() => void vi.restoreAllMocks());

interface Attempt {
  readonly address: string;
  readonly cookie?: string | undefined;
  /** X-Forwarded-For. */
  readonly forwarded?: string;
}

function attempt(bench: WebBench, password: string, { address, cookie, forwarded }: Attempt): FakeExchange {
  return bench.ask({
    method: "POST",
    path: "/web/session",
    json: { password },
    remoteAddress: address,
    cookie,
    ...(forwarded !== undefined && { headers: { "x-forwarded-for": forwarded } }),
  });
}

/** The cookie of this name that a response sets, as a Cookie field has it. */
const cookieOf = (exchange: FakeExchange, name: string): string | undefined =>
  linesOf(exchange.headers)
    .filter(([key, value]) => key === "Set-Cookie" && value.startsWith(`${name}=`))
    .map(([, value]) => value.split(";")[0])[0];

/** So many connections, each of which asks again as soon as it has its answer, from one address after another. */
class Guessers {
  private readonly open: (FakeExchange | undefined)[] = Array.from({ length: GUESSERS }, () => undefined);
  private next = 0;
  /** Passwords that were worked out and found wrong. */
  judged = 0;

  constructor(
    private readonly bench: WebBench,
    private readonly from: (number: number) => Attempt,
  ) {}

  tick(): void {
    this.open.forEach((exchange, at) => {
      if (exchange?.open) return;
      if (exchange?.status === 401) this.judged++;
      this.open[at] = attempt(this.bench, "a wrong guess", this.from(this.next++ % ADDRESSES));
    });
  }
}

/** Virtual time goes by under the attack. */
function pass(bench: WebBench, guessers: Guessers, ms: number): void {
  for (let time = 0; time < ms; time += STEP) {
    guessers.tick();
    bench.advance(STEP);
  }
}

/** Signs in as the page does, again after each refusal for want of room: how long it took, ms; undefined beyond `limit`. */
function signIn(bench: WebBench, guessers: Guessers, owner: Attempt, limit: number): number | undefined {
  let exchange: FakeExchange | undefined;
  for (let time = 0; time < limit; time += STEP) {
    if (!exchange || (!exchange.open && exchange.status !== 200)) exchange = attempt(bench, PASSWORD, owner);
    guessers.tick();
    bench.advance(STEP);
    if (exchange.status === 200) return time;
  }
  return undefined;
}

const rotating = (number: number): Attempt => ({ address: `192.0.2.${number + 1}` });
const proxied = (number: number): Attempt => ({ address: PROXY, forwarded: `198.51.100.${number + 1}` });

function besieged(from: (number: number) => Attempt): { bench: WebBench; guessers: Guessers } {
  const bench = new WebBench({}, { password: SLOW });
  bench.pressed = false;
  return { bench, guessers: new Guessers(bench, from) };
}

function deviceCookie(bench: WebBench, from: Attempt): string {
  const exchange = attempt(bench, PASSWORD, from);
  bench.wait(exchange);
  return cookieOf(exchange, "device")!;
}

/** Of so many sign-ins, one after another, those within 10 s. */
function signIns(bench: WebBench, guessers: Guessers, owner: Attempt, tries: number): number {
  let within = 0;
  for (let count = 0; count < tries; count++) if (signIn(bench, guessers, owner, 10 * SECOND) !== undefined) within++;
  return within;
}

let strangers = 0;
/** A client at an address that has not been seen. */
const stranger = (): Attempt => ({ address: `198.18.0.${++strangers}` });

/** Whether this sign-in goes before strangers who fill the queue. */
function goesFirst(bench: WebBench, owner: Attempt): boolean {
  const waiting = Array.from({ length: MAX_WAITING + 1 }, () => attempt(bench, "wrong", stranger()));
  const exchange = attempt(bench, PASSWORD, owner);
  const first = exchange.open;
  for (const one of [...waiting, exchange]) bench.wait(one);
  return first && exchange.status === 200;
}

describe("while four connections guess from forty addresses,", () => {
  it("a browser that signed in before gets in from any address, and guesses stay slow", () => {
    const { bench, guessers } = besieged(rotating);
    const cookie = deviceCookie(bench, { address: OWNER });
    const began = bench.board.clock.now;
    pass(bench, guessers, 5 * SECOND);
    // An address of the attackers even.
    expect(signIns(bench, guessers, { address: "192.0.2.7", cookie }, SIGN_INS)).toBeGreaterThanOrEqual(
      0.95 * SIGN_INS,
    );
    expect(guessers.judged).toBeGreaterThan(10);
    expect(guessers.judged / ((bench.board.clock.now - began) / SECOND)).toBeLessThanOrEqual(1);
  });

  it("it also gets in behind a proxy that shares its address with all of them", () => {
    const { bench, guessers } = besieged(() => ({ address: PROXY }));
    const cookie = deviceCookie(bench, { address: PROXY });
    pass(bench, guessers, 5 * SECOND);
    expect(signIns(bench, guessers, { address: PROXY, cookie }, 10)).toBe(10);
  });

  it("a browser without a cookie gets in from an address that has signed in before", () => {
    const { bench, guessers } = besieged(rotating);
    deviceCookie(bench, { address: OWNER });
    pass(bench, guessers, 5 * SECOND);
    expect(signIns(bench, guessers, { address: OWNER }, 10)).toBe(10);
  });

  it("a new browser gets in once each of their addresses has failed", () => {
    const { bench, guessers } = besieged(rotating);
    pass(bench, guessers, 70 * SECOND);
    expect(signIn(bench, guessers, { address: OWNER }, 10 * SECOND)).toBeLessThan(10 * SECOND);
  });

  it("a new browser behind the configured proxy is ranked by the forwarded address", () => {
    const { bench, guessers } = besieged(proxied);
    bench.settings.update("device", { proxyAddress: PROXY });
    pass(bench, guessers, 70 * SECOND);
    const owner = { address: PROXY, forwarded: "198.51.100.1, 203.0.113.9" };
    expect(signIn(bench, guessers, owner, 10 * SECOND)).toBeLessThan(10 * SECOND);
  });

  it("a new browser on the device's access point gets in at any time", () => {
    const networkControl = {
      ...{ ssid: "", rssi: undefined, reason: "" as const, accessPointIp: "192.168.4.1" },
      onPortal: (from: string) => from === OWNER,
      scan: () => ({ scanning: false, networks: [] }),
      startScan: () => undefined,
    };
    const bench = new WebBench({ networkControl }, { password: SLOW });
    bench.pressed = false;
    const guessers = new Guessers(bench, rotating);
    pass(bench, guessers, 5 * SECOND);
    expect(signIn(bench, guessers, { address: OWNER }, 10 * SECOND)).toBeLessThan(10 * SECOND);
    // Once its address has failed, too.
    bench.wait(attempt(bench, "a slip", { address: OWNER }));
    expect(signIns(bench, guessers, { address: OWNER }, 5)).toBe(5);
  });

  it("a mistyped password waits like theirs, and goes first after the button is pressed", () => {
    const bench = new WebBench();
    bench.pressed = false;
    for (let number = 0; number <= MAX_WAITING; number++) bench.wait(attempt(bench, "wrong", rotating(number)));
    bench.wait(attempt(bench, "a slip", { address: OWNER }));
    for (let number = 0; number <= MAX_WAITING; number++) attempt(bench, "wrong", rotating(number));
    expect(attempt(bench, PASSWORD, { address: OWNER }).status).toBe(503);
    bench.pressed = true;
    const owner = attempt(bench, PASSWORD, { address: OWNER });
    bench.wait(owner);
    expect(owner.status).toBe(200);
    // Once for each press.
    bench.wait(attempt(bench, "wrong", rotating(9)));
    const again = attempt(bench, "wrong", rotating(9));
    bench.advance(50);
    expect(again.open).toBe(true);
  });
});

it("an address that has signed in precedes strangers until it sends a wrong password", () => {
  const bench = new WebBench();
  bench.pressed = false;
  expect(goesFirst(bench, { address: OWNER })).toBe(false);
  bench.wait(attempt(bench, PASSWORD, { address: OWNER }));
  expect(goesFirst(bench, { address: OWNER })).toBe(true);
  bench.wait(attempt(bench, "a slip", { address: OWNER }));
  expect(goesFirst(bench, { address: OWNER })).toBe(false);
});

it("a guest's sign-in gives its address no precedence", () => {
  const bench = new WebBench();
  bench.pressed = false;
  bench.settings.update("access", { guest: hashPassword(PASSWORD, 2) });
  const json = { password: PASSWORD, guest: true };
  const guest = bench.ask({ method: "POST", path: "/web/session", json, remoteAddress: OWNER });
  bench.wait(guest);
  expect(guest.status).toBe(200);
  expect(goesFirst(bench, { address: OWNER })).toBe(false);
});

describe("X-Forwarded-For", () => {
  const judged = (bench: WebBench, forwarded: string, address = PROXY): number | undefined => {
    const exchange = attempt(bench, "a wrong guess", { address, forwarded });
    bench.wait(exchange);
    return exchange.status;
  };
  /** The second wrong one in a row of an address is held back: whether this one was. */
  const isHeld = (bench: WebBench, forwarded: string, address = PROXY): boolean => {
    const exchange = attempt(bench, "a wrong guess", { address, forwarded });
    bench.advance(50);
    const { open } = exchange;
    bench.wait(exchange);
    return open;
  };

  it("is trusted only from the configured proxy, and only its last address", () => {
    const bench = new WebBench();
    judged(bench, "198.51.100.1");
    expect(isHeld(bench, "198.51.100.2")).toBe(true);
    bench.settings.update("device", { proxyAddress: PROXY });
    judged(bench, "198.51.100.1");
    expect(isHeld(bench, "198.51.100.2")).toBe(false);
    expect(isHeld(bench, "203.0.113.1, 198.51.100.1")).toBe(true);
    expect(isHeld(bench, "198.51.100.9", "192.0.2.66")).toBe(false);
    expect(isHeld(bench, "198.51.100.10", "192.0.2.66")).toBe(true);
  });

  it.each(["", "x".repeat(46), "198.51.100.1,"])("with %j is not an address: the proxy's own counts", (forwarded) => {
    const bench = new WebBench();
    bench.settings.update("device", { proxyAddress: PROXY });
    judged(bench, forwarded);
    expect(isHeld(bench, "")).toBe(true);
  });
});

describe("the device cookie", () => {
  it("comes with a session, for the sign-in only", () => {
    const bench = new WebBench();
    const exchange = bench.attempt(PASSWORD);
    bench.wait(exchange);
    const line = linesOf(exchange.headers).find(([, value]) => value.startsWith("device="))?.[1];
    expect(line).toMatch(/^device=[0-9a-f]{48}; Max-Age=34560000; Path=\/web\/session; HttpOnly; SameSite=Strict$/);
  });

  it("cannot be forged or shared, and expires with the password", () => {
    const bench = new WebBench();
    const cookie = deviceCookie(bench, { address: OWNER });
    expect(goesFirst(bench, { ...stranger(), cookie })).toBe(true);
    const changed = cookie.slice(0, -1) + (cookie.endsWith("0") ? "1" : "0");
    for (const wrong of [changed, cookie.slice(0, -1), `${cookie}0`, "device=", `device=${"0".repeat(48)}`])
      expect(goesFirst(bench, { ...stranger(), cookie: wrong })).toBe(false);
    bench.settings.update("web", { password: hashPassword(PASSWORD, 2) });
    expect(goesFirst(bench, { ...stranger(), cookie })).toBe(false);
  });

  it("used for guessing is itself delayed, from any address", () => {
    const bench = new WebBench();
    const cookie = deviceCookie(bench, { address: OWNER });
    for (let count = 0; count < 2; count++) bench.wait(attempt(bench, "wrong", { ...rotating(count), cookie }));
    const held = attempt(bench, "wrong", { ...rotating(3), cookie });
    bench.advance(50);
    expect(held.open).toBe(true);
    expect(attempt(bench, "wrong", { ...rotating(4), cookie }).status).toBe(429);
  });
});

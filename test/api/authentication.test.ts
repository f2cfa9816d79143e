import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../../src/api/api";
import { FAILURE_MEMORY, MAX_FAILING_ADDRESSES } from "../../src/auth/limits";
import { bearerToken } from "../../src/api/authentication";
import { FIRST_FAILURE_DELAY, MAX_DELAYED_ANSWERS, MAX_FAILURE_DELAY } from "../../src/api/limits";
import { FakeExchange } from "../support/http/fake-exchange";
import { fakeParts, TOKEN, type FakeParts } from "../support/fakes/fake-parts";
import type { SimulatedBoard } from "../../host-sim/board";
import { poweredBoard } from "../support/system/simulated-board";
import { watchTimers } from "../support/fakes/timers";

let board: SimulatedBoard;
let timers: ReturnType<typeof watchTimers>;

describe("bearerToken", () => {
  it.each([
    ["Bearer abc", "abc"],
    ["bearer abc", "abc"],
    ["BEARER   abc ", "abc"],
    ["bEaReR abc", "abc"],
    ["Bearer a b", "a b"],
    ["Bearer ", ""],
    ["Bearer", undefined],
    ["Bearerabc", undefined],
    ["Basic abc", undefined],
    ["abc", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("of %j is %j", (authorization, token) => {
    expect(bearerToken(authorization)).toBe(token);
  });
});

describe("401", () => {
  let parts: FakeParts;
  let api: Api;

  afterEach(() => void vi.restoreAllMocks());
  beforeEach(() => {
    // The ticks wrap while these tests run.
    board = poweredBoard({ ticks: 2 ** 31 - 3000 });
    timers = watchTimers();
    parts = fakeParts();
    api = new Api(parts);
  });

  function ask(token: string | undefined, remoteAddress = "192.0.2.1", client?: string): FakeExchange {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(client !== undefined && { "x-forwarded-for": client }),
    };
    const exchange = new FakeExchange({ path: "/api/bms/commands", remoteAddress, headers });
    api.answer(exchange);
    return exchange;
  }

  /** How long the answer is held back, ms. */
  function delayOf(exchange: FakeExchange): number {
    let delay = 0;
    for (; exchange.open && delay < 10 * MAX_FAILURE_DELAY; delay++) board.clock.runFor(1);
    expect(exchange.status).toBe(401);
    expect(exchange.json).toEqual({ success: false, data: "Unauthorized, invalid token." });
    expect(exchange.responseHeader("www-authenticate")).toBe("Bearer");
    return delay;
  }

  it("is immediate the first time, then delayed longer and longer up to the limit", () => {
    const delays = Array.from({ length: 7 }, () => delayOf(ask("wrong")));
    expect(delays).toEqual([0, 250, 500, 1000, 2000, 2000, 2000]);
    expect(delays[1]).toBe(FIRST_FAILURE_DELAY);
    expect(delays.at(-1)).toBe(MAX_FAILURE_DELAY);
  });

  it("is immediate without memory for a timer, which takes no other's place", () => {
    delayOf(ask("wrong"));
    for (let nth = 0; nth <= MAX_DELAYED_ANSWERS; nth++) {
      board.refusals.failAllocation(1);
      expect(delayOf(ask("wrong"))).toBe(0);
    }
    expect(delayOf(ask("wrong"))).toBe(MAX_FAILURE_DELAY);
  });

  it("counts a missing token as a wrong one", () => {
    expect([delayOf(ask(undefined)), delayOf(ask(undefined))]).toEqual([0, FIRST_FAILURE_DELAY]);
  });

  it("delays neither other addresses nor the right token, which resets the delay", () => {
    delayOf(ask("wrong"));
    const held = ask("wrong");
    expect(held.open).toBe(true);
    expect(delayOf(ask("wrong", "192.0.2.2"))).toBe(0);
    expect(ask(TOKEN).status).toBe(200);
    expect(delayOf(ask("wrong"))).toBe(0);
    delayOf(held);
  });

  it("behind the proxy of the settings is delayed for the client that guesses, not for the others", () => {
    const PROXY = "192.0.2.9";
    const guess = (client: string): number => delayOf(ask("wrong", PROXY, client));
    expect([guess("198.51.100.1"), guess("198.51.100.2")]).toEqual([0, FIRST_FAILURE_DELAY]);
    parts.settings.update("device", { proxyAddress: PROXY });
    expect([guess("198.51.100.1"), guess("198.51.100.1"), guess("198.51.100.2")]).toEqual([0, FIRST_FAILURE_DELAY, 0]);
    expect(ask(TOKEN, PROXY, "198.51.100.2").status).toBe(200);
    expect(guess("198.51.100.1")).toBe(2 * FIRST_FAILURE_DELAY);
    expect(delayOf(ask("wrong", "192.0.2.8", "198.51.100.1"))).toBe(0);
  });

  it("accepts a new token at once and the old one no longer", () => {
    parts.settings.update("api", { token: "new" });
    expect(ask(TOKEN).status).toBe(401);
    expect(ask("new").status).toBe(200);
  });

  it("is not delayed while the maximum of delayed answers is held, and is again once one is sent", () => {
    delayOf(ask("wrong"));
    const held = Array.from({ length: MAX_DELAYED_ANSWERS }, () => ask("wrong"));
    expect(held.every(({ open }) => open)).toBe(true);
    expect(timers.size).toBe(MAX_DELAYED_ANSWERS);
    expect(ask("wrong").status).toBe(401);
    for (const exchange of held) delayOf(exchange);
    expect(timers.size).toBe(0);
    expect(delayOf(ask("wrong"))).toBe(MAX_FAILURE_DELAY);
  });

  it("forgets a wrong token after its time, not earlier", () => {
    delayOf(ask("wrong"));
    board.clock.runFor(FAILURE_MEMORY);
    expect(delayOf(ask("wrong"))).toBe(FIRST_FAILURE_DELAY);
    board.clock.runFor(FAILURE_MEMORY - FIRST_FAILURE_DELAY + 1);
    expect(delayOf(ask("wrong"))).toBe(0);
  });

  it("forgets wrong tokens from before the tick counter wrapped", () => {
    delayOf(ask("wrong"));
    board.clock.runFor(2 ** 31 + 5);
    expect(delayOf(ask("wrong"))).toBe(0);
  });

  it("remembers a limited number of addresses and evicts the least recently seen", () => {
    // The ticks wrap between the fourth and the fifth.
    board = poweredBoard({ ticks: 2 ** 31 - 4 });
    const address = (number: number): string => `198.51.100.${number}`;
    for (let number = 1; number <= MAX_FAILING_ADDRESSES; number++) {
      delayOf(ask("wrong", address(number)));
      board.clock.runFor(1);
    }
    expect(delayOf(ask("wrong", address(1)))).toBe(FIRST_FAILURE_DELAY);
    delayOf(ask("wrong", address(MAX_FAILING_ADDRESSES + 1)));
    expect(delayOf(ask("wrong", address(3)))).toBe(FIRST_FAILURE_DELAY);
    expect(delayOf(ask("wrong", address(2)))).toBe(0);
  });

  it("a token keeps no place: the slow body of who holds one gives way to the owner's", () => {
    const exchange = ask(TOKEN);
    expect(exchange.status).not.toBe(401);
    expect(exchange.trusted).toBe(false);
  });

  it("never reveals the token", () => {
    const exchange = ask("wrong");
    expect(JSON.stringify([exchange.json, exchange.headers])).not.toContain(TOKEN);
  });
});

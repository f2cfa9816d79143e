/** A clock that no time server sets: POST /api/time, the chip's clock over restarts, and what is known after a power cut. */
import { afterEach, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { MAX_TIME, MIN_TIME, TIME_IN_STEP } from "../../src/network/limits";
import { sampled } from "../support/property";
import { System, type SystemOptions } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

/** Friday, 15 January 2027, 12:00 in UTC. */
const NOON = 1_800_014_400;
const PASSWORD = "Lítio-280-Ah";
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const NO_SERVER = { time: { server: "" } };
/** Hours pass: the BMS is polled as rarely as may be. */
const BMS = { interval: 60_000 };

let system: System;
afterEach(() => system.stop());

async function start(board: SystemOptions["board"] = {}): Promise<void> {
  const settings = {
    ...NO_SERVER,
    bms: BMS,
    web: { password: hashPassword(PASSWORD, 100) },
    ...board.config?.settings,
  };
  system = await System.start({ board: { ...board, config: { ...board.config, settings } } });
  await system.untilLoaded();
}

const post = async (time: unknown): Promise<{ status: number; json: unknown }> => {
  const reply = await system.post("/api/time", { time });
  return { status: reply.status, json: reply.json as unknown };
};
const log = (): string[] => system.probes.parts().log;

describe("POST /api/time", () => {
  it("sets the clock, and the log says who did it", async () => {
    await start();
    expect(system.probes.utc()).toBeUndefined();
    expect(await post(NOON)).toEqual({ status: 200, json: { success: true } });
    const set = system.probes.utc() as number;
    expect(set - NOON).toBeLessThan(60);
    expect(log()).toContain("clock-set\tAPI\t127.0.0.1");
    const { data } = (await system.get("/api/events")).json as {
      data: { event: string; parameters: string[] }[];
    };
    expect(data.at(-1)).toMatchObject({ event: "clock-set", parameters: ["API", "127.0.0.1"] });
  });

  it("takes 2025 to 2099", async () => {
    await start();
    for (const time of [MIN_TIME, MAX_TIME - 1]) expect((await post(time)).status).toBe(200);
    const before = system.probes.utc();
    for (const time of [MIN_TIME - 1, MAX_TIME, NOON + 0.5, -1, 1e300]) {
      const { status, json } = await post(time);
      expect([status, json]).toEqual([
        409,
        { success: false, error: "time must be whole seconds since 1970, from 2025 to 2099." },
      ]);
    }
    for (const time of ["1800014400", null, true, [], undefined]) expect((await post(time)).status).toBe(400);
    expect((await system.request("POST", "/api/time", { headers: { Authorization: "" } })).status).toBe(401);
    expect((await system.get("/api/time")).status).toBe(405);
    expect(Number(system.probes.utc()) - Number(before)).toBeLessThan(60);
  });

  it("is the page's too, for the owner's session alone", async () => {
    await start();
    const client = new WebClient(system);
    expect((await client.post("/web/time", { time: NOON })).status).toBe(401);
    await client.signIn(PASSWORD);
    expect((await client.post("/web/time", { time: NOON })).status).toBe(200);
    expect(log()).toContain("clock-set\tpage\t127.0.0.1");
  });

  it("is refused while a time server is in step, which sets the clock again", async () => {
    let server = true;
    const utc = (): number => NOON * 1_000 + system.board.clock.now;
    await start({ utc: () => (server ? utc() : NaN), config: { settings: { time: { server: "127.0.0.1" } } } });
    await system.until("the time is known", () => system.probes.utc() !== undefined);
    expect(await post(NOON + HOUR / SECOND)).toEqual({
      status: 409,
      json: { success: false, error: "A time server keeps the clock right." },
    });
    server = false;
    // Asked an hour later, it does not answer; one hour more and nobody has for longer than two.
    system.skip((TIME_IN_STEP - 60) * SECOND);
    expect((await post(NOON)).status).toBe(409);
    system.skip(120 * SECOND);
    expect((await post(NOON)).status).toBe(200);
    expect(Number(system.probes.utc()) - NOON).toBeLessThan(60);
    server = true;
    // The back-off, and a minute until a second answer agrees.
    system.skip(1_100 * SECOND);
    system.skip(100 * SECOND);
    await system.until("the server has", () => Number(system.probes.utc()) - utc() / 1_000 > -3);
  });
});

describe("a time server that DHCP tells, its option 42", () => {
  it("is asked where that of the settings does not answer", async () => {
    const utc = (): number => NOON * 1_000 + system.board.clock.now;
    await start({
      utc,
      network: { ntp: "127.0.0.1" },
      config: { settings: { time: { server: "nowhere.example" } } },
    });
    await system.skipUntil("the time is known", () => system.probes.utc() !== undefined, 120);
    expect(Math.abs(Number(system.probes.utc()) - utc() / 1_000)).toBeLessThan(3);
    expect((await post(NOON)).status).toBe(409);
  });

  it("is not asked without one in the settings", async () => {
    await start({ utc: () => NOON * 1_000 + system.board.clock.now, network: { ntp: "127.0.0.1" } });
    system.skip(HOUR);
    expect(system.probes.utc()).toBeUndefined();
  });
});

describe("the chip's clock", () => {
  it("goes on over a restart, and starts anew with the power", async () => {
    await start();
    await post(NOON);
    system.skip(100 * SECOND);
    system.probes.restart();
    await system.board.restarted;
    const after = system.probes.utc() as number;
    expect(after - NOON).toBeGreaterThanOrEqual(100);
    expect(after - NOON).toBeLessThan(160);

    // Records have a time until the power fails; then it is the last known one.
    system.skip(HOUR);
    const session = async (): Promise<object> => {
      const client = new WebClient(system);
      await client.signIn(PASSWORD);
      return ((await client.get("/web/session")).json as { data: object }).data;
    };
    expect(await session()).toMatchObject({ inStep: false, time: expect.closeTo(NOON + 3_700, -2) as number });
    await system.powerCycle();
    expect(system.probes.utc()).toBeUndefined();
    expect(await session()).toMatchObject({ about: expect.closeTo(NOON + 3_000, -3) as number });
    expect(await session()).not.toHaveProperty("time");
    // It dates nothing.
    system.skip(HOUR);
    const { data } = (await system.get(`/api/history?from=${NOON + 3_600}&to=${NOON + 86_400}`)).json as {
      data: { rows: unknown[] };
    };
    expect(data.rows).toEqual([]);
  });
});

describe("a time server that is wrong", () => {
  const RIGHT = 1_000 * NOON;
  let says: (right: number) => number;

  async function startWith(answer: (right: number) => number): Promise<void> {
    says = answer;
    await start({
      utc: () => says(RIGHT + system.board.clock.now),
      config: { settings: { time: { server: "127.0.0.1" } } },
    });
  }
  const isRight = (): boolean => Math.abs((system.probes.utc() ?? 0) - NOON - system.board.clock.now / SECOND) < 60;
  const starts = (): number => log().filter((text) => text.startsWith("started\t")).length;

  const WRONG: readonly (readonly [string, (right: number) => number])[] = [
    ["1970", () => 0],
    ["1970, and goes on", (right) => right - RIGHT],
    ["2000", () => Date.UTC(2000, 0, 1)],
    ["2106", () => Date.UTC(2106, 1, 7, 6, 28, 16)],
  ];
  it.each(sampled(WRONG, 2))(
    "says %s after a power cut: refused, told, asked again, and no restart",
    async (_, answer) => {
      await startWith(answer);
      system.skip(30 * MINUTE);
      expect([system.probes.utc(), starts()]).toEqual([undefined, 1]);
      const page = new WebClient(system);
      await page.signIn(PASSWORD);
      expect(((await page.get("/web/device")).json as { data: object }).data).toMatchObject({
        sntp: { problem: "doubtful" },
        time: null,
      });
      says = (right) => right;
      system.skip(30 * MINUTE);
      expect(isRight()).toBe(true);
      // Only of the real span.
      system.skip(25 * MINUTE);
      const { rows } = ((await system.get("/api/history")).json as { data: { rows: { time: number }[] } }).data;
      expect(rows.length).toBeGreaterThan(0);
      for (const { time } of rows) expect(Math.abs(time - NOON)).toBeLessThan((4 * HOUR) / SECOND);
      expect(starts()).toBe(1);
    },
  );

  it.each(sampled([2000, 2036, 2099, 2106], 2))("says %i once while the clock runs: nothing changes", async (year) => {
    await startWith((right) => right);
    await system.skipUntil("the clock is set", isRight, 60);
    let answers = 0;
    says = (right) => (answers++ ? right : Date.UTC(year, 1, 8));
    system.skip(1.5 * HOUR);
    expect([answers, isRight(), starts()]).toEqual([2, true, 1]);
    expect(Math.abs(system.board.utcSet! - NOON)).toBeLessThan((2 * HOUR) / SECOND);
  });
});

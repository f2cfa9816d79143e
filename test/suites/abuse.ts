import { Agent, get } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { KINDS, underAttack } from "../support/http/hostile";
import { runProgram } from "../support/run-program";
import { TOKEN, turn } from "../support/system/system";
import type { Stage, Whole } from "./whole";

/** Virtual ms between two turns of the sockets' event loop. */
const STEP = 10;

const headers = { Authorization: `Bearer ${TOKEN}` };

const statusOf = (url: string): Promise<number | undefined> =>
  fetch(url, { headers }).then(
    async (response) => (await response.arrayBuffer(), response.status),
    () => undefined,
  );

/** After any abuse: no poll was lost, and the next client is served. */
async function expectSound(whole: Whole): Promise<void> {
  const { online, statistics } = await whole.probes.monitor();
  expect(online).toBe(true);
  expect(statistics).toMatchObject({ timeouts: 0, crcErrors: 0 });
  expect(whole.overflows()).toBe(0);
  await expect.poll(() => statusOf(`${whole.url}/api`)).toBe(200);
  expect(whole.console.filter((line) => !line.includes("set-up code"))).toEqual([]);
}

/** Hostile and impatient clients against the firmware over real sockets. */
export function abuseSuite({ name, start }: Stage, kinds = Object.entries(KINDS)): void {
  describe(`abuse, ${name}`, () => {
    let whole: Whole;
    beforeAll(async () => {
      whole = await start({ settings: { bms: { readMode: "registers" } }, paced: true });
      await vi.waitFor(
        async () => expect(await whole.probes.monitor()).toMatchObject({ configurationLoaded: true }),
        100_000,
      );
    });
    afterAll(() => whole.stop());

    it("wrk with four connections: every request is answered, no poll is lost", async () => {
      const before = (await whole.probes.monitor()).statistics?.replies ?? 0;
      const { output } = await runProgram("wrk", [
        "-t1",
        "-c4",
        "-d1s",
        "--timeout=100s",
        "-H",
        `Authorization: Bearer ${TOKEN}`,
        `${whole.url}/api/bms/status`,
      ]);
      expect(output).not.toMatch(/Non-2xx|Socket errors/);
      expect(Number(/(\d+) requests in/.exec(output)?.[1])).toBeGreaterThan(0);
      await expect
        .poll(async () => (await whole.probes.monitor()).statistics?.replies ?? 0)
        .toBeGreaterThan(before + 3);
      await expectSound(whole);
    });

    it.each([
      ["slow headers", ["-H"]],
      ["slow bodies", ["-B"]],
      ["slow reading", ["-X"]],
    ])("slowhttptest, %s: an established client is still served, and polls continue", async (_name, mode) => {
      await runProgram("slowhttptest", [
        ...mode,
        ...["-c", "40", "-r", "40", "-l", "2", "-i", "1", "-p", "1"],
        ...["-u", `${whole.url}/api/bms/status`],
      ]);
      await expectSound(whole);
    });
  });

  /** Clients and device share a thread: time advances only as fast as both keep up. */
  describe(`many connections, ${name}`, () => {
    let whole: Whole;
    let going: Promise<void> | undefined;
    let stopped = false;
    beforeAll(async () => {
      whole = await start({ settings: { bms: { readMode: "registers" } } });
      going = (async () => {
        for (; !stopped; await turn()) await whole.run(STEP);
      })();
      await vi.waitFor(
        async () => expect(await whole.probes.monitor()).toMatchObject({ configurationLoaded: true }),
        100_000,
      );
    });
    afterAll(async () => {
      stopped = true;
      await going;
      await whole.stop();
    });

    it.each(kinds)(
      "60 from one address, %s: new clients from another are served, and an established one keeps its connection",
      async (_name, kind) => {
        const { tried, atOnce, within, asked, answered } = await underAttack(
          whole.clock,
          whole.url,
          "/api",
          TOKEN,
          kind,
          10,
          { patience: 5_000 },
        );
        expect([within, answered]).toEqual([tried, asked]);
        expect(atOnce).toBeGreaterThanOrEqual(0.9 * tried);
        await expectSound(whole);
      },
    );

    it("60 of 30 addresses that ask and keep their connections: new clients are served", async () => {
      const kind = KINDS["kept and asking"]!;
      const { tried, within } = await underAttack(whole.clock, whole.url, "/api", TOKEN, kind, 20, { addresses: 30 });
      expect(within).toBe(tried);
      await expectSound(whole);
    });

    it("an established client is still served while others take every other connection", async () => {
      const { hostname, port } = new URL(whole.url);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (): Promise<number | undefined> =>
        new Promise((resolve, reject) =>
          get({ agent, hostname, port, path: "/api", headers }, (response) =>
            response.resume().on("end", () => resolve(response.statusCode)),
          ).on("error", reject),
        );
      expect(await ask()).toBe(200);
      const others = Array.from({ length: 40 }, () => {
        const other = connect(Number(port), hostname);
        return other.on("error", () => undefined).on("connect", () => other.write("GET / HTTP/1.1\r\n"));
      });
      try {
        for (let request = 0; request < 20; request++) {
          expect(await ask()).toBe(200);
          await new Promise<void>((resolve) => whole.clock.after(50, resolve));
        }
      } finally {
        for (const other of others) other.destroy();
        agent.destroy();
      }
      await expectSound(whole);
    });
  });
}

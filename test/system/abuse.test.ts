import { Agent, get } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { System, TOKEN } from "../support/system";
import { runProgram } from "../support/run-program";

/** ms that the script of the device needs for a request, about. */
const BUSY = 4;

let system: System;
beforeAll(async () => {
  system = await System.start({ board: { busyPerRequest: BUSY, config: { settings: { bms: { way: "registers" } } } } });
  await system.untilLoaded();
});
afterAll(() => system.stop());

/** Whatever happened to the server: a poll is never lost, and the next client is served. */
async function expectSound(): Promise<void> {
  expect(system.monitor().online).toBe(true);
  expect(system.monitor().statistics).toMatchObject({ timeouts: 0, crcErrors: 0 });
  expect(system.board.uart.overflows).toBe(0);
  await system.until(
    "the server answers again",
    async () => (await system.get("/api").catch(() => undefined))?.status === 200,
  );
  expect(system.console).toEqual([]);
}

it("wrk with four connections: every request is answered, no poll is lost", async () => {
  const before = system.monitor().statistics?.replies ?? 0;
  const { output } = await runProgram("wrk", [
    "-t1",
    "-c4",
    "-d4s",
    "-H",
    `Authorization: Bearer ${TOKEN}`,
    `${system.url}/api/bms/status`,
  ]);
  expect(output).not.toMatch(/Non-2xx|Socket errors/);
  expect(Number(/(\d+) requests in/.exec(output)?.[1])).toBeGreaterThan(100);
  expect(system.monitor().statistics?.replies ?? 0).toBeGreaterThan(before + 3);
  await expectSound();
});

it.each([
  ["slow headers", ["-H"]],
  ["slow bodies", ["-B"]],
  ["slow reading", ["-X"]],
])(
  "slowhttptest, %s: an established client goes on being served, polls go on",
  async (_name, mode) => {
    const attack = runProgram("slowhttptest", [
      ...mode,
      ...["-c", "40", "-r", "40", "-l", "5", "-i", "1", "-p", "1"],
      ...["-u", `${system.url}/api/bms/status`],
    ]);
    await attack;
    await expectSound();
  },
  60_000,
);

it("an established client goes on being served while others take every other connection", async () => {
  const { hostname, port } = new URL(system.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve, reject) =>
      get({ agent, hostname, port, path: "/api", headers: { Authorization: `Bearer ${TOKEN}` } }, (response) =>
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
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    for (const other of others) other.destroy();
    agent.destroy();
  }
  await expectSound();
});

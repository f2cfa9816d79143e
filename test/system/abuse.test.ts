import { describe, expect, it } from "vitest";
import { abuseSuite } from "../suites/abuse";
import { freePort } from "../support/free-port";
import { inStep, KINDS, MODBUS, MODBUS_CLIENTS, underAttack } from "../support/http/hostile";
import { credentials, hashPassword, head, loadsOf, PASSWORD } from "../support/http/principals";
import { inTurn, sampled } from "../support/property";
import { TOKEN } from "../support/system/system";
import { simulated } from "../support/system/whole-system";

/** ms that the script of the device needs for a request, and to accept a connection, about. */
const BUSY = { busyPerRequest: 4, busyPerConnection: 1 };
/** ms until a connection that was reset is opened again. */
const AGAIN = 20;

abuseSuite(simulated({ busyPerRequest: BUSY.busyPerRequest }), [...sampled(Object.entries(KINDS), 5)]);

describe("two connections of each of several addresses: new clients of another are served", () => {
  it.each(
    ["half a head", "half a body", "half a chunked body", "a refused body", "never reads"].flatMap((name, at) =>
      inTurn([4, 10], at).map((addresses) => [name, addresses] as const),
    ),
  )("%s, %i addresses", async (name, addresses) => {
    const whole = await simulated(BUSY).start();
    const stop = inStep(whole);
    try {
      const kind = KINDS[name]!;
      const options = { addresses, latency: 20 };
      const { tried, within } = await underAttack(whole.clock, whole.url, "/api", TOKEN, kind, 20, options);
      expect(within).toBeGreaterThanOrEqual(tried - 1);
    } finally {
      await stop();
      await whole.stop();
    }
  });
});

describe(`60 connections of one address, each opened again ${AGAIN} ms after it was closed`, () => {
  it.each(sampled(["reset", "reset later", "half close", "byte by byte"], 2))(
    "%s: new clients of another are served",
    async (name) => {
      const whole = await simulated(BUSY).start();
      const stop = inStep(whole);
      try {
        const kind = KINDS[name]!;
        const { tried, within } = await underAttack(whole.clock, whole.url, "/api", TOKEN, kind, 20, { again: AGAIN });
        expect(within).toBe(tried);
      } finally {
        await stop();
        await whole.stop();
      }
    },
  );
});

describe("two connections of each of eight addresses of somebody who holds a credential", () => {
  it.each(["link", "writing token"] as const)(
    "%s, half a body: new clients are served, the owner writes, no poll is lost",
    async (who) => {
      const whole = await simulated(BUSY).start({ settings: { web: { password: hashPassword(PASSWORD, 2) } } });
      const stop = inStep(whole);
      try {
        const { of, owner } = await credentials(whole);
        const body = JSON.stringify({ name: "Shed" });
        const write = head(whole.url, "POST", "/web/group/device", owner, body.length) + body;
        const kind = loadsOf(whole.url, of[who])["half a body"]!;
        const options = { addresses: 8, latency: 20, write };
        const outcome = await underAttack(whole.clock, whole.url, "/api", TOKEN, kind, 10, options);
        expect(outcome).toMatchObject({ tried: 10, within: 10, writes: 2, written: 2 });
        expect((await whole.probes.monitor()).statistics).toMatchObject({ timeouts: 0, crcErrors: 0 });
      } finally {
        await stop();
        await whole.stop();
      }
    },
  );
});

it("clients of Modbus TCP that ask without a pause have all its places: new clients of HTTP are served", async () => {
  const attacked = await freePort();
  const modbus = { enabled: true, port: attacked, clients: MODBUS_CLIENTS };
  const whole = await simulated(BUSY).start({ settings: { modbus } });
  const stop = inStep(whole);
  let replies = 0;
  try {
    const { tried, within } = await underAttack(
      ...([whole.clock, whole.url, "/api", TOKEN] as const),
      (...connection) => {
        MODBUS(...connection);
        connection[0].on("data", () => replies++);
      },
      10,
      { addresses: 4, latency: 20, attacked },
    );
    expect(within).toBe(tried);
    expect(replies).toBeGreaterThan(100);
  } finally {
    await stop();
    await whole.stop();
  }
});

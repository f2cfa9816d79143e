import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MIN_FREE } from "../../src/health/limits";
import { furtherOf } from "../suites/full-house";
import { startBroker } from "../support/mqtt/broker";
import { TOKEN } from "../support/system/system";
import { Authority } from "../support/tls/certificates";
import { ROUTER } from "./command";
import { BOARD, Machine, newBoard, scrap, until, WIFI } from "./machine";
import { type DeviceDocument, OWNED, Owner } from "./owner";
import { serveTime } from "./time";

if (!WIFI) throw new Error("This QEMU has no Wi-Fi: these tests need lcgamboa/qemu (docs/building.md)");

/** For how long each of the two measurements lasts, in seconds of the board. */
const SECONDS = Number(process.env["HEAP_SECONDS"] ?? 30);
/** The board's time may go several times slower than that of a busy machine, ms. */
const PATIENCE = 120_000 + SECONDS * 20_000;
const BEARER = { headers: { Authorization: `Bearer ${TOKEN}` } };
const ATTEMPT = 1000;
/** Between two requests for the metrics, ms. */
const PAUSE = 500;

/** The board's seconds since its reset in its first answer. */
const firstAnswer = (machine: Machine): Promise<number> =>
  until("GET /api is answered", async () => {
    const options = { ...BEARER, signal: AbortSignal.timeout(ATTEMPT) };
    const answer = await fetch(`${machine.url}/api`, options).catch(() => undefined);
    return answer?.status === 200 ? ((await answer.json()) as { uptime: number }).uptime : undefined;
  });

/** `SECONDS` of the page and the metrics, asked for in turn. */
async function loaded(machine: Machine, owner: Owner): Promise<DeviceDocument> {
  let device = await owner.device();
  const end = device.uptime + SECONDS;
  while (device.uptime < end) {
    const scraped = await fetch(`${machine.url}/metrics`, BEARER);
    expect([scraped.status, await scraped.text()]).toEqual([
      200,
      expect.stringContaining("bms_monitor_uptime_seconds"),
    ]);
    device = await owner.device();
    await sleep(PAUSE);
  }
  return device;
}

describe(`the heap of ${BOARD}`, () => {
  const authority = new Authority();
  let stopTime: Awaited<ReturnType<typeof serveTime>>;
  beforeAll(async () => void (stopTime = await serveTime()));
  afterAll(() => {
    stopTime?.();
    authority.remove();
  });

  it.concurrent.each([1, 4, 8])(
    "%i packs: what is left, then with MQTT by TLS",
    async (packs) => {
      const folder = newBoard({ ...OWNED, packs: { further: furtherOf(packs) } });
      const broker = await startBroker({ tls: authority.server({ names: `IP:${ROUTER.host}` }) });
      const machine = await Machine.start(folder, {}, packs);
      try {
        const first = await firstAnswer(machine);
        const owner = await Owner.of(machine);
        await until("every pack is polled", () =>
          machine.packs.every(({ traffic }) => traffic.outcomes.answered > 0) ? true : undefined,
        );
        const plain = await loaded(machine, owner);
        const client = await broker.client();
        // Without the time no certificate is accepted.
        if (stopTime) await owner.configure("time", { server: ROUTER.host });
        const secured = { host: ROUTER.host, port: broker.tlsPort, tls: true, ca: authority.pem };
        await owner.configure("mqtt", { enabled: true, ...secured });
        await until("the packs' values at the broker", () =>
          [...client.topics.keys()].filter((topic) => topic.endsWith("/telemetry")).length >= packs ? true : undefined,
        );
        const secure = await loaded(machine, owner);
        console.log(
          `${BOARD}, ${packs} packs: first answer at ${first} s;`,
          ...[plain, secure].map(({ uptime, memory }) => `after ${uptime} s ${JSON.stringify(memory)}`),
        );
        for (const { memory } of [plain, secure]) expect(memory.leastFree).toBeGreaterThan(MIN_FREE);
        expect([secure.start.restarts, machine.starts]).toEqual([0, 1]);
      } finally {
        await machine.cut();
        await broker.stop();
        scrap(folder);
      }
    },
    PATIENCE,
  );
});

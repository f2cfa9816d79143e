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

/** For how long each board runs, in its own seconds, and after how many it says how it is. */
const SECONDS = Number(process.env["HEAP_SECONDS"] ?? 30);
const REPORT = 600;
/** The board's time may go several times slower than that of a busy machine, ms. */
const PATIENCE = 240_000 + SECONDS * 20_000;
const BEARER = { headers: { Authorization: `Bearer ${TOKEN}` } };
const ATTEMPT = 1000;
/** Between two requests for the metrics, ms. */
const PAUSE = 10_000;
/** Characters at the end of the console that say why a board has restarted. */
const REASON = 1000;
/** Least that a stack must have left, bytes: an interrupt's frames. */
const STACK_RESERVE = 160;

/** The board's seconds since its reset in its first answer. */
const firstAnswer = (machine: Machine): Promise<number> =>
  until("GET /api is answered", async () => {
    const options = { ...BEARER, signal: AbortSignal.timeout(ATTEMPT) };
    const answer = await fetch(`${machine.url}/api`, options).catch(() => undefined);
    if (answer?.status !== 200) return undefined;
    await answer.text();
    return (await machine.now()) / 1000;
  });

/** `SECONDS` of the device's document and the metrics, asked for in turn. */
async function loaded(
  machine: Machine,
  owner: Owner,
  report: (device: DeviceDocument) => void,
): Promise<DeviceDocument> {
  let device = await owner.device();
  for (let next = REPORT; device.uptime < SECONDS;) {
    // A kept connection may be closed as the request is sent.
    const scraped = await until("the metrics", () =>
      fetch(`${machine.url}/metrics`, BEARER)
        .then(async (answer) => [answer.status, await answer.text()])
        .catch(() => undefined),
    );
    expect(scraped).toEqual([200, expect.stringContaining("bms_monitor_uptime_seconds")]);
    expect([machine.starts, machine.console.slice(-REASON)]).toEqual([1, expect.anything()]);
    device = await owner.device();
    if (device.uptime >= next) report(device);
    while (device.uptime >= next) next += REPORT;
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

  it.concurrent.each([
    [1, false],
    [1, true],
    [4, false],
    [4, true],
    [8, false],
    [8, true],
  ])(
    "%i packs, MQTT by TLS: %s",
    async (packs, tls) => {
      const folder = newBoard({ ...OWNED, packs: { further: furtherOf(packs) } });
      const broker = await startBroker({ tls: authority.server({ names: `IP:${ROUTER.host}` }) });
      const machine = await Machine.start(folder, {}, packs);
      try {
        const first = await firstAnswer(machine);
        const owner = await Owner.of(machine);
        await until("every pack is polled", () =>
          machine.packs.every(({ traffic }) => traffic.outcomes.answered > 0) ? true : undefined,
        );
        if (tls) {
          const client = await broker.client();
          // Without the time no certificate is accepted.
          if (stopTime) await owner.configure("time", { server: ROUTER.host });
          const secured = { host: ROUTER.host, port: broker.tlsPort, tls: true, ca: authority.pem };
          await owner.configure("mqtt", { enabled: true, ...secured });
          await until("the packs' values at the broker", () =>
            [...client.topics.keys()].filter((topic) => topic.endsWith("/telemetry")).length >= packs
              ? true
              : undefined,
          );
        }
        const report = ({ uptime, memory }: DeviceDocument): void =>
          console.log(
            `${BOARD}, ${packs} packs${tls ? ", TLS" : ""}: first answer at ${first} s; after ${uptime} s ${JSON.stringify(memory)}`,
          );
        const device = await loaded(machine, owner, report);
        report(device);
        const tasks = await machine.tasks();
        console.log(
          `${BOARD}, ${packs} packs${tls ? ", TLS" : ""}: stacks in use at most`,
          ...tasks.map(({ name, stack, unused }) => `${name} ${stack - unused} of ${stack};`),
        );
        expect(device.memory.leastFree).toBeGreaterThan(MIN_FREE);
        expect([device.start.restarts, machine.starts]).toEqual([0, 1]);
        expect(tasks.map(({ name }) => name)).toEqual(expect.arrayContaining(["IDLE", "main", "tcpip", "wifi"]));
        for (const { name, unused } of tasks) expect([name, unused > STACK_RESERVE]).toEqual([name, true]);
      } finally {
        await machine.cut();
        await broker.stop();
        scrap(folder);
      }
    },
    PATIENCE,
  );
});

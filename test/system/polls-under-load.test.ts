/** No poll is lost however busy HTTP clients keep the script, and nothing has to hold still for a reply: the port's buffer takes it. */
import type { LinkStatistics } from "jk-bms/types";
import { expect, it } from "vitest";
import { ENGINE } from "../support/system/engines";
import { inTurn } from "../support/property";
import { KeepAliveClient } from "../support/http/keep-alive-client";
import { System, TOKEN, turn } from "../support/system/system";

const CLIENTS = 4;
const INTERVAL = 1000;
const POLLS = 200;
/** Virtual ms for each turn of the sockets: less than a request takes, so that the next one is there when the script is free. */
const STEP = 5;
/** Share of the time for which the script has to be busy with requests. */
const FULL = 0.9;
const REQUEST = `GET /api/bms/status HTTP/1.1\r\nHost: device\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

/**
 * Script time a request, ms: about what the ESP32 needs; and so long that with each client's request before it a reply is read after its
 * deadline, as beside an erase of flash. On XS the shorter one is too many requests for what it adds.
 */
const LOADS = ENGINE === "xs" ? [60] : [60, 10];

const cases = (["registers", "frames"] as const).flatMap((readMode, at) =>
  inTurn(LOADS, at).map((busy) => ({ readMode, busy })),
);

it.each(cases)("by $readMode, $busy ms a request: none of its polls is lost", async ({ readMode, busy }) => {
  const system = await System.start({
    unpaced: true,
    board: { busyPerRequest: busy, config: { settings: { bms: { readMode, interval: INTERVAL } } } },
  });
  await system.untilLoaded();
  const { clock, uart } = system.board;
  const statistics = (): LinkStatistics => ({ ...system.monitor().statistics! });
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => KeepAliveClient.connect(system.probes.port())),
  );
  const begin = clock.now;
  const before = statistics();
  const { overflows } = uart;
  let requests = 0;
  const isOver = (): boolean => clock.now - begin >= POLLS * INTERVAL;
  const asking = Promise.all(
    clients.map(async (client) => {
      for (; !isOver(); requests++) expect((await client.ask(REQUEST)).status).toBe(200);
    }),
  );
  let ended = false;
  void asking.finally(() => (ended = true)).catch(() => undefined);
  while (!ended) {
    clock.runFor(STEP);
    await turn();
  }
  await asking;
  const { timeouts, crcErrors, discarded, replies } = statistics();
  expect([timeouts, crcErrors, discarded, uart.overflows]).toEqual([
    before.timeouts,
    before.crcErrors,
    before.discarded,
    overflows,
  ]);
  expect(replies - before.replies).toBeGreaterThanOrEqual(POLLS - 1);
  expect(requests * busy).toBeGreaterThan(FULL * POLLS * INTERVAL);
  for (const client of clients) client.close();
  system.stop();
});

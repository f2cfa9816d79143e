/** Every answer that holds much while it is sent takes a turn, and gives it back. */
import { JsonWriter } from "json/writer";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { NorFlash } from "../../host-sim/nor-flash";
import { getEnergy } from "../../src/endpoints/energy";
import { getEvents } from "../../src/endpoints/events";
import { getHistory } from "../../src/endpoints/history";
import { MAX_TURN_WAIT } from "../../src/endpoints/limits";
import { Turns } from "../../src/endpoints/turns";
import { FIRST_SECTOR, SECTORS } from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { answerMetrics } from "../../src/metrics/metrics";
import { DIALECT } from "../support/fakes/dialect";
import { metricsParts } from "../support/fakes/metrics-parts";
import { HeldExchange } from "../support/http/held-exchange";
import { poweredBoard } from "../support/system/simulated-board";

const SECOND = 1_000;
let board: SimulatedBoard;
beforeEach(() => void (board = poweredBoard()));
afterEach(() => board.powerOff());

function contextOf() {
  const today = { number: undefined, chargedWattHours: undefined, dischargedWattHours: undefined };
  const recorder = { today, cellRanges: new Uint8Array(8) };
  const flashHistory = { store: new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS)), recorder, transfers: 0 };
  const device = {
    flashHistory,
    storedEvents: undefined,
    energy: undefined,
    json: new JsonWriter(),
    turns: new Turns(1),
    uptime: () => 0,
  };
  return { dialect: DIALECT, pack: {} as never, device };
}

/** Each makes what answers one request after another, one at a time. */
const LONG: [string, () => (exchange: HeldExchange) => void][] = [
  [
    "/metrics",
    () => {
      const parts = metricsParts();
      return (exchange) => void answerMetrics(exchange, parts, { admit: () => true });
    },
  ],
  ...[getHistory, getEvents, getEnergy].map((get): (typeof LONG)[number] => [
    get.name,
    () => {
      const context = contextOf();
      return (exchange) => get(context, exchange);
    },
  ]),
];

it.each(LONG)("%s: the second waits until the first has been sent, the third for as long as it may", (_, make) => {
  const answer = make();
  const [first, second, third] = [0, 1, 2].map(() => {
    const exchange = new HeldExchange({ path: "/metrics" });
    answer(exchange);
    return exchange;
  }) as [HeldExchange, HeldExchange, HeldExchange];
  board.clock.runFor(SECOND);
  expect([first, second, third].map(({ status }) => status)).toEqual([200, undefined, undefined]);
  first.source!.close!();
  board.clock.runFor(SECOND);
  expect([second, third].map(({ status }) => status)).toEqual([200, undefined]);
  board.clock.runFor(MAX_TURN_WAIT);
  expect([third.status, third.responseHeader("retry-after")]).toEqual([503, "2"]);
});

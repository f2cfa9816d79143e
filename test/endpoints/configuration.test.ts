/** GET /api/bms/config and /web/config: how old the setup is, and what is not known. */
import { SETUP } from "jk-bms/types";
import { JsonWriter } from "json/writer";
import { beforeEach, expect, it } from "vitest";
import type { Context } from "../../src/endpoints/context";
import { getConfiguration } from "../../src/endpoints/configuration";
import { SETUP_PERIOD } from "../../src/packs/limits";
import type { BusPack } from "../../src/packs/types";
import type { SimulatedBoard } from "../../host-sim/board";
import { TestMonitor } from "../support/bms/bms-link";
import { identities, monitorOf, TestBank } from "../support/bms/test-bank";
import { DIALECT } from "../support/fakes/dialect";
import { FakeExchange } from "../support/http/fake-exchange";
import { poweredBoard } from "../support/system/simulated-board";

let board: SimulatedBoard;
beforeEach(() => void (board = poweredBoard()));

interface Data {
  readonly loaded: boolean;
  readonly ageSeconds: number;
  readonly battery: { readonly bluetoothName: string | null };
}

function dataOf(pack: BusPack, unmeasured: 0 | null = 0): Data {
  const context: Context = { device: { json: new JsonWriter() }, dialect: { ...DIALECT, unmeasured }, pack };
  const exchange = new FakeExchange({});
  getConfiguration(context, exchange);
  return (exchange.json as { data: Data }).data;
}

it("each pack's setup has its own age, counted from when it was last read", () => {
  const bank = new TestBank((pack) => {
    for (const block of [pack.telemetry, pack.setup, pack.deviceInfo]) block.valid = true;
  });
  const { monitor } = monitorOf(bank, identities(3));
  const { clock } = board;
  const setupsRead = (place: number) => bank.packs[place]!.log.filter(({ what }) => what === SETUP);
  monitor.start();
  clock.runFor(10_000);
  const before = [0, 1, 2].map((place) => setupsRead(place).at(-1)!.at);
  const now = clock.now;
  clock.runFor(60_000);
  for (const place of [0, 1, 2]) {
    expect(setupsRead(place)).toHaveLength(1);
    const { loaded, ageSeconds } = dataOf(monitor.packs[place]!);
    const age = (now + 60_000 - before[place]!) / 1000;
    expect(loaded).toBe(true);
    expect(Math.abs(ageSeconds - age)).toBeLessThan(1.1);
  }
  clock.runFor(SETUP_PERIOD - 60_000);
  for (const place of [0, 1, 2]) {
    expect(setupsRead(place)).toHaveLength(2);
    expect(dataOf(monitor.packs[place]!).ageSeconds).toBeLessThan(11);
  }
  monitor.close();
});

it("a Bluetooth name that is not known is null for the page, an empty text by REST", () => {
  const pack = new TestMonitor();
  pack.setup.valid = pack.telemetry.valid = true;
  expect(dataOf(pack, null).battery.bluetoothName).toBeNull();
  expect(dataOf(pack).battery.bluetoothName).toBe("");
});

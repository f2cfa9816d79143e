/** The bank of GET /api/packs, from packs whose values are known exactly. */
import * as FIELDS from "jk-bms/field-table";
import { beforeEach, expect, it } from "vitest";
import { Api } from "../../src/api/api";
import { FakePack } from "../support/fakes/fake-monitor";
import { fakeParts, TOKEN } from "../support/fakes/fake-parts";
import { FakeExchange } from "../support/http/fake-exchange";
import { poweredBoard } from "../support/system/simulated-board";

interface Values {
  readonly online?: boolean;
  readonly soc?: number;
  /** mAh. */
  readonly capacity?: number;
  /** Tenths of a degree. */
  readonly temperatures?: readonly [number, number];
}

beforeEach(() => void poweredBoard());

/** The bank of packs with these values, at addresses 3, 4 … */
function bankOf(...packs: readonly Values[]): Record<string, unknown> {
  const parts = fakeParts();
  const records = packs.map(({ online = true, soc = 50, capacity = 100_000, temperatures = [100, 100] }, index) => {
    const pack = new FakePack();
    pack.online = online;
    pack.telemetry.set(FIELDS.soc, soc);
    pack.telemetry.set(FIELDS.battery1Temperature, temperatures[0]);
    pack.telemetry.set(FIELDS.battery2Temperature, temperatures[1]);
    pack.setup.set(FIELDS.capacity, capacity);
    return Object.assign(pack, {
      index,
      identity: { address: 3 + index, name: "x", serial: "" },
      isSwapped: false,
      isContested: false,
    });
  });
  Object.assign(parts.monitor, { packs: records });
  const exchange = new FakeExchange({
    path: "/api/packs",
    sources: true,
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  new Api(parts).answer(exchange);
  return (exchange.json as { data: { bank: Record<string, unknown> } }).data.bank;
}

it("the state of charge is weighted by capacity", () => {
  const bank = bankOf({ soc: 50, capacity: 100_000 }, { soc: 100, capacity: 300_000 });
  expect([bank["soc"], bank["capacityAh"]]).toEqual([87.5, 400]);
});

it("packs without a capacity have no state of charge", () => {
  expect(bankOf({ capacity: 0 })["soc"]).toBeNull();
});

it("the highest temperature may be below 0, and names its pack", () => {
  const bank = bankOf({ temperatures: [-120, -90] }, { temperatures: [-70, -50] });
  expect(bank["maxTemperature"]).toEqual({ pack: 4, temperature: -5 });
});

it("a pack that is offline has no part in extremes, and no sum goes without it", () => {
  const bank = bankOf({ temperatures: [100, 100] }, { online: false, temperatures: [500, 500] });
  expect(bank["maxTemperature"]).toEqual({ pack: 3, temperature: 10 });
  expect([bank["complete"], bank["soc"], bank["current"]]).toEqual([false, null, null]);
});

it("none online: nothing is known but how many there are", () => {
  const { packs, online, complete, alarms, ...values } = bankOf({ online: false });
  expect([packs, online, complete, alarms]).toEqual([1, 0, false, []]);
  expect(new Set(Object.values(values))).toEqual(new Set([null]));
});

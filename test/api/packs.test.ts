/** The bank of GET /api/packs, from packs whose values are known exactly. */
import * as FIELDS from "jk-bms/field-table";
import type { Field } from "jk-bms/fields";
import { beforeEach, expect, it } from "vitest";
import { Api } from "../../src/api/api";
import { concernsOf } from "../../src/conditions/judgement";
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
  /** Of one more probe: its presence bit, field and temperature. */
  readonly further?: readonly [bit: number, field: Field, tenths: number];
}

beforeEach(() => void poweredBoard());

interface Document {
  readonly bank: Record<string, unknown>;
  readonly packs: readonly { readonly soc: number | null; readonly last: unknown }[];
}

/** The bank of packs with these values, at addresses 3, 4 … */
const bankOf = (...packs: readonly Values[]): Record<string, unknown> => documentOf(...packs).bank;

function documentOf(...packs: readonly Values[]): Document {
  const parts = fakeParts();
  const records = packs.map(
    ({ online = true, soc = 50, capacity = 100_000, temperatures = [100, 100], further }, index) => {
      const pack = new FakePack();
      pack.online = online;
      pack.telemetry.set(FIELDS.soc, soc);
      pack.telemetry.set(FIELDS.battery1Temperature, temperatures[0]);
      pack.telemetry.set(FIELDS.temperatureSensors, 0x07 | (further ? 1 << further[0] : 0));
      if (further) pack.telemetry.set(further[1], further[2]);
      pack.telemetry.set(FIELDS.battery2Temperature, temperatures[1]);
      pack.setup.set(FIELDS.capacity, capacity);
      Object.defineProperty(pack, "concerns", { get: () => concernsOf(pack) });
      return Object.assign(pack, {
        index,
        identity: { address: 3 + index, name: "x", serial: "" },
        isSwapped: false,
        isContested: false,
      });
    },
  );
  Object.assign(parts.monitor, { packs: records });
  const exchange = new FakeExchange({
    path: "/api/packs",
    sources: true,
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  new Api(parts).answer(exchange);
  return (exchange.json as { data: Document }).data;
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

it.each([0, 1, 2])("the hottest is that of any probe of pack %i, its third to fifth too", (place) => {
  for (const [bit, field] of [
    [3, FIELDS.battery3Temperature],
    [4, FIELDS.battery4Temperature],
    [5, FIELDS.battery5Temperature],
  ] as const) {
    const further = [bit, field, 720] as const;
    const bank = bankOf(...[0, 1, 2].map((index) => (index === place ? { further } : {})));
    expect(bank["maxTemperature"]).toEqual({ pack: 3 + place, temperature: 72 });
  }
});

it.each([0, 1, 2])(
  "pack %d, which is offline, has no part in sums, extremes and means, and the bank says so",
  (silent) => {
    const values = { soc: 80, capacity: 50_000, temperatures: [100, 100] } as const;
    const [alone, bank] = [2, 3].map((count) =>
      bankOf(
        ...Array.from({ length: count }, (_, index) =>
          count === 3 && index === silent ? { online: false, temperatures: [500, 500] as const } : values,
        ),
      ),
    ) as [Record<string, unknown>, Record<string, unknown>];
    const told = ["soc", "capacityAh", "remainingCapacityAh", "voltage", "current", "power", "maxDelta"];
    expect(told.slice(0, 6).map((name) => bank[name])).toEqual(told.slice(0, 6).map((name) => alone[name]));
    expect([bank["soc"], bank["capacityAh"]]).toEqual([80, 100]);
    expect(bank["maxTemperature"]).toMatchObject({ temperature: 10 });
    expect([bank["packs"], bank["online"], bank["complete"], bank["well"]]).toEqual([3, 2, false, false]);
    expect([alone["complete"], bank["concerns"]]).toEqual([true, expect.arrayContaining(["offline"])]);
  },
);

it("none online: nothing is known but how many there are", () => {
  const { packs, online, complete, alarms, well, concerns, ...values } = bankOf({ online: false });
  expect([packs, online, complete, alarms, well, concerns]).toEqual([1, 0, false, [], false, ["offline"]]);
  expect(new Set(Object.values(values))).toEqual(new Set([null]));
});

it.each([0, 1, 2])("of three packs number %i, which is offline, says what it was, and the others nothing", (silent) => {
  const { packs } = documentOf(
    ...[40, 50, 60].map((soc, at) => ({ soc, capacity: 100_000 * (at + 1), online: at !== silent })),
  );
  packs.forEach(({ soc, last }, at) => {
    const was = 40 + 10 * at;
    expect([soc, last]).toEqual(
      at === silent
        ? [null, { soc: was, voltage: expect.any(Number) as number, capacityAh: 100 * (at + 1) }]
        : [was, null],
    );
  });
});

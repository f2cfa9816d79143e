/** What is wrong, in the documents that have it: every row of the table and every alarm, of the first, a middle and the last pack. */
import { MAX_CELLS } from "jk-bms/cells";
import { blockOf, lengthOf } from "jk-bms/fields";
import { TELEMETRY } from "jk-bms/types";
import { RESPONSE_BUFFER_BYTES } from "http-server/limits";
import type { Render } from "http-server/types";
import { beforeEach, expect, it } from "vitest";
import { Api } from "../../src/api/api";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { TELEMETRY_TABLE } from "../../src/catalogue/telemetry";
import { plus, NONE, nextRow, ofRow, type Conditions } from "../../src/conditions/set";
import {
  bit,
  deviceBit,
  ALARM_ROW,
  CONCERNS,
  decimalsOf,
  DEVICE,
  DEVICE_CONDITIONS,
  DEVICE_ROW,
  severityOf,
  unitOf,
} from "../../src/conditions/table";
import { FakePack } from "../support/fakes/fake-monitor";
import { fakeParts, TOKEN } from "../support/fakes/fake-parts";
import { FakeExchange } from "../support/http/fake-exchange";
import { everywhere, PLACES } from "../support/places";
import { poweredBoard } from "../support/system/simulated-board";
import { table } from "../support/table";

beforeEach(() => void poweredBoard());

const EVERY_CONDITION = CONCERNS.map((code) => bit(code)).reduce(plus);
const UPTIME = 4_711;
const NOW = 1_800_000_000;
const BEGAN = 4_000;

/** What is judged of each row that has a unit: all its digits. */
const VALUE = -1_234_567;
const LIMIT = 7_654_321;

class Pack extends FakePack {
  bits = NONE;
  override get concerns(): Conditions {
    return this.bits;
  }

  override measurementOf(row: Conditions): [number, number] | undefined {
    return unitOf(nextRow(row, 0)) ? [VALUE, LIMIT] : undefined;
  }
}

interface Condition {
  readonly pack?: number;
  readonly code: string;
}

class Bench {
  readonly parts = fakeParts();
  readonly packs: Pack[];
  present: Conditions[];
  alarms: number[];
  ofDevice = NONE;
  /** By the place, from the device on, and the row. */
  readonly today: Record<number, number>[] = [{}, {}, {}, {}];
  time: number | undefined = NOW;

  constructor(count: number) {
    this.packs = Array.from({ length: count }, (_, index) =>
      Object.assign(new Pack(), { index, identity: { address: index + 3, name: "x", serial: "" } }),
    );
    this.present = this.packs.map(() => NONE);
    this.alarms = this.packs.map(() => 0);
    Object.assign(this.parts.monitor, { packs: this.packs });
    Object.assign(this.parts, {
      uptime: () => UPTIME,
      time: () => this.time,
      conditions: {
        presentOf: (index: number) => (index === DEVICE ? this.ofDevice : this.present[index]),
        alarmsOf: (index: number) => this.alarms[index] ?? 0,
        sinceOf: () => BEGAN,
        todayOf: (index: number, row: number) => this.today[index + 1]?.[row],
        measurementOf: (row: Conditions) => (unitOf(DEVICE_ROW + nextRow(row, 0)) ? [-93, -80] : undefined),
      },
    });
  }

  get(path: string): never {
    const exchange = new FakeExchange({ path, sources: true, headers: { authorization: `Bearer ${TOKEN}` } });
    new Api(this.parts).answer(exchange);
    return (exchange.json as { data: never }).data;
  }

  /** By place: those of GET /api/packs, which have to be those of each pack's status, and of GET /api/conditions. */
  conditions(): Condition[][] {
    const { packs } = this.get("/api/packs") as { packs: { address: number; conditions: Condition[] }[] };
    const listed = this.get("/api/conditions") as Condition[];
    for (const [index, { address, conditions }] of packs.entries()) {
      const own = listed.filter(({ pack }) => pack === address).map(({ pack: _, ...rest }) => rest);
      expect(own).toEqual(conditions);
      const path = `/api/packs/${address}/status`;
      // The fake's buffer has room for all of them.
      for (const status of index ? [path] : [path, "/api/bms/status"])
        expect(this.get(status)).toMatchObject({ conditions });
    }
    return packs.map(({ conditions }) => conditions);
  }
}

const only = (count: number, at: number, condition: object): object[][] =>
  Array.from({ length: count }, (_, index) => (index === at ? [condition] : []));

table(everywhere(CONCERNS))("each is its pack's, with since, value and limit", (count, at, code) => {
  const bench = new Bench(count);
  expect(bench.conditions()).toEqual(bench.packs.map(() => []));
  const row = CONCERNS.indexOf(code);
  bench.present[at] = ofRow(row);
  const scaled = (units: number): number | null => (unitOf(row) ? Number(`${units}e-${decimalsOf(row)}`) : null);
  const severity = severityOf(code);
  const since = NOW - UPTIME + BEGAN;
  bench.today[at + 1]![row] = 3;
  const condition = { code, severity, since, value: scaled(VALUE), limit: scaled(LIMIT), today: 3 };
  expect(bench.conditions()).toEqual(only(count, at, condition));
  // The clock is not set.
  bench.time = undefined;
  expect(bench.conditions()).toEqual(only(count, at, { ...condition, since: null }));
});

table(everywhere(ALARMS_TABLE))("each alarm is its pack's", (count, at, { name, fault }) => {
  const bench = new Bench(count);
  const row = ALARMS_TABLE.findIndex((alarm) => alarm.name === name);
  bench.alarms[at] = 1 << row;
  bench.today[at + 1]![ALARM_ROW + row] = 31;
  const severity = fault ? "fault" : "notice";
  const since = NOW - UPTIME + BEGAN;
  const condition = { code: name, severity, since, value: null, limit: null, today: 31 };
  expect(bench.conditions()).toEqual(only(count, at, condition));
});

table(everywhere(ALARMS_TABLE.filter(({ release }) => release)))(
  "an alarm says when it is released, while its own countdown runs",
  (count, at, { name, release = 0 }) => {
    const bench = new Bench(count);
    const pack = bench.packs[at]!;
    bench.alarms[at] = ~0;
    const releases = (): [string, number][] =>
      (bench.conditions()[at] as { code: string; release?: number }[]).flatMap((one) =>
        one.release === undefined ? [] : [[one.code, one.release]],
      );
    expect(releases()).toEqual([]);
    pack.telemetry.set(release, 28);
    // Both have the over-voltage's.
    const both = name.endsWith("_overvoltage") ? ["battery_overvoltage", "cell_overvoltage"] : [name];
    expect(releases()).toEqual(both.map((one) => [one, 28]));
    pack.telemetry.set(release, 65_535);
    expect(releases()[0]).toEqual([both[0], 65_535]);
    pack.online = false;
    expect(releases()).toEqual([]);
  },
);

table([1, 3].flatMap((count) => DEVICE_CONDITIONS.map((code) => [count, code] as const)))(
  "each of the device comes before the packs', and is in no document of theirs",
  (count, code) => {
    const bench = new Bench(count);
    const row = DEVICE_CONDITIONS.indexOf(code);
    bench.ofDevice = ofRow(row);
    bench.present[count - 1] = ofRow(0);
    const severity = severityOf(code);
    const [value, limit] = unitOf(DEVICE_ROW + row) ? [-93, -80] : [null, null];
    const since = NOW - UPTIME + BEGAN;
    expect((bench.get("/api/conditions") as object[])[0]).toEqual({
      ...{ code, severity, since, value, limit },
      // More has begun than is counted.
      today: null,
    });
    expect(
      bench
        .conditions()
        .flat()
        .map((condition) => condition.code),
    ).toEqual([CONCERNS[0]]);
    bench.time = undefined;
    expect((bench.get("/api/conditions") as object[])[0]).toMatchObject({ code, since: null });
    bench.ofDevice = DEVICE_CONDITIONS.map(deviceBit).reduce(plus);
    const listed = (bench.get("/api/conditions") as Condition[]).map((condition) => condition.code);
    expect(listed).toEqual([...DEVICE_CONDITIONS, CONCERNS[0]]);
  },
);

table(PLACES)("all at once: the packs and the list have all, the alarms last", (count, at) => {
  const bench = new Bench(count);
  bench.present[at] = bench.packs[at]!.bits = EVERY_CONDITION;
  bench.alarms[at] = ~0;
  const { packs } = bench.get("/api/packs") as { packs: { conditions: Condition[] }[] };
  const { conditions } = packs[at]!;
  const codes = [...CONCERNS, ...ALARMS_TABLE.map(({ name }) => name)];
  expect(conditions.map(({ code }) => code)).toEqual(codes);
  expect(bench.get("/api/conditions")).toHaveLength(codes.length);
  for (const [index, pack] of packs.entries()) if (index !== at) expect(pack.conditions).toEqual([]);
});

it("the status has as many as the server's buffer takes, also of the most cells with the longest numbers", () => {
  const bench = new Bench(1);
  const [pack] = bench.packs;
  bench.present[0] = EVERY_CONDITION;
  bench.alarms[0] = ~0;
  const codes = (): string[] => {
    let render: Render | undefined;
    const exchange = new FakeExchange({ path: "/api/bms/status", headers: { authorization: `Bearer ${TOKEN}` } });
    exchange.respond = (_status, _type, body) => (render = body as Render);
    new Api(bench.parts).answer(exchange);
    const into = new Uint8Array(RESPONSE_BUFFER_BYTES);
    const text = new TextDecoder().decode(into.subarray(0, render?.(into)));
    return (JSON.parse(text) as { data: { conditions: Condition[] } }).data.conditions.map(({ code }) => code);
  };
  const [first] = bench.conditions();
  const all = first!.map(({ code }) => code);
  const usual = codes();
  expect(usual).toEqual(all.slice(0, usual.length));
  expect(usual.length).toBeGreaterThan(10);
  pack!.telemetry.setCells(Array<number>(MAX_CELLS).fill(65_535), Array<number>(MAX_CELLS).fill(65_535));
  for (const { source, quantity } of TELEMETRY_TABLE)
    if (typeof source !== "function" && blockOf(source) === TELEMETRY && quantity.kind === "number")
      pack!.telemetry.set(source, lengthOf(source) === 4 ? -0x7fffffff : -0x7fff);
  const long = codes();
  expect(long.length).toBeGreaterThan(5);
  expect(long).toEqual(all.slice(0, long.length));
});

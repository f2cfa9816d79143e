/** The metrics of several packs: the bank, a sample of each pack, and one pack alone. */
import * as FIELDS from "jk-bms/field-table";
import { beforeEach, describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { NONE, ofRow, plus } from "../../src/conditions/set";
import { CONCERNS } from "../../src/conditions/table";
import { Api } from "../../src/api/api";
import { answerMetrics } from "../../src/metrics/metrics";
import { MetricsReader } from "../../src/metrics/metrics-reader";
import { MAX_NAME } from "../../src/settings/limits";
import { fakeParts, TOKEN } from "../support/fakes/fake-parts";
import { metricsParts } from "../support/fakes/metrics-parts";
import { FakeExchange } from "../support/http/fake-exchange";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { poweredBoard } from "../support/system/simulated-board";

type Parts = ReturnType<typeof metricsParts>;
type Pack = Parts["monitor"]["pack"];

let parts: Parts;
beforeEach(() => {
  poweredBoard();
  parts = metricsParts();
});

/** Packs with the fake's values, at these addresses; the first is that of the parts. */
function bankOf(...names: readonly string[]): readonly Pack[] {
  const packs = names.map((name, index) => {
    const pack = index ? metricsParts().monitor.pack : parts.monitor.pack;
    const counts = index ? { polls: 10 + index, lostPolls: index } : {};
    return Object.assign(pack, { index, identity: { address: 2 + index, name, serial: "" }, ...counts });
  });
  Object.assign(parts.monitor, { packs });
  return packs;
}

function text(piece = 100_000, of = parts): string {
  const reader = new MetricsReader(of.monitor.pack, of);
  const into = new Uint8Array(piece);
  const pieces: Buffer[] = [];
  for (let length = reader.read(into); length; length = reader.read(into))
    pieces.push(Buffer.from(into.slice(0, length)));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(piece);
  return Buffer.concat(pieces).toString("utf8");
}

it("one pack is shown as if there were no bank, whether it is listed or not", () => {
  const alone = text();
  bankOf("Pack 1");
  expect(text()).toBe(alone);
  expect(alone).not.toMatch(/bms_(bank|pack)_/);
});

it("of several, all that one pack has comes first, unchanged", () => {
  const alone = text();
  bankOf("Pack 1", "Pack 2");
  expect(text().slice(0, alone.length)).toBe(alone);
});

it("each pack has its values in base units, with address and name", () => {
  const [, second] = bankOf("Shed", "Car");
  second?.telemetry.set(FIELDS.soc, 61).set(FIELDS.packVoltage, 52_900).set(FIELDS.packPower, 250_000);
  Object.defineProperty(second, "concerns", { value: 3 });
  Object.assign(second as Pack, { telemetryAge: 7 });
  const families = parseExposition(text());
  const car = { pack: "3", name: "Car" };
  const told = (metric: string): unknown => sampleOf(families, `bms_pack_${metric}`, car);
  expect(sampleOf(families, "bms_pack_state_of_charge_ratio", { pack: "2", name: "Shed" })).toBe(0.55);
  expect(told("state_of_charge_ratio")).toBe(0.61);
  expect(told("voltage_volts")).toBe(52.9);
  expect(told("remaining_capacity_coulombs")).toBe(155.219 * 3600);
  expect(told("cell_min")).toBe(4);
  expect(["well", "telemetry_age_seconds", "polls_total", "polls_lost_total"].map(told)).toEqual([0, 7, 11, 1]);
  for (const { samples } of families.values())
    if (samples[0]?.labels["pack"] && !/_(alarm|concern)$/.test(samples[0].name))
      expect(samples.map(({ labels }) => labels["pack"])).toEqual(["2", "3"]);
});

describe.each([
  ["first", 0],
  ["middle", 1],
  ["last", 2],
])("the %s of three packs with alarms and concerns", (_which, at) => {
  const NAMES = ["Shed", "Car", "Roof"];
  /** The last bit that the BMS itself uses. */
  const LAST = 28;
  const holding = (metric: string, label: string): unknown[] =>
    parseExposition(text())
      .get(`bms_pack_${metric}`)
      ?.samples.map(({ labels, value }) => [labels["pack"], labels["name"], labels[label], value]) ?? [];

  it("names each by pack, the first and the last bit too, and nothing of the others", () => {
    const packs = bankOf(...NAMES);
    for (const pack of packs) {
      pack.telemetry.set(FIELDS.alarmCode, 0);
      Object.defineProperty(pack, "concerns", { value: NONE, configurable: true });
    }
    const [alarms, concerns] = [ALARMS_TABLE, CONCERNS];
    packs[at]?.telemetry.set(FIELDS.alarmCode, 1 | (1 << LAST));
    Object.defineProperty(packs[at], "concerns", { value: plus(ofRow(0), ofRow(concerns.length - 1)) });
    const own = [`${2 + at}`, NAMES[at]];
    expect(holding("alarm", "alarm")).toEqual([
      [...own, alarms[0]?.name, 1],
      [...own, alarms[LAST]?.name, 1],
    ]);
    expect(holding("concern", "concern")).toEqual([
      [...own, concerns[0], 1],
      [...own, concerns.at(-1), 1],
    ]);
    const whole = text();
    for (const piece of [1, 100, 543, 544, 545]) expect(text(piece)).toBe(whole);
  });

  it("has no alarm while it is offline, and then is a concern", () => {
    const packs = bankOf(...NAMES);
    for (const pack of packs) pack.telemetry.set(FIELDS.alarmCode, 0);
    packs[at]?.telemetry.set(FIELDS.alarmCode, 1);
    Object.assign(packs[at] as Pack, { online: false });
    expect(holding("alarm", "alarm")).toEqual([]);
  });
});

it("the bank has sums, the charge weighted by capacity, and the extremes of all cells", () => {
  const [, second] = bankOf("Shed", "Car");
  second?.setup.set(FIELDS.capacity, 840_000);
  second?.telemetry.set(FIELDS.soc, 60).set(FIELDS.fullCapacity, 840_000).setCells([3200, 3400]);
  const families = parseExposition(text());
  const bank = (metric: string): unknown => sampleOf(families, `bms_bank_${metric}`);
  expect(bank("state_of_charge_ratio")).toBe(0.588);
  expect(bank("capacity_coulombs")).toBe(1120 * 3600);
  expect(bank("voltage_volts")).toBe(52.7);
  expect(bank("current_amperes")).toBe(-56);
  expect(bank("power_watts")).toBe(-3000);
  expect([bank("cell_voltage_min_volts"), bank("cell_voltage_max_volts")]).toEqual([3.2, 3.4]);
  expect(bank("cell_voltage_delta_volts")).toBe(0.2);
  expect(bank("online")).toBe(1);
});

it("a pack that is offline has no values; the bank is of the others, and says so", () => {
  const [, second] = bankOf("Shed", "Car");
  Object.assign(second as Pack, { online: false });
  const families = parseExposition(text());
  const car = { pack: "3", name: "Car" };
  expect(sampleOf(families, "bms_pack_online", car)).toBe(0);
  expect(sampleOf(families, "bms_pack_polls_total", car)).toBe(11);
  expect(families.get("bms_pack_voltage_volts")?.samples.map(({ labels }) => labels["pack"])).toEqual(["2"]);
  const bank = (metric: string): unknown => sampleOf(families, `bms_bank_${metric}`);
  expect(["state_of_charge_ratio", "current_amperes", "voltage_volts", "online", "well"].map(bank)).toEqual([
    ...[0.55, -28, 52.7, 0, 0],
  ]);
});

it("is the same in pieces of any size, with the longest names", () => {
  const name = "\u20ac".repeat(MAX_NAME);
  bankOf(name, '\\"'.repeat(MAX_NAME / 2), "Gar\u00e3o");
  const whole = text();
  expect(
    parseExposition(whole)
      .get("bms_pack_online")
      ?.samples.map(({ labels }) => labels["name"]),
  ).toEqual([name, '\\"'.repeat(MAX_NAME / 2), "Gar\u00e3o"]);
  for (const piece of [1, 100, 292, 543, 544, 545, 1000]) expect(text(piece)).toBe(whole);
});

it("is whole if a pack goes offline, or the bank changes, between two pieces", () => {
  const packs = bankOf("Shed", "Car");
  const into = new Uint8Array(300);
  const { length } = text();
  for (let changedAt = 0; changedAt < length; changedAt += 300) {
    for (const pack of packs) pack.online = true;
    Object.assign(parts.monitor, { packs });
    const reader = new MetricsReader(parts.monitor.pack, parts);
    let all = "";
    for (let count = reader.read(into); count; count = reader.read(into)) {
      all += Buffer.from(into.subarray(0, count)).toString("latin1");
      if (all.length < changedAt) continue;
      for (const pack of packs) pack.online = false;
      Object.assign(parts.monitor, { packs: packs.slice(0, 1) });
    }
    expect(() => parseExposition(all)).not.toThrow();
  }
});

describe("?pack=", () => {
  function ask(query: string): FakeExchange {
    const exchange = new FakeExchange({
      path: "/metrics",
      query,
      headers: { authorization: `Bearer ${TOKEN}` },
      sources: true,
    });
    expect(answerMetrics(exchange, parts, new Api(fakeParts()))).toBe(true);
    return exchange;
  }

  it("has all of one pack under the names of the first, cells and alarms too, and nothing of the monitor", () => {
    const [, second] = bankOf("Shed", "Car");
    second?.telemetry.set(FIELDS.soc, 61);
    const families = parseExposition(Buffer.from(ask("pack=3").body as Uint8Array).toString());
    expect(sampleOf(families, "bms_state_of_charge_ratio")).toBe(0.61);
    expect(sampleOf(families, "bms_cell_voltage_volts", { cell: "2" })).toBe(3.301);
    expect(families.get("bms_alarm")?.samples).toHaveLength(30);
    expect(families.get("bms_info")?.samples).toHaveLength(1);
    expect([...families.keys()].filter((name) => /^bms_(monitor|link|bank|pack)_/.test(name))).toEqual([]);
  });

  it.each(["pack=1", "pack=4", "pack=", "pack=02", "pack=3&pack=2", "pack=x"])("%s is 404", (query) => {
    bankOf("Shed", "Car");
    expect(ask(query).status).toBe(404);
  });

  it("another query changes nothing", () => {
    expect(Buffer.from(ask("x=1").body as Uint8Array).toString()).toBe(text());
  });
});

it("what a scrape holds of a bank is there from the start, when there was memory for it", () => {
  const packs = bankOf("Pack 1", "Pack 2", "Pack 3");
  const reader = new MetricsReader(parts.monitor.pack, parts);
  for (const pack of packs) pack.telemetry.set(FIELDS.soc, 61);
  const into = new Uint8Array(100_000);
  const families = parseExposition(Buffer.from(into.slice(0, reader.read(into))).toString("utf8"));
  packs.forEach(({ identity: { address, name } }) =>
    expect(sampleOf(families, "bms_pack_state_of_charge_ratio", { pack: `${address}`, name })).toBe(0.55),
  );
});

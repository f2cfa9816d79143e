import * as FIELDS from "jk-bms/field-table";
import { beforeEach, describe, expect, it } from "vitest";
import { milliwatts } from "../../src/catalogue/computed";
import { BankSum } from "../../src/packs/bank-sum";
import { History } from "../../src/history/history";
import { HistoryReader } from "../../src/history/history-reader";
import { MAX_ROW_BYTES, SLOT_SECONDS, SLOTS } from "../../src/history/limits";
import { TestMonitor } from "../support/bms/bms-link";

const HEAD = "time_s,soc,power_w,min_cell_v,max_cell_v";

let now: number;
let history: History;
let bank: BankSum;
beforeEach(() => {
  now = 0;
  history = new History({ uptime: () => now });
  bank = new BankSum({ monitor: { packs: [0] }, uptime: () => now });
});

/** A reply at `now`. */
function reply(soc: number, watts: number, cells: readonly number[] = [3300, 3310]): void {
  const monitor = new TestMonitor();
  monitor.telemetry
    .set(FIELDS.soc, soc)
    .set(FIELDS.packPower, Math.abs(watts) * 1000)
    .set(FIELDS.packCurrent, watts < 0 ? -1 : 1)
    .setCells(cells);
  bank.update(monitor, milliwatts(monitor)!);
  history.update(monitor, bank);
}

function csv(piece = 4096): string {
  const reader = new HistoryReader(history);
  const into = new Uint8Array(piece);
  let text = "";
  for (let length = reader.read(into); length; length = reader.read(into))
    text += Buffer.from(into.subarray(0, length)).toString("latin1");
  return text;
}
const rows = (piece?: number): string[] => csv(piece).trimEnd().split("\r\n").slice(1);

describe("the history", () => {
  it("starts with the header alone", () => {
    expect(csv()).toBe(`${HEAD}\r\n`);
  });

  it("keeps the last state of charge, the mean power and the lowest and highest cell of each slot", () => {
    reply(50, 1000, [3300, 3310]);
    now = 60;
    reply(51, -500, [3290, 3305]);
    now = 119;
    reply(52, 1000, [3301, 3320]);
    expect(rows()).toEqual(["-59,52,500,3.29,3.32"]);
    // The last reply is neither the lowest nor the highest.
    reply(51, 500, [3300, 3310]);
    expect(rows()).toEqual(["-59,51,500,3.29,3.32"]);
  });

  it("has a row in the middle of each slot with a reply, and none for other slots", () => {
    reply(50, 100);
    now = SLOT_SECONDS;
    reply(51, 200);
    now = 4 * SLOT_SECONDS + 90;
    reply(52, -300);
    expect(rows()).toEqual(["-510,50,100,3.3,3.31", "-390,51,200,3.3,3.31", "-30,52,-300,3.3,3.31"]);
  });

  it("is never ahead of its reader", () => {
    now = 10 * SLOT_SECONDS;
    reply(50, 0);
    expect(rows()).toEqual(["0,50,0,3.3,3.31"]);
  });

  it("has SLOTS places: the newest replaces the oldest", () => {
    for (let slot = 0; slot < SLOTS + 5; slot++) {
      now = slot * SLOT_SECONDS + 60;
      reply(slot % 100, slot * 10);
    }
    const found = rows();
    expect(found).toHaveLength(SLOTS);
    expect(found[0]).toBe(`${-(SLOTS - 1) * SLOT_SECONDS},5,50,3.3,3.31`);
    expect(found.at(-1)).toBe(`0,${(SLOTS + 4) % 100},${(SLOTS + 4) * 10},3.3,3.31`);
  });

  it.each([SLOTS - 1, SLOTS, SLOTS + 1, 10 * SLOTS])("drops rows %i slots old when it must", (slots) => {
    reply(50, 0);
    now = slots * SLOT_SECONDS;
    expect(rows()).toHaveLength(slots < SLOTS ? 1 : 0);
    reply(60, 0);
    expect(rows()).toHaveLength(slots < SLOTS ? 2 : 1);
    now += SLOT_SECONDS;
    reply(61, 0);
    expect(rows().map((row) => row.split(",")[1])).toEqual(slots < SLOTS - 1 ? ["50", "60", "61"] : ["60", "61"]);
  });

  it("holds the largest possible values", () => {
    reply(255, -400_000, [0, 65_535]);
    expect(rows()).toEqual(["0,254,-327670,0,65.535"]);
    now = SLOTS * SLOT_SECONDS - 1;
    expect(rows()[0]!.length + 2).toBeLessThanOrEqual(MAX_ROW_BYTES);
  });

  it("records nothing for a pack without cells", () => {
    reply(50, 100, []);
    expect(rows()).toEqual([]);
  });
});

describe("the reader", () => {
  it.each([1, 2, 7, 31, 248, 4096])("returns the same in pieces of %i bytes", (piece) => {
    for (let slot = 0; slot < 30; slot++) {
      now = slot * SLOT_SECONDS + 60;
      if (slot % 7) reply(slot, -slot * 10, [3000 + slot, 3100 + slot]);
    }
    expect(csv(piece)).toBe(csv(100_000));
  });

  it("continues with what is left when the ring wraps meanwhile", () => {
    for (let slot = 0; slot < SLOTS; slot++) {
      now = slot * SLOT_SECONDS + 60;
      reply(slot % 100, 0);
    }
    const reader = new HistoryReader(history);
    const into = new Uint8Array(HEAD.length + 2);
    expect(reader.read(into)).toBe(into.length);
    now += 100 * SLOT_SECONDS;
    reply(77, 0);
    const rest = new Uint8Array(100_000);
    const text = Buffer.from(rest.subarray(0, reader.read(rest))).toString();
    expect(text.trimEnd().split("\r\n")).toHaveLength(SLOTS - 100);
    expect(text).toMatch(/^-31080,0,0,/);
  });
});

/**
 * Situations that interfaces once kept to themselves, as the packs' registers and the wire have them, in a bank of eight: all interfaces say the same.
 * Others are elsewhere: bit 4 while the settings are unread in test/system/full-at-start, an alarm bit without a row in test/web-page/unnamed-alarm, two
 * packs at one address in test/bms/shared-address.
 */
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { serialNumberAt, type SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { NONE, plus } from "../../src/conditions/set";
import { bit, type Concern } from "../../src/conditions/table";
import { Told, type There } from "../support/conditions/told";

const PACKS = 8;
const CELLS = 16;
const MINUTE = 60;
/** ms between two polls of a pack. */
const INTERVAL = 5_000;
/** The first, a middle and the last. */
const PLACES = [0, 4, 7];

let bench: Told;

const cells =
  (millivolts: number) =>
  ({ registers }: SimulatedBms): void => {
    for (let cell = 0; cell < CELLS; cell++) registers.write("CellVol", millivolts, cell);
    registers.write("BatVol", CELLS * millivolts);
  };
const named = ({ registers }: SimulatedBms, serial: string): void =>
  registers.writeText("SerialNumber", serial && `${serial}\x00000`);
const current =
  (milliamperes: number) =>
  ({ registers }: SimulatedBms): void => {
    registers.write("BatCurrent", milliamperes);
    registers.write("BatWatt", Math.abs(Number(registers.read("BatVol")) * milliamperes) / 1_000);
  };
function prepare(pack: SimulatedBms): void {
  const { registers } = pack;
  cells(3_300)(pack);
  registers.write("SOC", 60);
  for (const name of ["Alarms", "BatCurrent", "BatWatt"]) registers.write(name, 0);
  for (const name of ["TempBat1", "TempBat2", "TempMos"]) registers.write(name, 200);
}

beforeAll(async () => {
  bench = new Told();
  await bench.start(PACKS, prepare, INTERVAL);
});
afterAll(() => bench.stop());

/** Of the pack at this place. */
type Found = Readonly<Record<number, readonly Concern[]>>;
const atPlaces = (code: Concern): Found => Object.fromEntries(PLACES.map((at) => [at, [code]]));

/** Waits until every interface says just this. */
async function allSay(found: Found, seconds = 20 * MINUTE): Promise<void> {
  const there: There[] = bench.addresses.map((_, at) => ({
    bits: (found[at] ?? []).reduce((bits, code) => plus(bits, bit(code)), NONE),
    word: 0,
  }));
  const right = bench.right(there);
  const end = bench.system.board.clock.now + 1_000 * seconds;
  for (;;) {
    await bench.pass(30);
    const isOver = bench.system.board.clock.now > end;
    const isThere = there.every(({ bits }, at) => bench.system.firmware.conditions.presentOf(at) === bits);
    if (!isThere && !isOver) continue;
    const said = await bench.said();
    if (isOver || JSON.stringify(said) === JSON.stringify(right)) return expect(said).toEqual(right);
  }
}

const messages = (code: Concern): string[] =>
  bench.receivers.messages
    .filter(({ condition }) => condition === code)
    .map(({ state, packs }) => `${state} ${packs.join()}`);

/** The write of a switch to this pack, to what it is already: accepted or not. */
const write = async (address: number): Promise<number> =>
  (await bench.answered(bench.system.post(`/api/packs/${address}/commands`, { command: "balance", state: true })))
    .status;

it("packs 2 and 3 have exchanged addresses: nothing is written to them, and everyone says so", async () => {
  const [second, third] = [bench.packs[1]!, bench.packs[2]!];
  named(second, serialNumberAt(3));
  named(third, serialNumberAt(2));
  // Until both have been asked, two have one serial number.
  await allSay({ 1: ["swapped"], 2: ["swapped"] });
  expect([await write(2), await write(3), await write(4)]).toEqual([409, 409, 202]);
  expect(
    bench.receivers.lines
      .filter(({ code }) => code === "pack-swapped")
      .map(({ pack }) => pack)
      .sort(),
  ).toEqual([2, 3]);
  named(second, serialNumberAt(2));
  named(third, serialNumberAt(3));
  await allSay({});
  expect(messages("swapped").join(" ")).toMatch(/^raised .*cleared /);
});

it("emergency mode is switched on in the app for half an hour", async () => {
  const { system, receivers } = bench;
  receivers.messages.length = 0;
  PLACES.forEach((at) => bench.packs[at]!.registers.write("TimeEmergency", 1_800));
  await allSay(atPlaces("emergency"));
  await bench.pass(30 * MINUTE);
  PLACES.forEach((at) => bench.packs[at]!.registers.write("TimeEmergency", 0));
  await allSay({});
  const log = system.probes.parts().log.filter((text) => text.includes("emergency"));
  for (const at of PLACES)
    expect(log.filter((text) => text.endsWith(`\t${at + 1}`))).toEqual(
      ["raised", "cleared"].map((how) => `condition-${how}\temergency\t${at + 1}`),
    );
  // After the reminders it has to be gone for an hour.
  await bench.until("the owner is told of its end", () => messages("emergency").at(-1)!.startsWith("cleared"), 7_200);
  const whose = PLACES.map((at) => at + 1).join();
  const all = messages("emergency");
  expect([all[0], ...new Set(all.slice(1, -1)), all.at(-1)]).toEqual(
    ["raised", "again", "cleared"].map((how) => `${how} ${whose}`),
  );
});

it("lines that lose a fifth, and then two fifths of the replies", async () => {
  for (const [lost, code] of [
    [(count: number): boolean => count % 5 === 0, "link-weak"],
    [(count: number): boolean => count % 5 === 0 || count % 5 === 2, "link"],
  ] as const) {
    for (const at of PLACES) {
      let asked = 0;
      bench.packs[at]!.faults.add({ kind: "no-answer", matching: () => lost(++asked) });
    }
    await allSay(atPlaces(code));
    PLACES.forEach((at) => bench.packs[at]!.faults.clear());
  }
  await allSay({});
});

it.each([
  ["limits", "VolCellOV", 3_600, 3_650, "limits-differ"],
  ["numbers of cells", "CellCount", CELLS / 2, CELLS, "cells-differ"],
] as const)("%s that differ from the others'", async (_, name, odd, usual, code) => {
  PLACES.forEach((at) => bench.packs[at]!.registers.write(name, odd));
  await allSay(atPlaces(code));
  PLACES.forEach((at) => bench.packs[at]!.registers.write(name, usual));
  await allSay({});
});

it("a limit is changed in the app: a trap and an event of MQTT, once, of each pack", async () => {
  const { changes } = bench.receivers;
  const toldOf = (value: string, before: string) => ({
    trapped: PLACES.map((at) => `Pack ${at + 1}: Setting changed (unknown): cell_ovp_voltage ${before} -> ${value} V.`),
    published: PLACES.map((at) => ({
      topic: at ? `pack/${at + 1}/alarm` : "alarm",
      event: { event_type: "setting_changed", setting: "cell_ovp_voltage", before, value, unit: "V", by: "unknown" },
    })),
  });
  // Less than makes limits-differ.
  for (const [millivolts, value, before] of [
    [3_645, "3.645", "3.65"],
    [3_650, "3.65", "3.645"],
  ] as const) {
    for (const told of Object.values(changes)) told.length = 0;
    PLACES.forEach((at) => bench.packs[at]!.registers.write("VolCellOV", millivolts));
    await bench.until("all is told", () => Object.values(changes).every(({ length }) => length === PLACES.length));
    // And no more of it.
    await bench.pass(MINUTE);
    const right = toldOf(value, before);
    expect([...changes.trapped].sort()).toEqual(right.trapped.sort());
    const published = changes.published.map(({ topic, text }) => ({
      topic: topic.split("/").slice(2).join("/"),
      event: JSON.parse(text) as unknown,
    }));
    expect(published).toHaveLength(PLACES.length);
    expect(published).toEqual(expect.arrayContaining(right.published));
  }
});

it.each(PLACES)("one of eight carries no current, then stands 5.5 V off the others: at place %i", async (at) => {
  const one = bench.packs[at]!;
  const others = bench.packs.filter((pack) => pack !== one);
  others.forEach(current(-20_000));
  await allSay({ [at]: ["carries-nothing"] });
  others.forEach(current(0));
  await allSay({});
  cells(3_644 - 688)(one);
  await allSay({ [at]: ["off-voltage"] });
  cells(3_300)(one);
  await allSay({});
});

it("four packs have the same serial number, and four have none", async () => {
  const of = async (serial: string, code: Concern): Promise<void> => {
    const beside = new Told();
    onTestFinished(() => beside.stop());
    await beside.start(4, (pack) => (prepare(pack), named(pack, serial)), INTERVAL);
    const before = bench;
    bench = beside;
    try {
      await allSay({ 0: [code], 1: [code], 2: [code], 3: [code] });
    } finally {
      bench = before;
    }
  };
  await of(serialNumberAt(1), "same-identity");
  await of("", "no-identity");
});

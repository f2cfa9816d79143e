/**
 * Every object of every MIB by the agent's own messages: its type, its place in a walk, and what stands for an instance that there is not.
 * What is expected comes from the documents that define the objects, not from the code's tables.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { SnmpCounters } from "snmp-agent/counters";
import { Responder } from "snmp-agent/responder";
import { TELEMETRY_TABLE } from "../../src/catalogue/telemetry";
import type { SnmpContext } from "../../src/snmp/context";
import { SnmpState } from "../../src/snmp/state";
import { SUBTREES } from "../../src/snmp/subtrees";
import { GET, GET_NEXT, parse, request, type Answer } from "../support/peers/snmp";
import { System, type SystemOptions } from "../support/system/system";

/** Tags: X.690, and RFC 2578, section 7.1. */
const TAGS = {
  Integer32: 0x02,
  TruthValue: 0x02,
  DisplayString: 0x04,
  Identifier: 0x06,
  Counter32: 0x41,
  Unsigned32: 0x42,
  TimeTicks: 0x43,
} as const;
type Type = keyof typeof TAGS;
const NO_SUCH_OBJECT = 0x80;
const NO_SUCH_INSTANCE = 0x81;
const END_OF_MIB_VIEW = 0x82;
/** Error status of version 1. */
const NO_SUCH_NAME = 2;

/** RFC 3418, RFC 2863 and RFC 1628: `*` stands for the rows of a table. */
const STANDARD: readonly (readonly [name: string, type: Type])[] = [
  ["1.1.0", "DisplayString"],
  ["1.2.0", "Identifier"],
  ["1.3.0", "TimeTicks"],
  ["1.4.0", "DisplayString"],
  ["1.5.0", "DisplayString"],
  ["1.6.0", "DisplayString"],
  ["1.7.0", "Integer32"],
  ["2.1.0", "Integer32"],
  ["2.2.1.1.*", "Integer32"],
  ["2.2.1.2.*", "DisplayString"],
  ["2.2.1.3.*", "Integer32"],
  ["2.2.1.4.*", "Integer32"],
  ["2.2.1.5.*", "Unsigned32"],
  ["2.2.1.6.*", "DisplayString"],
  ["2.2.1.7.*", "Integer32"],
  ["2.2.1.8.*", "Integer32"],
  ["2.2.1.9.*", "TimeTicks"],
  ["11.1.0", "Counter32"],
  ["11.3.0", "Counter32"],
  ["11.4.0", "Counter32"],
  ["11.5.0", "Counter32"],
  ["11.6.0", "Counter32"],
  ["11.30.0", "Integer32"],
  ["11.31.0", "Counter32"],
  ["11.32.0", "Counter32"],
  ["33.1.1.1.0", "DisplayString"],
  ["33.1.1.2.0", "DisplayString"],
  ["33.1.1.3.0", "DisplayString"],
  ["33.1.1.4.0", "DisplayString"],
  ["33.1.1.5.0", "DisplayString"],
  ["33.1.1.6.0", "DisplayString"],
  ["33.1.2.1.0", "Integer32"],
  ["33.1.2.2.0", "Integer32"],
  ["33.1.2.3.0", "Integer32"],
  ["33.1.2.4.0", "Integer32"],
  ["33.1.2.5.0", "Integer32"],
  ["33.1.2.6.0", "Integer32"],
  ["33.1.2.7.0", "Integer32"],
  ["33.1.4.1.0", "Integer32"],
  ["33.1.4.3.0", "Integer32"],
  ["33.1.4.4.1.2.*", "Integer32"],
  ["33.1.4.4.1.3.*", "Integer32"],
  ["33.1.4.4.1.4.*", "Integer32"],
  ["33.1.6.1.0", "Unsigned32"],
  ["33.1.6.2.1.2.*", "Identifier"],
  ["33.1.6.2.1.3.*", "TimeTicks"],
];
const MIB_2 = "1.3.6.1.2.1.";
const OURS = "1.3.6.1.4.1.8072.9999.9999.485.";

/** What docs/BMS-MONITOR-MIB.txt says can be read. */
function ownObjects(): [name: string, type: Type][] {
  const places = new Map([["bmsMonitorMIB", ""]]);
  const objects: [string, Type][] = [];
  for (const definition of readFileSync("docs/BMS-MONITOR-MIB.txt", "utf8").split(/\n\n|\n(?=\w+ OBJECT I)/)) {
    const [, name, parent, number] = /^(\w+) OBJECT[^]* \{ (\w+) (\d+) \}$/.exec(definition) ?? [];
    if (!name) continue;
    const place = `${places.get(parent!)!}${number}.`;
    places.set(name, place);
    if (!definition.includes("read-only")) continue;
    const [, syntax] = /SYNTAX +(\w+)/.exec(definition)!;
    const isColumn = parent!.endsWith("Entry");
    objects.push([place + (isColumn ? "*" : "0"), (syntax === "INTEGER" ? "Integer32" : syntax) as Type]);
  }
  return objects;
}

const numbersOf = (name: string): number[] => name.split(".").map(Number);

/** The order of RFC 3416, section 4.2.2: of the numbers, one after the other; a name comes before those that begin with it. */
function compare(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((id, index) => id !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? -1) - (b[at] ?? -1);
}

const CELLS = Array.from({ length: 16 }, (_, cell) => cell + 1);
const ALARMS = Array.from({ length: 30 }, (_, bit) => bit + 1);

/** What there is with several packs alone. */
const OF_BANK = /^1\.(8|9|10|11)\./;

/** Rows of the tables, by what their names begin with. */
type Rows = Readonly<Record<string, readonly (number | string)[]>>;

/** Names and tags of all instances, with one pack or several. */
function instances(rows: Rows, isThere = (_name: string): boolean => true, isBank = false) {
  const own = ownObjects()
    .filter(([name]) => isBank || !OF_BANK.test(name))
    .map(([name, type]) => [OURS + name, type] as const);
  return [...STANDARD.map(([name, type]) => [MIB_2 + name, type] as const), ...own]
    .flatMap(([name, type]) => {
      const table = Object.keys(rows).find((start) => name.startsWith(start));
      return name.endsWith("*")
        ? rows[table!]!.map((row) => [name.replace("*", String(row)), type] as const)
        : [[name, type] as const];
    })
    .filter(([name]) => isThere(name))
    .map(([name, type]) => ({ name, tag: TAGS[type] }))
    .sort((one, other) => compare(one.name, other.name));
}

let system: System;
let state: SnmpState;
let agent: Responder<SnmpContext>;

function ask(name: string, pdu: number, version = 1): Answer {
  const length = agent.answer(request([name], { pdu, version }));
  return parse(agent.bytes.subarray(0, length));
}
const get = (name: string) => ask(name, GET).bindings[0]!;
const next = (name: string) => ask(name, GET_NEXT).bindings[0]!;

function walk(): { name: string; tag: number }[] {
  const found: { name: string; tag: number }[] = [];
  for (let { name, tag } = next("1.3"); tag !== END_OF_MIB_VIEW; { name, tag } = next(name)) {
    found.push({ name, tag });
    if (found.length > 2_000) throw new Error("the walk does not end");
  }
  return found;
}

function run(seconds: number): void {
  system.board.clock.runFor(seconds * 1_000);
  const { monitor } = system.firmware;
  state.update(monitor.packs, monitor.centiseconds);
}

/** So that everything there is is there: all probes are there, a write has ended, the first pack is discharged, and it has alarms. */
async function begin(options: SystemOptions): Promise<void> {
  system = await System.start({ unpaced: true, engine: "node", ...options });
  const { conditions, monitor, settings, relay, network, energy, start } = system.firmware;
  const counters = new SnmpCounters();
  state = new SnmpState();
  const build = { softwareName: "monitor", version: "1.2.3", build: "abc", boardVersion: "board" };
  const context: SnmpContext = {
    device: {
      ...{ conditions, monitor, settings, relay, network, energy, start, build },
      centiseconds: () => monitor.centiseconds,
    },
    pack: monitor.packs[0],
    counters,
    state,
  };
  agent = new Responder({ context, subtrees: SUBTREES, counters, community: "public" });
  // Without a third probe its register repeats the MOSFETs'.
  for (const { registers } of system.bank?.packs ?? [system.bms]) registers.write("TempBat3", 99);
  run(15);
  system.probes.writeCommand("balance", true);
  const { registers } = system.bms;
  registers.write("BatCurrent", -20_000);
  registers.write("SOC", 99);
  registers.write("Alarms", (1 << 4) | (1 << 8) | (1 << 13));
  run(5);
}

beforeAll(() => begin({ bms: { evolving: false } }));
afterAll(() => system.stop());

const ROWS = {
  [`${MIB_2}2.2.1.`]: [1],
  [`${MIB_2}33.1.4.4.1.`]: [1],
  // On battery, temperature bad, output overload.
  [`${MIB_2}33.1.6.2.1.`]: [2, 5, 8],
  [`${OURS}1.2.1.`]: CELLS,
  [`${OURS}1.3.1.`]: ALARMS,
};

describe("every defined object", () => {
  it("has its type, in the order of a walk", () => {
    const expected = instances(ROWS);
    expect(expected.length).toBeGreaterThan(200);
    expect(walk()).toEqual(expected);
  });

  it("can be read by name with the same type", () => {
    for (const { name, tag } of walk()) expect(get(name)).toMatchObject({ name, tag });
  });

  it("is the successor of every name before it", () => checkSuccessors());
});

/** By what a walk has found: what follows each name, and every part of a name, and names beside them. */
function checkSuccessors(names = walk().map(({ name }) => name), all = names): void {
  const asked = new Set(["0.0", "1.0", "1.3"]);
  for (const name of names) {
    const numbers = numbersOf(name);
    for (let length = 2; length <= numbers.length; length++) asked.add(numbers.slice(0, length).join("."));
    const last = numbers.at(-1)!;
    const parent = numbers.slice(0, -1).join(".");
    // Between two rows, behind them all, and below an instance.
    for (const beside of [`${parent}.${last + 1}`, `${parent}.4294967295`, `${name}.0`, `${name}.1`]) asked.add(beside);
  }
  for (const name of asked) {
    const expected = all.find((one) => compare(one, name) > 0);
    const { name: found, tag } = next(name);
    expect([name, found, tag === END_OF_MIB_VIEW]).toEqual([name, expected ?? name, expected === undefined]);
  }
}

describe("undefined objects", () => {
  /** Names with what stands in the place of their values. */
  const missing: [name: string, tag: number][] = [
    // No such scalar, column, table, MIB.
    [`${MIB_2}1.8.0`, NO_SUCH_OBJECT],
    [`${MIB_2}1.0.0`, NO_SUCH_OBJECT],
    [`${MIB_2}2.2.1.10.1`, NO_SUCH_OBJECT],
    [`${MIB_2}11.2.0`, NO_SUCH_OBJECT],
    [`${MIB_2}33.1.3.1.0`, NO_SUCH_OBJECT],
    [`${MIB_2}33.1.4.2.0`, NO_SUCH_OBJECT],
    [`${MIB_2}33.1.6.2.1.1.5`, NO_SUCH_OBJECT],
    [`${OURS}1.1.${Math.max(...TELEMETRY_TABLE.map(({ object }) => object)) + 1}.0`, NO_SUCH_OBJECT],
    [`${OURS}1.2.1.1.1`, NO_SUCH_OBJECT],
    [`${OURS}1.3.1.1.1`, NO_SUCH_OBJECT],
    [`${OURS}1.6.3.0`, NO_SUCH_OBJECT],
    [`${OURS}1.7.5.0`, NO_SUCH_OBJECT],
    [`${OURS}1.12.1.0`, NO_SUCH_OBJECT],
    // Only with several packs.
    [`${OURS}1.8.1.0`, NO_SUCH_INSTANCE],
    [`${OURS}1.9.1.11.1`, NO_SUCH_INSTANCE],
    [`${OURS}1.10.1.2.1.1`, NO_SUCH_INSTANCE],
    [`${OURS}1.11.1.2.1.1`, NO_SUCH_INSTANCE],
    ["1.3.6.1.6.3.1.1.4.1.0", NO_SUCH_OBJECT],
    // No such row.
    [`${MIB_2}2.2.1.1.0`, NO_SUCH_INSTANCE],
    [`${MIB_2}2.2.1.1.2`, NO_SUCH_INSTANCE],
    [`${MIB_2}33.1.4.4.1.2.0`, NO_SUCH_INSTANCE],
    [`${MIB_2}33.1.4.4.1.2.2`, NO_SUCH_INSTANCE],
    [`${MIB_2}33.1.6.2.1.2.0`, NO_SUCH_INSTANCE],
    [`${MIB_2}33.1.6.2.1.2.6`, NO_SUCH_INSTANCE],
    [`${MIB_2}33.1.6.2.1.2.25`, NO_SUCH_INSTANCE],
    [`${OURS}1.2.1.2.0`, NO_SUCH_INSTANCE],
    [`${OURS}1.2.1.2.17`, NO_SUCH_INSTANCE],
    [`${OURS}1.2.1.3.33`, NO_SUCH_INSTANCE],
    [`${OURS}1.3.1.2.0`, NO_SUCH_INSTANCE],
    [`${OURS}1.3.1.5.31`, NO_SUCH_INSTANCE],
  ];

  it.each(missing)("%s is reported as such", (name, tag) => {
    expect(get(name)).toEqual({ name, tag, value: undefined });
    expect(ask(name, GET, 0)).toMatchObject({ status: NO_SUCH_NAME, index: 1 });
  });

  it("are all other instances of a scalar, and an object without its instance", () => {
    const scalars = walk().filter(({ name }) => name.endsWith(".0"));
    expect(scalars.length).toBeGreaterThan(70);
    for (const { name } of scalars) {
      const object = name.slice(0, -2);
      for (const other of [`${object}.1`, `${object}.0.0`])
        expect([other, get(other).tag]).toEqual([other, NO_SUCH_INSTANCE]);
    }
  });

  it("are all names after the last one", () => {
    const last = walk().at(-1)!.name;
    expect(next(last)).toEqual({ name: last, tag: END_OF_MIB_VIEW, value: undefined });
    expect(ask(last, GET_NEXT, 0)).toMatchObject({ status: NO_SUCH_NAME, index: 1 });
  });
});

it("a value that its type cannot hold does not exist, and takes no other with it", () => {
  const voltage = `${OURS}1.1.${TELEMETRY_TABLE.find(({ path }) => path === "pack.voltage")!.object}.0`;
  const names = [voltage, `${MIB_2}1.5.0`];
  const { registers } = system.bms;
  const before = registers.read("BatVol");
  registers.write("BatVol", 0x8000_0000);
  run(5);
  const length = agent.answer(request(names, { pdu: GET, version: 1 }));
  const { status, bindings } = parse(agent.bytes.subarray(0, length));
  expect(status).toBe(0);
  expect(bindings.map(({ tag }) => tag)).toEqual([NO_SUCH_INSTANCE, TAGS.DisplayString]);
  registers.write("BatVol", before);
  run(5);
});

it("while the BMS is offline, only objects that do not need it exist", () => {
  system.bms.setOnline(false);
  run(15);
  expect(system.firmware.monitor.packs[0]?.online).toBe(false);
  const offline = [/^33\.1\.(1\.[1456]|2\.1|4\.[13]|6)\b/, /^(1|2|11)\./];
  const ours = [/^1\.1\.1\.0/, /^1\.3\.1\.[234]\./, /^1\.[4567]\./];
  const isThere = (name: string): boolean =>
    name.startsWith(MIB_2)
      ? offline.some((one) => one.test(name.slice(MIB_2.length)))
      : ours.some((one) => one.test(name.slice(OURS.length)));
  // Communications lost.
  const rows = { ...ROWS, [`${MIB_2}33.1.4.4.1.`]: [], [`${MIB_2}33.1.6.2.1.`]: [20], [`${OURS}1.2.1.`]: [] };
  expect(walk()).toEqual(instances(rows, isThere));
  system.bms.setOnline(true);
  run(15);
  expect(walk()).toEqual(instances(ROWS));
});

describe("several packs", () => {
  const lines = (addresses: readonly number[], numbers: readonly number[]): string[] =>
    addresses.flatMap((address) => numbers.map((number) => `${address}.${number}`));
  /** What is there without well-known alarms, of packs of which those at the addresses above 0 are online. */
  const rowsOf = (addresses: readonly number[], wellKnown: readonly number[]): Rows => ({
    ...ROWS,
    [`${MIB_2}33.1.6.2.1.`]: wellKnown,
    [`${OURS}1.9.1.`]: addresses,
    [`${OURS}1.10.1.`]: lines(
      addresses.filter((address) => address),
      CELLS,
    ),
    [`${OURS}1.11.1.`]: lines(addresses, ALARMS),
  });
  const ups = (name: string): unknown => get(`${MIB_2}33.1.${name}`).value;
  const bank = (object: number): unknown => get(`${OURS}1.8.${object}.0`).value;
  const pack = (column: number, address: number): unknown => get(`${OURS}1.9.1.${column}.${address}`).value;
  const further = (...addresses: number[]) => addresses.map((address) => ({ address, name: `Shelf ${address}` }));

  beforeAll(async () => {
    system.stop();
    // Not in their order.
    const packs = { first: "Top", further: further(3, 2) };
    await begin({ bank: { count: 3, timeFactor: 0, evolving: false }, board: { config: { settings: { packs } } } });
    run(30);
  });

  /** The protocols come with the second device information of each. */
  const isReadAtFirst = (name: string): boolean => !/^1\.(1\.4[0-2]\.0|9\.1\.5[0-2]\.)/.test(name.slice(OURS.length));

  it("have rows by their addresses, in the order of a walk", () => {
    const expected = instances(rowsOf([1, 2, 3], [2, 5, 8]), isReadAtFirst, true);
    expect(expected.length).toBeGreaterThan(700);
    expect(walk()).toEqual(expected);
    for (const { name, tag } of expected) expect(get(name)).toMatchObject({ name, tag });
  });

  it("are found from every name before their rows", () => {
    const all = walk().map(({ name }) => name);
    const some = /^1\.(8\.19|9\.1\.(2|45)|10\.1\.3|11\.1\.5)\./;
    checkSuccessors(
      all.filter((name) => some.test(name.slice(OURS.length))),
      all,
    );
    // Behind a pack that is not there comes the first cell of the next one, whatever number was given.
    expect(next(`${OURS}1.10.1.2.0.5`).name).toBe(`${OURS}1.10.1.2.1.1`);
  });

  it("have each its own values, and no rows beside", () => {
    system.bank!.packs.forEach(({ registers }, index) => registers.write("SOC", 10 * (index + 1)));
    run(5);
    const each = (column: number): unknown[] => [1, 2, 3].map((address) => pack(column, address));
    expect([each(2), each(16)]).toEqual([
      ["Top", "Shelf 2", "Shelf 3"],
      [10, 20, 30],
    ]);
    // A cell of every pack, by the pack's address and its own number.
    for (const address of [1, 2, 3]) {
      const { registers } = system.bank!.packs[address - 1]!;
      expect(get(`${OURS}1.10.1.2.${address}.7`).value).toBe(registers.read("CellVol", 6));
    }
    for (const name of ["9.1.2.0", "9.1.2.4", "9.1.2.1.0", "10.1.2.1", "10.1.2.1.0", "10.1.2.1.17", "10.1.2.1.63"])
      expect([name, get(`${OURS}1.${name}`).tag]).toEqual([name, NO_SUCH_INSTANCE]);
    for (const name of [
      "10.1.2.1.64",
      "10.1.2.1.65",
      "10.1.2.4294967295.1",
      "11.1.2.0.1",
      "11.1.2.1.31",
      "11.1.2.1.127",
    ])
      expect([name, get(`${OURS}1.${name}`).tag]).toEqual([name, NO_SUCH_INSTANCE]);
  });

  it("are one battery in the UPS MIB", () => {
    system.bank!.packs.forEach(({ registers }, index) => {
      registers.write("SOC", 30 * (index + 1));
      registers.write("BatVol", 52_000 + 100 * index);
      registers.write("BatCurrent", -10_000);
      registers.write("BatWatt", 520_000);
      registers.write("SOCCapRemain", 100_000);
      registers.write("TempBat1", 200 + 10 * index);
      registers.write("TempBat2", -50);
      registers.write("Alarms", 0);
    });
    run(5);
    expect(["2.1.0", "2.3.0", "2.4.0", "2.5.0", "2.6.0", "2.7.0"].map(ups)).toEqual([2, 600, 60, 521, -300, 22]);
    expect(["4.1.0", "4.4.1.2.1", "4.4.1.3.1", "4.4.1.4.1", "6.1.0"].map(ups)).toEqual([5, 52, 300, 1560, 1]);
    const values = [1, 2, 3, 4, 6, 7, 8, 9].map(bank);
    expect(values).toEqual([3, 3, 1, 600, 300_000, 52_100, -30_000, -156_000]);
    expect([18, 19].map(bank)).toEqual([220, 3]);
    // A charge and a discharge that are one at rest.
    system.bank!.packs[0]!.registers.write("BatCurrent", 20_000);
    run(5);
    expect(["2.2.0", "2.6.0", "4.1.0", "6.1.0"].map(ups)).toEqual([0, 0, 3, 0]);
  });

  it("have in the UPS MIB the faults of any, and are depleted only together", () => {
    const { packs } = system.bank!;
    packs[2]!.registers.write("Alarms", (1 << 8) | (1 << 11));
    run(5);
    expect([ups("2.1.0"), ups("6.2.1.2.4"), ups("6.2.1.2.5")]).not.toContain(undefined);
    expect([ups("2.1.0"), ups("6.1.0")]).toEqual([2, 2]);
    for (const { registers } of packs) registers.write("Alarms", 1 << 11);
    run(5);
    expect(ups("2.1.0")).toBe(4);
    for (const { registers } of packs) registers.write("Alarms", 0);
    run(5);
  });

  it("of which one does not answer are the others, without an estimate, while its alarms' names stay", () => {
    system.bank!.packs[0]!.registers.write("BatCurrent", -50_000);
    run(5);
    expect([ups("2.3.0"), ups("6.1.0")]).toEqual([expect.any(Number), 1]);
    expect(system.probes.configure("packs", { further: further(3, 2, 0) })).toBeUndefined();
    run(60);
    const minutes = /^33\.1\.2\.3\./;
    const ours = [
      /^1\.[1-8]\./,
      /^1\.9\.1\.(\d+\.[123]|(2|3|5|11)\.0)$/,
      /^1\.10\./,
      /^1\.11\.1\.(\d\.[123]|[234]\.0)\./,
    ];
    const isThere = (name: string): boolean =>
      name.startsWith(MIB_2)
        ? !minutes.test(name.slice(MIB_2.length))
        : isReadAtFirst(name) && ours.some((one) => one.test(name.slice(OURS.length)));
    expect(walk()).toEqual(instances(rowsOf([0, 1, 2, 3], [2, 20]), isThere, true));
    expect([bank(1), bank(2), bank(3), pack(11, 0)]).toEqual([4, 3, 2, 2]);
    expect([pack(5, 0), pack(5, 1)].map(String)).toEqual([
      expect.stringContaining("offline"),
      expect.not.stringContaining("offline"),
    ]);
    expect(get(`${OURS}1.7.2.0`).value).toContain("offline");
  });

  it("of which another one answers say so, in that pack's row alone", () => {
    expect([1, 2, 3].map((address) => pack(3, address))).toEqual([2, 2, 2]);
    system.bank!.packs[1]!.setOnline(false);
    run(60);
    const { clock, wire } = system.board;
    new SimulatedBms({ clock, wire: wire.join(), address: 2, serialNumber: "OTHER2", timeFactor: 0 });
    run(60);
    expect([1, 2, 3].map((address) => pack(3, address))).toEqual([2, 1, 2]);
  });

  it("are none once the settings have one", () => {
    system.probes.configure("packs", { further: [] });
    run(30);
    expect(walk().filter(({ name }) => OF_BANK.test(name.slice(OURS.length)))).toEqual([]);
    expect(ups("2.4.0")).toBe(30);
  });
});

/** Modbus TCP with SunSpec: what clients find and read, request by request, against the REST API. */
import { afterEach, describe, expect, it } from "vitest";
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { evccBlock, gosunspec, pysunspec2, refusal, type Value, type Values } from "../support/modbus/sunspec-clients";
import { System } from "../support/system/system";

let system: System;
let client: ModbusClient;
let port: number;

afterEach(() => {
  client.close();
  system.stop();
});

interface Summary {
  readonly soc: number | null;
  readonly voltage: number | null;
  readonly current: number | null;
  readonly power: number | null;
}
interface Bank extends Summary {
  readonly packs: number;
  readonly online: number;
  readonly capacityAh: number;
  readonly remainingCapacityAh: number;
  readonly minCell: { readonly pack: number; readonly cell: number; readonly voltage: number };
  readonly maxCell: { readonly pack: number; readonly cell: number; readonly voltage: number };
  readonly maxTemperature: { readonly temperature: number };
}
interface Pack extends Summary {
  readonly address: number;
  readonly online: boolean;
  readonly concerns: readonly string[];
  readonly minVoltage: number | null;
  readonly maxVoltage: number | null;
  readonly alarmCode: number | null;
}
interface Status {
  readonly online: boolean;
  readonly soc: number;
  readonly capacityAh: number;
  readonly remainingCapacityAh: number;
  readonly cycles: number;
  readonly stateOfHealth: number;
  readonly alarmCode: number;
  readonly averageCellVoltage: number;
  readonly pack: { readonly voltage: number; readonly current: number; readonly power: number };
  readonly cells: readonly { readonly voltage: number }[];
  readonly cellsSummary: Readonly<Record<"minVoltage" | "minCell" | "maxVoltage" | "maxCell" | "delta", number>>;
  readonly temperatures: Readonly<Record<string, number | null>>;
  readonly info: { readonly serialNumber: string };
}

const probes = ({ temperatures }: Status): number[] =>
  Object.entries(temperatures).flatMap(([name, value]) =>
    name.startsWith("battery") && value !== null ? [value] : [],
  );

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

type Settings = { [Name in GroupName]?: Partial<SettingsGroups[Name]> };

async function start(count: number, settings: Settings = {}, prepare?: (from: System["board"]) => void): Promise<void> {
  port = await freePort();
  const further = range(count)
    .slice(1)
    .map((address) => ({ address, name: `Pack ${address}` }));
  system = await System.start({
    bank: { count, timeFactor: 0 },
    board: {
      config: { settings: { modbus: { enabled: true, port }, packs: { first: "Pack 1", further }, ...settings } },
    },
    ...(prepare && { prepare }),
  });
  client = await ModbusClient.open(port);
}

async function data<Document>(path: string): Promise<Document> {
  return ((await system.get(path)).json as { data: Document }).data;
}

const statusOf = (count: number, address: number): Promise<Status> =>
  data(count === 1 ? "/api/bms/status" : `/api/packs/${address}/status`);

/** Several polls, but less than the idle timeout of a connection, ms. */
const LEAP = 1_000;

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let leaps = 0; !(await condition()); leaps++) {
    if (leaps > 300) throw new Error(`never: ${what}`);
    system.skip(LEAP);
    await system.keepUp();
  }
}

async function untilAllRead(count: number): Promise<void> {
  await system.untilLoaded();
  if (count === 1) return;
  await until("each pack is read", async () => {
    const { packs } = await data<{ packs: readonly Pack[] }>("/api/packs");
    return packs.every(({ online, concerns }) => online && !concerns.includes("settings-unread"));
  });
}

/** A number of the REST API in the model's unit: half of it off at the most, and a little for the arithmetic. */
const near = (unit: number, expected: number): unknown => expect.closeTo(expected, -Math.log10(unit * 1.01));
const minus = (value: number): number => 0 - value;

/** Watts: units of 1 for one pack, of 10 for several. */
const expectWatts = (shown: Value, power: number, count: number): void =>
  expect(Math.abs((shown as number) + power)).toBeLessThanOrEqual(count > 1 ? 5 : 0.5);

describe.each([1, 4, 15])("of %i packs", (count) => {
  it("pysunspec2 finds the bank, with the values of the API", async () => {
    await start(count);
    await untilAllRead(count);
    await system.whileTimeStands(async () => {
      const models = await pysunspec2(client, 1);
      expect(models.map(({ id, register }) => [id, register])).toEqual([
        [1, 40_002],
        [802, 40_070],
        [713, 40_134],
        [714, 40_143],
        [803, 40_163],
      ]);
      const [common, battery, capacity, current, strings] = models.map(({ values }) => values) as [
        Values,
        Values,
        Values,
        Values,
        Values,
      ];
      const first = await statusOf(count, 1);
      const bank: Summary =
        count > 1 ? (await data<{ bank: Bank }>("/api/packs")).bank : { soc: first.soc, ...first.pack };
      const { soc, voltage, current: amperes, power } = bank as Readonly<Record<keyof Summary, number>>;
      expect(common).toMatchObject({ Mn: "jk-bms-monitor", Md: "JK_PB2A16S20P", SN: "02:00:5E:10:00:01", DA: 1 });
      expect(battery).toMatchObject({
        ...{ SoC: soc, V: near(0.01, voltage), A: near(0.1, minus(amperes)), DoD: near(0.1, 100 - soc) },
        ...{
          SoCMin: 0,
          SoCMax: 100,
          SoCRsvMin: 0,
          LocRemCtl: 1,
          AlmRst: 0,
          Typ: 4,
          State: 3,
          SetOp: 1,
          Evt1: 0,
          Evt2: 0,
        },
        ...{ EvtVnd1: first.alarmCode, SoH: first.stateOfHealth, NCyc: first.cycles, ChaSt: 4 },
        AHRtg: count * 280,
        WHRtg: Math.round((count * 280 * 51.2) / (count > 1 ? 100 : 10)) * (count > 1 ? 100 : 10),
        SetInvState: undefined,
      });
      expectWatts(battery["W"], power, count);
      // What charges is positive in the API, and negative here.
      expect([Math.sign(power), Math.sign(battery["W"] as number), Math.sign(battery["A"] as number)]).toEqual([
        1, -1, -1,
      ]);
      expect(capacity).toMatchObject({ SoC: soc, SoH: first.stateOfHealth, Sta: 0, WHRtg: battery["WHRtg"] });
      expect(current).toMatchObject({ NPrt: 0, DCA: battery["A"], DCW: battery["W"] });
      expect([current["DCWhAbs"], current["DCWhInj"]]).toEqual([0, 0]);
      expect(strings).toMatchObject({ NStr: count, NStrCon: count, StrVAvg: battery["V"] });
      const { repeated } = models.at(-1) as (typeof models)[number];
      expect(repeated).toHaveLength(count);
      for (const [index, string] of repeated.entries()) {
        const status = await statusOf(count, index + 1);
        expect(string).toMatchObject({
          ...{ StrNMod: 1, StrSt: 3, StrConSt: 3, StrSoC: status.soc, StrSoH: status.stateOfHealth },
          StrA: near(0.1, minus(status.pack.current)),
          StrCellVMax: status.cellsSummary.maxVoltage,
          StrCellVMin: status.cellsSummary.minVoltage,
          StrCellVAvg: status.averageCellVoltage,
          StrModTmpMax: Math.max(...probes(status)),
          StrModTmpMin: Math.min(...probes(status)),
          StrEvt1: 0,
          StrEvtVnd1: status.alarmCode,
        });
      }
      if (count === 1) return;
      const { minCell, maxCell, remainingCapacityAh } = bank as Bank;
      expect(battery).toMatchObject({
        ...{
          CellVMin: minCell.voltage,
          CellVMinStr: minCell.pack,
          CellVMax: maxCell.voltage,
          CellVMaxStr: maxCell.pack,
        },
      });
      expect(capacity["WHAvail"]).toBe(Math.round((remainingCapacityAh * 51.2) / 100) * 100);
    });
  });

  it("evcc reads power and charge of the bank, and each unit says the same", async () => {
    await start(count);
    await untilAllRead(count);
    await system.whileTimeStands(async () => {
      const block = await evccBlock(client, 1, 802);
      expect(client.reads.at(-1)).toEqual([40_072, 62]);
      for (const unit of [0, 126, 255])
        expect(await client.read(unit, 40_072, 62, 4)).toEqual(await client.read(1, 40_072, 62));
      const { soc, pack } = await statusOf(count, 1);
      if (count === 1) expectWatts(block["W"], pack.power, 1);
      expect(block["SoC"]).toBe(count > 1 ? (await data<{ bank: Bank }>("/api/packs")).bank.soc : soc);
      // Its battery control.
      expect(await client.ask(1, [6, 0x9c, 0x90, 0, 20])).toEqual(Buffer.of(0x86, 1));
      const device = await data<{ modbus?: { writes: number; clients: string[] } }>("/api");
      expect(device.modbus).toBeUndefined();
    });
  });

  it("each pack has a unit, by its address", async () => {
    await start(count);
    await untilAllRead(count);
    await system.whileTimeStands(async () => {
      for (const address of new Set([1, Math.ceil(count / 2), count])) {
        const models = await pysunspec2(client, 100 + address);
        const [common, battery, string, module] = models.map(({ values }) => values);
        expect(models.map(({ id }) => id)).toEqual([1, 802, 804, 805]);
        const status = await statusOf(count, address);
        const { voltage, current, power } = status.pack;
        const shared = {
          ...{ SoC: status.soc, SoH: status.stateOfHealth, NCyc: status.cycles, V: near(0.01, voltage) },
          ...{ CellVMax: status.cellsSummary.maxVoltage, CellVMin: status.cellsSummary.minVoltage },
        };
        expect(common).toMatchObject({ SN: `02:00:5E:10:00:01-${address}`, DA: 100 + address });
        expect(battery).toMatchObject({ ...shared, AHRtg: status.capacityAh, A: near(0.1, minus(current)) });
        expectWatts(battery?.["W"], power, 1);
        expect(string).toMatchObject({ ...shared, Idx: address, NMod: 1, St: 3, A: near(0.1, minus(current)) });
        expect(models[2]?.repeated).toMatchObject([
          {
            ...{ ModNCell: 16, ModSoC: status.soc, ModCellVMaxCell: status.cellsSummary.maxCell },
            ModCellVMinCell: status.cellsSummary.minCell,
          },
        ]);
        expect(module).toMatchObject({
          ...shared,
          StrIdx: address,
          ModIdx: 1,
          NCell: 16,
          SN: status.info.serialNumber,
        });
        expect(models[3]?.repeated.map(({ CellV }) => CellV)).toEqual([
          ...status.cells.map((cell) => cell.voltage),
          ...Array<undefined>(8).fill(undefined),
        ]);
        // The own block, with the API's signs.
        const own = await client.read(100 + address, 1_000, 40);
        const numbers = range(20).map((index) => own.readInt32BE(4 * index - 4));
        expect(numbers.slice(0, 6)).toEqual(
          [
            10 * status.soc,
            1e3 * voltage,
            1e3 * current,
            100 * power,
            1e3 * status.remainingCapacityAh,
            1e3 * status.capacityAh,
          ].map(Math.round),
        );
      }
      expect(await refusal(client.read(101 + count, 40_000, 2))).toBe(11);
    });
  });

  it("while nothing is known, before the first reply and when it is silent, its data are refused and the rest is there", async () => {
    await start(count);
    const lengths = await gosunspec(client, 1);
    expect(lengths.get(803)).toEqual([40_163, 26 + 32 * count]);
    const refusedData = async (): Promise<number[]> => [
      await refusal(client.read(1, 40_072, 62)),
      await refusal(client.read(1, 40_081, 1)),
      await refusal(client.read(1, 40_136, 7)),
      await refusal(client.read(1, 40_145, 18)),
      await refusal(client.read(1, 40_165, 26)),
      await refusal(client.read(100 + count, 40_072, 62)),
      await refusal(client.read(100 + count, 40_136, 62)),
      await refusal(client.read(100 + count, 40_200, 10)),
    ];
    const ELEVEN = Array<number>(8).fill(11);
    // Time stands until the first poll.
    await system.whileTimeStands(async () => expect(await refusedData()).toEqual(ELEVEN));
    await untilAllRead(count);
    for (const pack of system.bank?.packs ?? []) pack.setOnline(false);
    await until("all are silent", async () => (await client.read(1, 1_034, 2)).readInt32BE(0) === 0);
    expect(await refusedData()).toEqual(ELEVEN);
    expect(await gosunspec(client, 1)).toEqual(lengths);
    const own = await client.read(1, 1_000, 40);
    expect(range(16).map((index) => own.readUInt32BE(4 * index - 4))).toEqual(Array(16).fill(0x8000_0000));
    expect(own.readInt32BE(64)).toBe(count);
    expect((await client.read(1, 40_002, 68)).readUInt16BE(0)).toBe(1);
    await expect(evccBlock(client, 1, 802)).rejects.toThrow("exception 11");
  });
});

it("the energy of 714 and of the own block is that of the API", async () => {
  await start(1);
  await untilAllRead(1);
  // Stored, and so published, every 15 minutes.
  for (let minute = 0; minute < 33; minute++) system.skip(60_000);
  client.close();
  client = await ModbusClient.open(port);
  const { total } = await data<{ total: { charged: number; discharged: number } }>("/api/energy");
  expect(total.charged).toBeGreaterThan(0.1);
  const { DCWhAbs, DCWhInj } = await evccBlock(client, 1, 714);
  expect([DCWhAbs, DCWhInj]).toEqual([Math.round(1e3 * total.charged), Math.round(1e3 * total.discharged)]);
  const own = await client.read(1, 1_036, 4);
  expect([own.readInt32BE(0), own.readInt32BE(4)]).toEqual([DCWhAbs, DCWhInj]);
});

it("of a bank with a silent pack the values are the others', as in the API, and an event says so", async () => {
  await start(4);
  await untilAllRead(4);
  system.bank?.packs[2]?.setOnline(false);
  await until("one is silent", async () => (await client.read(1, 1_034, 2)).readInt32BE(0) === 3);
  await system.whileTimeStands(async () => {
    const models = await pysunspec2(client, 1);
    const { bank, packs } = await data<{ bank: Bank; packs: readonly Pack[] }>("/api/packs");
    expect(packs.map(({ online }) => online)).toEqual([true, true, false, true]);
    expect(models[1]?.values).toMatchObject({ SoC: bank.soc, AHRtg: bank.capacityAh, Evt1: 1, State: 3 });
    expectWatts(models[1]?.values["W"], bank.power ?? NaN, 4);
    expect(models[4]?.values).toMatchObject({ NStr: 4, NStrCon: 3 });
    const silent = {
      StrSt: 0,
      StrEvt1: 1,
      StrSoC: undefined,
      StrA: undefined,
      StrCellVMax: undefined,
      StrModTmpMax: undefined,
    };
    expect(models[4]?.repeated.map(({ StrSt }) => StrSt)).toEqual([3, 3, 0, 3]);
    expect(models[4]?.repeated[2]).toMatchObject(silent);
    expect(await refusal(client.read(103, 40_072, 62))).toBe(11);
    expect((await client.read(104, 40_072, 62)).length).toBe(124);
  });
});

it("pieces of a model are of one moment, for each client its own", async () => {
  await start(15);
  await untilAllRead(15);
  const other = await ModbusClient.open(port);
  const amperes = (words: Buffer, string: number, from: number): number =>
    Math.abs(words.readInt16BE(2 * (28 + 32 * string + 6 - from)));
  const setCurrents = (current: number): void => {
    for (const { pack } of system.bank?.packs ?? []) pack.current = current;
  };
  const untilAmperes = (current: number): Promise<void> =>
    until(`${current} A`, async () => (await other.read(1, 1_004, 2)).readInt32BE(0) === 15_000 * current);
  setCurrents(30);
  await untilAmperes(30);
  const begun = await client.read(1, 40_163, 125);
  await system.whileTimeStands(async () => {
    expect([amperes(begun, 0, 0), amperes(await client.read(1, 40_288, 125), 4, 125)]).toEqual([300, 300]);
  });
  // Within the time of a snapshot: the pieces are those of its beginning, for the client that began.
  const again = await client.read(1, 40_163, 125);
  setCurrents(10);
  system.skip(4_000);
  const [rest, others] = [await client.read(1, 40_288, 125), await other.read(1, 40_288, 125)];
  expect([amperes(again, 0, 0), amperes(rest, 4, 125), amperes(others, 4, 125)]).toEqual([300, 300, 100]);
  // From its beginning it is of now.
  expect(amperes(await client.read(1, 40_163, 125), 0, 0)).toBe(100);
  // And later than the snapshot lasts what follows is, too.
  setCurrents(20);
  await untilAmperes(20);
  system.skip(6_000);
  expect(amperes(await client.read(1, 40_288, 125), 4, 125)).toBe(200);
  other.close();
});

it("without probes and with an unknown chemistry, these alone are not implemented", async () => {
  await start(1);
  await untilAllRead(1);
  const { pack } = system.bms;
  pack.sensors = 0;
  await until("the probes are gone", async () => (await client.read(1, 1_024, 2)).readInt32BE(0) === -0x8000_0000);
  const [, battery, , , strings] = await pysunspec2(client, 1);
  expect(strings?.values).toMatchObject({ ModTmpMax: undefined, ModTmpMin: undefined });
  expect(battery?.values["SoC"]).toBe(55);
});

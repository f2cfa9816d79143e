/** Modbus TCP with SunSpec: what clients find and read, request by request, against the REST API. */
import { afterEach, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import { ALARM } from "../../src/conditions/rows";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import {
  alone,
  type Bank,
  type Energy,
  expectedOfBank,
  expectedOfPack,
  expectedString,
  near,
  probes,
  type Status,
} from "../support/modbus/expected";
import { evccBlock, gosunspec, pysunspec2, pysunspec2Scan, refusal } from "../support/modbus/sunspec-clients";
import { sampled } from "../support/property";
import { System } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "correct horse";

let system: System;
let client: ModbusClient;
let port: number;

afterEach(() => {
  client.close();
  system.stop();
});

interface Packs {
  readonly bank: Bank;
  readonly packs: readonly { readonly online: boolean; readonly concerns: readonly string[] }[];
}

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

async function statusOf(count: number, address: number): Promise<Status> {
  const status = await data<Status>(count === 1 ? "/api/bms/status" : `/api/packs/${address}/status`);
  // The API has to say 0 of a probe that is absent.
  return system.bank?.packs[address - 1]?.pack.sensors ? status : { ...status, temperatures: {} };
}

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
    const { packs } = await data<Packs>("/api/packs");
    return packs.every(({ online, concerns }) => online && !concerns.includes("settings-unread"));
  });
}

/** What the API says of the bank and of each pack; undefined of one that is silent. */
async function known(count: number, silent?: number): Promise<[Bank, (Status | undefined)[]]> {
  const statuses: (Status | undefined)[] = [];
  for (const address of range(count)) statuses.push(address === silent ? undefined : await statusOf(count, address));
  if (count > 1) return [(await data<Packs>("/api/packs")).bank, statuses];
  return [alone(statuses[0] as Status, 1), statuses];
}

/** Answered in steps, so not while time stands; it changes every 15 minutes. */
const energyNow = async (): Promise<Energy> => (await data<{ total: Energy }>("/api/energy")).total;

/** pysunspec2 finds the whole bank, each point as it must be. */
async function expectBank(count: number, energy: Energy, silent?: number): Promise<void> {
  const models = await pysunspec2(client, 1);
  expect(models.map(({ id, register }) => [id, register])).toEqual([
    [1, 40_002],
    [802, 40_070],
    [713, 40_134],
    [714, 40_143],
    [803, 40_163],
  ]);
  const [bank, statuses] = await known(count, silent);
  expect(models.slice(1).map(({ values }) => values)).toEqual(expectedOfBank(bank, statuses, energy));
  expect(models.at(-1)?.repeated).toEqual(statuses.map(expectedString));
}

/** And a pack's unit. */
async function expectPack(count: number, address: number): Promise<void> {
  const models = await pysunspec2(client, 100 + address);
  expect(models.map(({ id }) => id)).toEqual([1, 802, 804, 805]);
  const expected = expectedOfPack(await statusOf(count, address), address);
  expect(models.slice(1).map(({ values, repeated }) => ({ values, repeated }))).toEqual(expected);
}

/** The first, a middle and the last. */
const some = (count: number): number[] => [...new Set([1, Math.ceil(count / 2), count])];

describe.each(sampled([1, 4, 15], 2))("of %i packs", (count) => {
  it("pysunspec2 finds the bank, with the values of the API", async () => {
    await start(count);
    await untilAllRead(count);
    const energy = await energyNow();
    await system.whileTimeStands(async () => {
      await expectBank(count, energy);
      const [common, battery] = await pysunspec2(client, 1);
      // As pysunspec2 itself asks for 803.
      if (count === 4)
        expect(client.reads.slice(-2)).toEqual([
          [40_163, 123],
          [40_286, 33],
        ]);
      expect(common?.values).toEqual({
        ...{ ID: 1, L: 66, Mn: "jk-bms-monitor", Md: "JK_PB2A16S20P", Opt: "", SN: "02:00:5E:10:00:01", DA: 1 },
        Vr: (await data<{ device: { version: string } }>("/api")).device.version,
      });
      // What charges is positive in the API, and negative here.
      const [{ power }] = await known(count);
      const { A, W } = battery?.values ?? {};
      expect([power, A as number, W as number].map(Math.sign)).toEqual([1, -1, -1]);
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
      const [{ soc, power }] = await known(count);
      expect([block["SoC"], block["W"]]).toEqual([soc, near(count > 1 ? 10 : 1, -power)]);
      expect(block["SoCRsvMin"]).toBe(0);
      // Its battery control, of 20 %: it has applied the scale factor.
      expect(await client.ask(1, [6, 0x9c, 0x90, 0, 0xc8])).toEqual(Buffer.of(0x86, 1));
    });
  });

  it("each pack has a unit, by its address", async () => {
    await start(count);
    await untilAllRead(count);
    await system.whileTimeStands(async () => {
      for (const address of some(count)) {
        await expectPack(count, address);
        const [common] = await pysunspec2(client, 100 + address);
        expect(common?.values).toMatchObject({ SN: `02:00:5E:10:00:01-${address}`, DA: 100 + address });
        const status = await statusOf(count, address);
        const { voltage, current, power } = status.pack;
        // The own block, with the API's signs.
        const own = await client.read(100 + address, 1_000, 40);
        const numbers = range(20).map((index) => own.readInt32BE(4 * index - 4));
        const { minVoltage, maxVoltage, delta } = status.cellsSummary;
        expect(numbers).toEqual([
          ...[10 * status.soc, 1e3 * voltage, 1e3 * current, 100 * power].map(Math.round),
          ...[1e3 * status.remainingCapacityAh, 1e3 * status.capacityAh].map(Math.round),
          ...[status.stateOfHealth, status.cycles],
          ...[1e3 * minVoltage, 1e3 * maxVoltage, 1e3 * delta].map(Math.round),
          ...[10 * Math.min(...probes(status)), 10 * Math.max(...probes(status))].map(Math.round),
          ...[status.alarmCode, 1, 1, 1, 1, ...(count > 1 ? [-0x8000_0000, -0x8000_0000] : [0, 0])],
        ]);
      }
      expect(await refusal(client.read(101 + count, 40_000, 2))).toBe(11);
    });
  });

  it("the bank's own block is the API's, while it charges and while it discharges", async () => {
    await start(count);
    await untilAllRead(count);
    for (const current of [20, -20]) {
      for (const { pack } of system.bank?.packs ?? []) pack.current = current;
      await until(
        `${current} A`,
        async () => (await client.read(1, 1_004, 2)).readInt32BE(0) === 1e3 * current * count,
      );
      const { charged, discharged } = await energyNow();
      await system.whileTimeStands(async () => {
        const [bank, found] = await known(count);
        const statuses = found.filter((status) => status !== undefined);
        const span = statuses.flatMap(probes);
        const own = await client.read(1, 1_000, 40);
        expect(range(20).map((index) => own.readInt32BE(4 * index - 4))).toEqual([
          ...[10 * bank.soc, 1e3 * bank.voltage, 1e3 * bank.current, 100 * bank.power].map(Math.round),
          ...[1e3 * bank.remainingCapacityAh, 1e3 * bank.capacityAh].map(Math.round),
          Math.min(...statuses.map(({ stateOfHealth }) => stateOfHealth)),
          Math.max(...statuses.map(({ cycles }) => cycles)),
          ...[1e3 * bank.minCell.voltage, 1e3 * bank.maxCell.voltage].map(Math.round),
          Math.round(1e3 * Math.max(...statuses.map(({ cellsSummary }) => cellsSummary.delta))),
          ...[10 * Math.min(...span), 10 * Math.max(...span)].map(Math.round),
          ...[0, 1, 1, count, count, Math.round(1e3 * charged), Math.round(1e3 * discharged)],
        ]);
        expect([Math.sign(bank.current), Math.sign(bank.power)]).toEqual([Math.sign(current), Math.sign(current)]);
        // Positive while it discharges.
        const { A, W, ChaSt } = await evccBlock(client, 1, 802);
        expect([A, W]).toEqual([near(0.1, -bank.current), near(count > 1 ? 10 : 1, -bank.power)]);
        expect(ChaSt).toBe(current > 0 ? 4 : 3);
      });
    }
  });

  it("while nothing is known, before the first reply and when it is silent, its data are refused and the rest is there", async () => {
    await start(count);
    const lengths = await gosunspec(client, 1);
    const scanned = async (): Promise<unknown> => {
      const [bank, pack] = [await pysunspec2Scan(client, 1), await pysunspec2Scan(client, 100 + count)];
      await expect(pysunspec2(client, 1)).rejects.toThrow("exception 11");
      expect(bank.map(({ id, register, length }) => [id, [register, length]])).toEqual([...lengths]);
      return [bank, pack].map((models) => models.map(({ id }) => id));
    };
    const FOUND = [
      [1, 802, 713, 714, 803],
      [1, 802, 804, 805],
    ];
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
    await system.whileTimeStands(async () => {
      expect(await refusedData()).toEqual(ELEVEN);
      expect(await scanned()).toEqual(FOUND);
    });
    await untilAllRead(count);
    for (const pack of system.bank?.packs ?? []) pack.setOnline(false);
    await until("all are silent", async () => (await client.read(1, 1_034, 2)).readInt32BE(0) === 0);
    expect(await refusedData()).toEqual(ELEVEN);
    expect(await gosunspec(client, 1)).toEqual(lengths);
    expect(await scanned()).toEqual(FOUND);
    const own = await client.read(1, 1_000, 40);
    expect(range(16).map((index) => own.readUInt32BE(4 * index - 4))).toEqual(Array(16).fill(0x8000_0000));
    expect(own.readInt32BE(64)).toBe(count);
    expect((await client.read(1, 40_002, 68)).readUInt16BE(0)).toBe(1);
    await expect(evccBlock(client, 1, 802)).rejects.toThrow("exception 11");
  });
});

it("GET /web/device tells requests, refused writes and clients turned away", async () => {
  await start(1, { web: { password: hashPassword(PASSWORD, 2) } });
  const web = new WebClient(system);
  await web.signIn(PASSWORD);
  const told = async (): Promise<unknown> =>
    ((await web.get("/web/device")).json as { data: { modbus: unknown } }).data.modbus;
  const none = { running: true, clients: ["127.0.0.1"], requests: 0, writes: 0, refused: 0, age: null };
  expect(await told()).toEqual(none);
  // Not in the subnet.
  await (await ModbusClient.open(port, { from: "127.0.1.1" })).untilClosed();
  await client.read(1, 40_000, 2);
  await client.ask(1, [6, 0x9c, 0x90, 0, 0xc8]);
  expect(await told()).toEqual({ ...none, requests: 2, writes: 1, refused: 1, age: expect.any(Number) as unknown });
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

describe.each([4, 15])("of %i packs", (count) => {
  it.each(some(count))(
    "with number %i silent the values are the others', as in the API, and an event says so",
    async (silent) => {
      await start(count);
      await untilAllRead(count);
      system.bank?.packs[silent - 1]?.setOnline(false);
      await until("one is silent", async () => (await client.read(1, 1_034, 2)).readInt32BE(0) === count - 1);
      const energy = await energyNow();
      await system.whileTimeStands(async () => {
        const { packs } = await data<Packs>("/api/packs");
        expect(packs.map(({ online }) => online)).toEqual(range(count).map((address) => address !== silent));
        await expectBank(count, energy, silent);
        expect((await evccBlock(client, 1, 802))["Evt1"]).toBe(1);
        expect(await refusal(client.read(100 + silent, 40_072, 62))).toBe(11);
        await expectPack(count, silent === count ? 1 : silent + 1);
      });
    },
  );
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

it.each(sampled([1, 4, 15], 2))(
  "of %i packs without probes, their temperatures alone are not implemented",
  async (count) => {
    await start(count);
    await untilAllRead(count);
    for (const { pack } of system.bank?.packs ?? []) pack.sensors = 0;
    await until("the probes are gone", async () => (await client.read(1, 1_024, 2)).readInt32BE(0) === -0x8000_0000);
    for (const address of range(count))
      await until(
        "their alarm is",
        async () => (await client.read(100 + address, 40_102, 2)).readUInt32BE(0) === (ALARM as unknown as number),
      );
    const energy = await energyNow();
    await system.whileTimeStands(async () => {
      await expectBank(count, energy);
      for (const address of some(count)) await expectPack(count, address);
    });
  },
);

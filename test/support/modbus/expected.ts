/** What SunSpec's models must say, point by point, of what the REST API says: written from the models' definitions and docs/modbus.md. */
import { expect } from "vitest";
import { ALARM, OFFLINE } from "../../../src/conditions/rows";
import type { Values } from "./sunspec-clients";

/** GET /api/bms/status, or of a pack. */
export interface Status {
  readonly model: string;
  readonly cellCount: number;
  readonly soc: number;
  readonly capacityAh: number;
  readonly remainingCapacityAh: number;
  readonly cycles: number;
  readonly stateOfHealth: number;
  readonly alarmCode: number;
  readonly averageCellVoltage: number;
  readonly pack: {
    readonly voltage: number;
    readonly current: number;
    readonly power: number;
    readonly chargeMosfet: boolean;
    readonly dischargeMosfet: boolean;
    readonly maxChargeCurrent: number;
    readonly maxDischargeCurrent: number;
  };
  readonly cells: readonly { readonly voltage: number }[];
  readonly cellsSummary: Readonly<Record<"minVoltage" | "minCell" | "maxVoltage" | "maxCell" | "delta", number>>;
  readonly temperatures: Readonly<Record<string, number | null>>;
  readonly info: { readonly serialNumber: string };
}

/** The bank of GET /api/packs. */
export interface Bank {
  readonly packs: number;
  readonly online: number;
  readonly soc: number;
  readonly voltage: number;
  readonly current: number;
  readonly power: number;
  readonly capacityAh: number;
  readonly remainingCapacityAh: number;
  readonly minCell: { readonly pack: number; readonly cell: number; readonly voltage: number };
  readonly maxCell: { readonly pack: number; readonly cell: number; readonly voltage: number };
}

/** The totals of GET /api/energy, kWh. */
export interface Energy {
  readonly charged: number;
  readonly discharged: number;
}

/** LiFePO4, as all simulated packs are. */
const NOMINAL = 3.2;

/** A number in steps of `unit`: half of it off at the most, and a little for the arithmetic. */
export const near = (unit: number, expected: number): unknown => expect.closeTo(expected, -Math.log10(unit * 1.01));
const minus = (value: number): number => 0 - value;
const sum = (all: readonly number[]): number => all.reduce((before, value) => before + value, 0);
const least = (all: readonly number[]): number | undefined => (all.length ? Math.min(...all) : undefined);
const most = (all: readonly number[]): number | undefined => (all.length ? Math.max(...all) : undefined);

export const probes = ({ temperatures }: Status): number[] =>
  Object.entries(temperatures).flatMap(([name, value]) =>
    name.startsWith("battery") && value !== null ? [value] : [],
  );

/** One pack as the bank: of a unit of its own, or the only one. */
export const alone = (status: Status, place: number): Bank => {
  const { cellsSummary } = status;
  return {
    ...{ packs: 1, online: 1, soc: status.soc, ...status.pack },
    ...{ capacityAh: status.capacityAh, remainingCapacityAh: status.remainingCapacityAh },
    minCell: { pack: place, cell: cellsSummary.minCell, voltage: cellsSummary.minVoltage },
    maxCell: { pack: place, cell: cellsSummary.maxCell, voltage: cellsSummary.maxVoltage },
  };
};

const contactors = ({ pack }: Status): number => (pack.chargeMosfet ? 1 : 0) + (pack.dischargeMosfet ? 2 : 0);
/** The alarm of packs whose probes are absent, and its event: another alarm. */
const SENSOR = 1 << 22;
const OTHER_ALARM = 1 << 25;
const alarmsOf = (online: readonly Status[]): number => online.reduce((bits, { alarmCode }) => bits | alarmCode, 0);
/** Of conditions only the alarm, which is found with it. */
const wordOf = (online: readonly Status[]): number => (alarmsOf(online) & SENSOR ? (ALARM as unknown as number) : 0);
const eventsOf = (online: readonly Status[]): number => (alarmsOf(online) & SENSOR ? OTHER_ALARM : 0);

const wattHours = ({ cellCount }: Status, ampereHours: number): number => ampereHours * cellCount * NOMINAL;

/** What the points of several models that are named alike say. */
interface Parts {
  readonly bank: Bank;
  /** Of the packs that are online, all charging, without an alarm but that of absent probes. */
  readonly online: readonly Status[];
  readonly watts: unknown;
  readonly wattHours: (ofPack: (status: Status) => number) => unknown;
}

function partsOf(bank: Bank, online: readonly Status[]): Parts {
  const isSeveral = bank.packs > 1;
  const tens = isSeveral ? 100 : 10;
  return {
    ...{ bank, online, watts: near(isSeveral ? 10 : 1, minus(bank.power)) },
    wattHours: (ofPack) => near(tens, sum(online.map((status) => wattHours(status, ofPack(status))))),
  };
}

/** The models of the bank behind the first: what pysunspec2 finds, all points. `statuses`: of each pack, undefined of a silent one. */
export function expectedOfBank(
  bank: Bank,
  statuses: readonly (Status | undefined)[],
  { charged, discharged }: Energy,
): Values[] {
  const online = statuses.filter((status) => status !== undefined);
  const { watts, wattHours: energy } = partsOf(bank, online);
  const isSeveral = bank.packs > 1;
  const span = online.flatMap(probes);
  const WHRtg = energy(({ capacityAh }) => capacityAh);
  return [
    expected802(bank, online),
    {
      ...{ ID: 713, L: 7, WHRtg, WHAvail: energy(({ remainingCapacityAh }) => remainingCapacityAh) },
      ...{ SoC: bank.soc, SoH: least(online.map(({ stateOfHealth }) => stateOfHealth)), Sta: alarmsOf(online) ? 1 : 0 },
      ...{ WH_SF: isSeveral ? 2 : 1, Pct_SF: -1 },
    },
    {
      ...{ ID: 714, L: 18, PrtAlrms: 0, NPrt: 0, DCA: near(0.1, minus(bank.current)), DCW: watts },
      ...{
        DCWhInj: Math.round(1e3 * discharged),
        DCWhAbs: Math.round(1e3 * charged),
        DCA_SF: -1,
        DCW_SF: isSeveral ? 1 : 0,
        DCWH_SF: 0,
      },
    },
    {
      ...{ ID: 803, L: 26 + 32 * statuses.length, NStr: statuses.length, NStrCon: online.length },
      ...{ ModTmpMax: most(span), ModTmpMin: least(span), StrVAvg: near(0.01, bank.voltage) },
      ...{ CellV_SF: -3, ModTmp_SF: -1, A_SF: -1, SoH_SF: 0, SoC_SF: -1, V_SF: -2 },
    },
  ] as unknown as Values[];
}

function expected802(bank: Bank, online: readonly Status[]): unknown {
  const { watts, wattHours: energy } = partsOf(bank, online);
  const isSeveral = bank.packs > 1;
  const rate = (ofPack: (pack: Status["pack"]) => number): unknown =>
    near(isSeveral ? 10 : 1, sum(online.map((status) => wattHours(status, ofPack(status.pack)))));
  return {
    ...{ ID: 802, L: 62, AHRtg: bank.capacityAh, WHRtg: energy(({ capacityAh }) => capacityAh) },
    WChaRteMax: rate(({ maxChargeCurrent }) => maxChargeCurrent),
    WDisChaRteMax: rate(({ maxDischargeCurrent }) => maxDischargeCurrent),
    ...{ SoCMax: 100, SoCMin: 0, SocRsvMax: 100, SoCRsvMin: 0, SoC: bank.soc, DoD: near(0.1, 100 - bank.soc) },
    ...{ SoH: least(online.map(({ stateOfHealth }) => stateOfHealth)), NCyc: most(online.map(({ cycles }) => cycles)) },
    ...{ ChaSt: 4, LocRemCtl: 1, Hb: expect.any(Number) as unknown, AlmRst: 0, Typ: 4, State: 3 },
    ...{
      Evt1: eventsOf(online) + (online.length < bank.packs ? 1 : 0),
      Evt2: 0,
      EvtVnd1: alarmsOf(online),
      EvtVnd2: wordOf(online) + (online.length < bank.packs ? (OFFLINE as unknown as number) : 0),
      V: near(0.01, bank.voltage),
    },
    ...{ CellVMax: bank.maxCell.voltage, CellVMaxStr: bank.maxCell.pack, CellVMaxMod: 1 },
    ...{ CellVMin: bank.minCell.voltage, CellVMinStr: bank.minCell.pack, CellVMinMod: 1 },
    CellVAvg: near(0.001, sum(online.map(({ averageCellVoltage }) => averageCellVoltage)) / online.length),
    ...{ A: near(0.1, minus(bank.current)), W: watts, SetOp: 1 },
    AChaMax: near(0.1, sum(online.map(({ pack }) => pack.maxChargeCurrent))),
    ADisChaMax: near(0.1, sum(online.map(({ pack }) => pack.maxDischargeCurrent))),
    ...{ AHRtg_SF: isSeveral ? 0 : -1, WHRtg_SF: isSeveral ? 2 : 1, WChaDisChaMax_SF: isSeveral ? 1 : 0, SoC_SF: -1 },
    ...{ DoD_SF: -1, SoH_SF: 0, V_SF: -2, CellV_SF: -3, A_SF: -1, AMax_SF: -1, W_SF: isSeveral ? 1 : 0 },
  };
}

const middle = (span: readonly number[]): unknown =>
  span.length ? near(0.1, (Math.min(...span) + Math.max(...span)) / 2) : undefined;

/** A string of 803; undefined: the pack is silent. */
export function expectedString(status: Status | undefined): unknown {
  if (!status) return { StrNMod: 1, StrSt: 0, StrEvt1: 1, StrEvtVnd2: OFFLINE };
  const span = probes(status);
  return {
    ...{ StrNMod: 1, StrSt: 3, StrSoC: status.soc, StrSoH: status.stateOfHealth },
    ...{ StrA: near(0.1, minus(status.pack.current)), StrCellVMax: status.cellsSummary.maxVoltage },
    ...{ StrCellVMin: status.cellsSummary.minVoltage, StrCellVAvg: status.averageCellVoltage },
    ...{ StrModTmpMax: most(span), StrModTmpMin: least(span), StrModTmpAvg: middle(span) },
    ...{ StrConSt: contactors(status), StrEvt1: eventsOf([status]), StrEvtVnd1: status.alarmCode },
    StrEvtVnd2: wordOf([status]),
  };
}

/** The models of a pack's unit behind the first, with what is repeated of each. */
export function expectedOfPack(
  status: Status,
  place: number,
): { readonly values: unknown; readonly repeated: readonly unknown[] }[] {
  const { cellCount, cells, cellsSummary, cycles, info, pack, soc, stateOfHealth } = status;
  const span = probes(status);
  const shared = {
    ...{ SoC: soc, DoD: 100 - soc, NCyc: cycles, SoH: stateOfHealth, V: near(0.01, pack.voltage) },
    ...{ CellVMax: cellsSummary.maxVoltage, CellVMin: cellsSummary.minVoltage, CellVAvg: status.averageCellVoltage },
    ...{ SoC_SF: -1, SoH_SF: 0, DoD_SF: -1, V_SF: -2, CellV_SF: -3 },
  };
  const string = {
    ...{ ID: 804, L: 62, ...shared, Idx: place, NMod: 1, St: 3, A: near(0.1, minus(pack.current)), A_SF: -1 },
    ...{ CellVMaxMod: 1, CellVMinMod: 1, ModTmpMax: most(span), ModTmpMaxMod: 1, ModTmpMin: least(span) },
    ...{ ModTmpMinMod: 1, ModTmpAvg: middle(span), ConSt: contactors(status), Evt1: eventsOf([status]) },
    ...{ EvtVnd1: status.alarmCode, EvtVnd2: wordOf([status]), ModTmp_SF: -1 },
  };
  const module = {
    ...{ ModNCell: cellCount, ModSoC: soc, ModSoH: stateOfHealth, ModCellVMax: cellsSummary.maxVoltage },
    ...{ ModCellVMaxCell: cellsSummary.maxCell, ModCellVMin: cellsSummary.minVoltage },
    ...{ ModCellVMinCell: cellsSummary.minCell, ModCellVAvg: status.averageCellVoltage },
    ...{ ModCellTmpMax: most(span), ModCellTmpMin: least(span), ModCellTmpAvg: middle(span) },
  };
  const cell = {
    ...{ ID: 805, L: 138, ...shared, StrIdx: place, ModIdx: 1, NCell: cellCount, SN: info.serialNumber },
    ...{ CellVMaxCell: cellsSummary.maxCell, CellVMinCell: cellsSummary.minCell, Tmp_SF: -1 },
    ...{ CellTmpMax: most(span), CellTmpMin: least(span), CellTmpAvg: middle(span) },
  };
  return [
    { values: expected802(alone(status, place), [status]), repeated: [] },
    { values: string, repeated: [module] },
    { values: cell, repeated: Array.from({ length: 24 }, (_, index) => ({ CellV: cells[index]?.voltage })) },
  ];
}

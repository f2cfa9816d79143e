/** Checks BMS limits against each other, and provides the BMS's own presets by chemistry. */
import type { Config } from "./documents";
import { PARAMETERS, type ParameterName, type ParameterRow } from "./tables";

/** The first must be above the second: a protection that recovers at once, or beyond its own limit, does not protect. */
const ABOVE: readonly (readonly [ParameterName, ParameterName])[] = [
  ["cell_ovp_voltage", "cell_ovpr_voltage"],
  ["cell_ovp_voltage", "cell_rcv_voltage"],
  ["cell_uvpr_voltage", "cell_uvp_voltage"],
  ["cell_uvp_voltage", "power_off_voltage"],
  ["charge_otp", "charge_otpr"],
  ["charge_utpr", "charge_utp"],
  ["discharge_otp", "discharge_otpr"],
  ["mos_otp", "mos_otpr"],
];

/** A limit and the value it would have. */
interface Limit {
  readonly row: ParameterRow;
  readonly value: number;
}

export interface Conflict {
  readonly upper: Limit;
  readonly lower: Limit;
}

/** Pairs of limits that would be out of order with `name` set to `value`. Limits missing from the configuration never conflict. */
export function conflicts(name: ParameterName, value: number, config: Config | undefined): Conflict[] {
  const limit = (of: ParameterName): Limit => {
    const row = PARAMETERS.find((one) => one.name === of) as ParameterRow;
    return { row, value: of === name ? value : Number(config?.[row.object][row.member]) };
  };
  return ABOVE.filter((pair) => pair.includes(name))
    .map(([upper, lower]) => ({ upper: limit(upper), lower: limit(lower) }))
    .filter(({ upper, lower }) => upper.value <= lower.value);
}

/** Chemistries: the BMS's name in `batteryType`, and the common one. */
export const CHEMISTRIES = { LiFePO4: "LFP", "Li-ion": "NMC" } as const;

/**
 * Limits of LFP and NMC in the BMS's own presets, firmware 15.30 (captures phinix-preset_160C and _160A,
 * test/fixtures/captures/SOURCES.md). None for LTO, because no capture has its preset; none for the cell temperature,
 * because the presets' 70 °C exceed the data sheets of such cells.
 */
const PRESETS: Readonly<Partial<Record<ParameterName, readonly [number, number]>>> = {
  cell_uvp_voltage: [2.58, 2.82],
  cell_uvpr_voltage: [2.62, 2.85],
  cell_ovp_voltage: [3.65, 4.2],
  cell_ovpr_voltage: [3.58, 4.17],
  cell_rcv_voltage: [3.6, 4.19],
  power_off_voltage: [2.5, 2.8],
  mos_otp: [80, 80],
  mos_otpr: [70, 70],
};

/** What is usual is at most, or at least, this preset of the chemistry. */
const AT_MOST: Readonly<Partial<Record<ParameterName, ParameterName>>> = {
  cell_ovp_voltage: "cell_ovp_voltage",
  cell_ovpr_voltage: "cell_ovp_voltage",
  cell_rcv_voltage: "cell_ovp_voltage",
};
const AT_LEAST: Readonly<Partial<Record<ParameterName, ParameterName>>> = {
  cell_uvp_voltage: "power_off_voltage",
  cell_uvpr_voltage: "power_off_voltage",
  power_off_voltage: "power_off_voltage",
};

/** The chemistry's usual limit that `value` is beyond; undefined: it is not, or the chemistry is unknown. */
export function beyondUsual(
  name: ParameterName,
  value: number,
  batteryType: string | null | undefined,
): [chemistry: string, limit: number] | undefined {
  const high = AT_MOST[name];
  const of = high ?? AT_LEAST[name];
  const usual = of && batteryType ? preset(of, batteryType)[0] : undefined;
  return usual && (high ? value > usual[1] : value < usual[1]) ? usual : undefined;
}

/** The voltages that the chemistry's cells bear; undefined: the chemistry is unknown. */
export function usualCellVoltages(
  batteryType: string | null | undefined,
): readonly [low: number, high: number] | undefined {
  const low = batteryType ? preset("power_off_voltage", batteryType)[0]?.[1] : undefined;
  const high = batteryType ? preset("cell_ovp_voltage", batteryType)[0]?.[1] : undefined;
  return low === undefined || high === undefined ? undefined : [low, high];
}

/** The common name of a chemistry of which the BMS has a preset. */
export const presetName = (batteryType: string | null | undefined): string | undefined =>
  Object.entries(CHEMISTRIES).find(([type]) => type === batteryType)?.[1];

/** Charging below 0 °C plates lithium on the anode of every chemistry but LTO, whose anode is not carbon. */
export const plates = (name: ParameterName, value: number, batteryType: string | null | undefined): boolean =>
  (name === "charge_utp" || name === "charge_utpr") && value < 0 && batteryType !== "LTO";

/** Part by which a capacity may differ from today's before the page asks: a measured one differs by less from the label. */
const FAR = 0.2;

export const isFar = (value: number, present: unknown): boolean =>
  typeof present === "number" && present > 0 && Math.abs(value - present) > FAR * present;

/** The limit in the BMS's preset for the pack's chemistry, or for every chemistry if unknown; empty if there is none. */
export function preset(
  name: ParameterName,
  batteryType: string | null | undefined,
): [chemistry: string, value: number][] {
  const values = PRESETS[name];
  if (!values) return [];
  return Object.entries(CHEMISTRIES)
    .map(([type, short], at) => [type, short, values[at] as number] as const)
    .filter(([type]) => !batteryType || type === batteryType)
    .map(([, short, value]) => [short, value]);
}

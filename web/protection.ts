/** Checks BMS limits against each other, and gives typical values by chemistry. */
import type { Config } from "./documents";
import { SETTINGS, type SettingName, type SettingRow } from "./tables";

/** The first must be above the second: a protection that recovers at once, or beyond its own limit, does not protect. */
const ABOVE: readonly (readonly [SettingName, SettingName])[] = [
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
  readonly row: SettingRow;
  readonly value: number;
}

export interface Conflict {
  readonly upper: Limit;
  readonly lower: Limit;
}

/** Pairs of limits that setting `name` to `value` would put out of order. Limits missing from the setup never conflict. */
export function conflicts(name: SettingName, value: number, config: Config | undefined): Conflict[] {
  const limit = (of: SettingName): Limit => {
    const row = SETTINGS.find((one) => one.name === of) as SettingRow;
    return { row, value: of === name ? value : Number(config?.[row.object][row.member]) };
  };
  return ABOVE.filter((pair) => pair.includes(name))
    .map(([upper, lower]) => ({ upper: limit(upper), lower: limit(lower) }))
    .filter(({ upper, lower }) => upper.value <= lower.value);
}

/** Chemistries: the BMS's name in `batteryType`, and the common one. */
const CHEMISTRIES = { LiFePO4: "LFP", "Li-ion": "NMC", LTO: "LTO" } as const;

/**
 * Typical limits of LFP, NMC and LTO. LFP and NMC voltages, and MOSFET temperatures: the BMS's own presets, firmware 15.30
 * (test/fixtures/captures/SOURCES.md); the rest is within the data sheets of such cells.
 */
const USUAL: Readonly<Partial<Record<SettingName, readonly [number, number, number]>>> = {
  cell_uvp_voltage: [2.58, 2.82, 1.8],
  cell_uvpr_voltage: [2.62, 2.85, 1.85],
  cell_ovp_voltage: [3.65, 4.2, 2.7],
  cell_ovpr_voltage: [3.58, 4.17, 2.65],
  cell_rcv_voltage: [3.6, 4.19, 2.68],
  power_off_voltage: [2.5, 2.8, 1.7],
  charge_otp: [55, 45, 55],
  charge_otpr: [50, 40, 50],
  charge_utp: [2, 2, -20],
  charge_utpr: [7, 7, -15],
  discharge_otp: [60, 60, 55],
  discharge_otpr: [55, 55, 50],
  mos_otp: [80, 80, 80],
  mos_otpr: [70, 70, 70],
};

/** Typical value of a limit: for the pack's chemistry if known, else for each; empty if `name` is not a limit. */
export function usual(name: SettingName, batteryType: string | null | undefined): [chemistry: string, value: number][] {
  const values = USUAL[name];
  if (!values) return [];
  const all = Object.entries(CHEMISTRIES).map(([type, short], at) => [type, short, values[at] as number] as const);
  const known = all.filter(([type]) => type === batteryType);
  return (known.length ? known : all).map(([, short, value]) => [short, value]);
}

/** The limits of the BMS against each other, and what is usual for a chemistry. */
import type { Config } from "./documents";
import { SETTINGS, type SettingName, type SettingRow } from "./tables";

/** The first must be above the second: a protection that recovers at once, or behind the limit it guards, is none. */
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

/** A limit, with the value it would have. */
interface Limit {
  readonly row: SettingRow;
  readonly value: number;
}

export interface Conflict {
  readonly upper: Limit;
  readonly lower: Limit;
}

/** Pairs of limits that would not be in order with `value` for `name`. What the setup does not hold conflicts with nothing. */
export function conflicts(name: SettingName, value: number, config: Config | undefined): Conflict[] {
  const limit = (of: SettingName): Limit => {
    const row = SETTINGS.find((one) => one.name === of) as SettingRow;
    return { row, value: of === name ? value : Number(config?.[row.object][row.member]) };
  };
  return ABOVE.filter((pair) => pair.includes(name))
    .map(([upper, lower]) => ({ upper: limit(upper), lower: limit(lower) }))
    .filter(({ upper, lower }) => upper.value <= lower.value);
}

/** As the BMS names them in `batteryType`, and as people do. */
const CHEMISTRIES = { LiFePO4: "LFP", "Li-ion": "NMC", LTO: "LTO" } as const;

/**
 * Usual limits of LFP, NMC and LTO. Voltages of LFP and NMC, and temperatures of the MOSFETs: the BMS's own presets, firmware 15.30
 * (test/fixtures/captures/SOURCES.md); the rest lies within what data sheets of such cells allow.
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

/** The usual value of a limit by chemistry: for that of the pack when it is known, else for each; none for what is no limit. */
export function usual(name: SettingName, batteryType: string | null | undefined): [chemistry: string, value: number][] {
  const values = USUAL[name];
  if (!values) return [];
  const all = Object.entries(CHEMISTRIES).map(([type, short], at) => [type, short, values[at] as number] as const);
  const known = all.filter(([type]) => type === batteryType);
  return (known.length ? known : all).map(([, short, value]) => [short, value]);
}

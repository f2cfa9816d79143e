/** One cause is one sentence: alarms and conditions that mean the same are told together, with the value behind them and what it stops. */
import type { BmsState, Config, Status } from "./documents";
import { duration, quantity, type Language } from "./format";
import { batteryProbes } from "./probes";
import type { AlarmName, AlarmRow, ConcernCode } from "./tables";
import type { Texts } from "./texts/en";
import type { Concern } from "./verdict";

export interface Measured {
  readonly status: Status;
  readonly bms: BmsState | undefined;
  readonly config: Config | undefined;
}

/** Undefined: unknown, or there is none. */
type Limit = (seen: Measured) => number | undefined;

/** What is beyond the limit, if it is. */
interface Value {
  readonly value: number;
  readonly place?: string;
}

interface Cause {
  /** Those that mean the same, each with the limit that was crossed. */
  readonly alarms: Readonly<Partial<Record<AlarmName, Limit>>>;
  readonly concerns: readonly Concern[];
  /** Undefined: unknown, or of the other direction. */
  readonly value: (from: Status, t: Texts) => Value | undefined;
  readonly isLow?: boolean;
  readonly unit: string;
  readonly decimals?: number;
}

/** A setting of the pack by its member's name. */
const setting =
  (member: string): Limit =>
  ({ config }) => {
    const limit = { ...config?.protections, ...config?.temperature }[member];
    return typeof limit === "number" ? limit : undefined;
  };

/** Of the sensors in the pack the one that is farthest out. */
const probe =
  (isLow = false): Cause["value"] =>
  (from, t) => {
    const probes = batteryProbes(from);
    const known = probes.filter((value) => value !== null);
    if (!known.length) return undefined;
    const value = isLow ? Math.min(...known) : Math.max(...known);
    return { value, place: t.battery.sensor(probes.indexOf(value) + 1) };
  };

const none: Limit = () => undefined;

/** A current in that direction; 1: into the battery. */
const current =
  (sign: 1 | -1): Cause["value"] =>
  ({ pack }) =>
    sign * (pack.current ?? 0) > 0 ? { value: sign * (pack.current as number) } : undefined;

const inCell = (t: Texts, number: number | null): string => `${t.battery.cell} ${number}`;

const maxDischarge: Limit = ({ status }) => status.pack.maxDischargeCurrent ?? undefined;

const CAUSES: readonly Cause[] = [
  {
    alarms: {
      charge_overtemperature: setting("chargeOtp"),
      discharge_overtemperature: setting("dischargeOtp"),
      battery_overtemperature: none,
    },
    concerns: ["temperature-high"],
    value: probe(),
    unit: "°C",
  },
  {
    alarms: { charge_undertemperature: setting("chargeUtp"), discharge_undertemperature: none },
    concerns: ["temperature-low"],
    value: probe(true),
    isLow: true,
    unit: "°C",
  },
  {
    alarms: { mosfet_overtemperature: setting("mosOtp") },
    concerns: ["temperature-high"],
    value: ({ temperatures: { mosfet } }, t) =>
      mosfet === null ? undefined : { value: mosfet, place: t.battery.mosfet },
    unit: "°C",
  },
  {
    alarms: { cell_undervoltage: setting("cellUvpVoltage"), battery_undervoltage: none },
    concerns: ["cell-low", "low-charge"],
    value: ({ cellsSummary: { minCell, minVoltage } }, t) =>
      minVoltage === null ? undefined : { value: minVoltage, place: inCell(t, minCell) },
    isLow: true,
    unit: "V",
    decimals: 3,
  },
  {
    alarms: { battery_overvoltage: setting("cellOvpVoltage") },
    concerns: ["cell-high"],
    value: ({ cellsSummary: { maxCell, maxVoltage } }, t) =>
      maxVoltage === null ? undefined : { value: maxVoltage, place: inCell(t, maxCell) },
    unit: "V",
    decimals: 3,
  },
  {
    alarms: { discharge_overcurrent: maxDischarge, discharge_overcurrent_2: none, discharge_overcurrent_3: none },
    concerns: [],
    value: current(-1),
    unit: "A",
  },
  {
    alarms: { charge_overcurrent: ({ status }) => status.pack.maxChargeCurrent ?? undefined },
    concerns: [],
    value: current(1),
    unit: "A",
  },
];

const causeOf = (name: AlarmName): Cause | undefined => CAUSES.find(({ alarms }) => name in alarms);

/** The faults, one of each cause: of several that mean the same, the first. */
export const causesOf = (alarms: readonly AlarmRow[]): AlarmRow[] =>
  alarms.filter(({ name }, at) => {
    const cause = causeOf(name);
    return !cause || alarms.findIndex((other) => other.name in cause.alarms) === at;
  });

/** What is not told by the faults already. An output that is off is told with the first fault. */
export function besides(faults: readonly AlarmRow[], concerns: readonly Concern[]): Concern[] {
  if (!faults.length) return [...concerns];
  const told = new Set<Concern>(["alarm", "charging-blocked", "discharging-blocked"]);
  for (const { name } of faults) for (const concern of causeOf(name)?.concerns ?? []) told.add(concern);
  return concerns.filter((concern) => !told.has(concern));
}

/** What a protection has stopped; undefined: nothing. */
function stoppedBy(concerns: readonly ConcernCode[], { causes }: Texts): string | undefined {
  const charging = concerns.includes("charging-blocked");
  const discharging = concerns.includes("discharging-blocked");
  if (charging) return discharging ? causes.both : causes.charging;
  return discharging ? causes.discharging : undefined;
}

const titled = (title: string, said: readonly (string | undefined)[]): string => {
  const all = said.filter((one) => one !== undefined);
  return all.length ? `${title}: ${all.join(", ")}` : title;
};

const placed = (value: string, place: string | undefined, t: Texts): string =>
  place === undefined ? value : t.causes.at(value, place);

/** "Too hot to charge: charging stopped" */
export const alarmTitle = (name: AlarmName, concerns: readonly ConcernCode[], t: Texts): string =>
  titled(t.alarms[name].title, [stoppedBy(concerns, t)]);

/**
 * "Too hot to charge: 62 °C at Sensor 1, charging and discharging stopped, limit 60 °C". An alarm stays until it is released: a value that is no longer
 * beyond the limit is not what it is about.
 */
export function causeText(name: AlarmName, seen: Measured, language: Language, t: Texts): string {
  const { status, bms } = seen;
  const cause = causeOf(name);
  const limit = cause?.alarms[name]?.(seen);
  const found = cause?.value(status, t);
  const isBeyond =
    found !== undefined && (limit === undefined || (cause?.isLow ? found.value <= limit : found.value >= limit));
  const release = bms?.releases?.[name];
  const said = (value: number): string => quantity(language, value, cause?.unit ?? "", cause?.decimals);
  return titled(t.alarms[name].title, [
    isBeyond ? placed(said(found.value), found.place, t) : undefined,
    stoppedBy(bms?.concerns ?? [], t),
    limit === undefined ? undefined : `${t.causes.limit} ${said(limit)}`,
    release ? t.causes.released(duration(release)) : undefined,
  ]);
}

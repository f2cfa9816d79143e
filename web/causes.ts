/** One cause is one sentence: alarms and conditions that mean the same are told together, with the value behind them and what it stops. */
import type { BmsState, Config, Status } from "./documents";
import { quantity, type Language } from "./format";
import { batteryProbes } from "./probes";
import type { AlarmName, AlarmRow } from "./tables";
import type { Texts } from "./texts/en";
import type { Concern } from "./verdict";

export interface Measured {
  readonly status: Status;
  readonly bms: BmsState | undefined;
  readonly config: Config | undefined;
}

/** By the member's name. */
type Limits = (name: string) => number | undefined;
/** Undefined: unknown. */
type Value = (from: Status, limits: Limits, language: Language, t: Texts) => string | undefined;

interface Cause {
  readonly alarms: readonly AlarmName[];
  readonly concerns: readonly Concern[];
  readonly value: Value;
}

const withLimit = (text: string, limit: string | undefined, t: Texts): string =>
  limit === undefined ? text : `${text}, ${t.causes.limit} ${limit}`;

/** Of the sensors in the pack the one that is farthest out. */
const probe =
  (isHot: boolean, ...names: readonly string[]): Value =>
  (from, limits, language, t) => {
    const sign = isHot ? 1 : -1;
    let number = 0;
    let worst: number | null = null;
    batteryProbes(from).forEach((value, at) => {
      if (value === null || (worst !== null && sign * worst >= sign * value)) return;
      number = at + 1;
      worst = value;
    });
    if (worst === null) return undefined;
    const degrees = (value: number | null | undefined): string => quantity(language, value, "°C");
    const known = names.map(limits).filter((limit) => limit !== undefined);
    const limit = known.length ? degrees(isHot ? Math.min(...known) : Math.max(...known)) : undefined;
    return withLimit(t.causes.at(degrees(worst), t.battery.sensor(number)), limit, t);
  };

const cell =
  (isLow: boolean): Value =>
  ({ cellsSummary: { minCell, minVoltage, maxCell, maxVoltage } }, limits, language, t) => {
    const [number, voltage] = isLow ? [minCell, minVoltage] : [maxCell, maxVoltage];
    if (voltage === null) return undefined;
    const limit = limits(isLow ? "cellUvpVoltage" : "cellOvpVoltage");
    const volts = (value: number): string => quantity(language, value, "V", 3);
    return withLimit(
      t.causes.at(volts(voltage), `${t.battery.cell} ${number}`),
      limit === undefined ? undefined : volts(limit),
      t,
    );
  };

const current: Value = ({ pack }, _limits, language) =>
  pack.current === null ? undefined : quantity(language, Math.abs(pack.current), "A", 1);

const CAUSES: readonly Cause[] = [
  {
    alarms: ["charge_overtemperature", "discharge_overtemperature", "battery_overtemperature"],
    concerns: ["temperature-high"],
    value: probe(true, "chargeOtp", "dischargeOtp"),
  },
  {
    alarms: ["charge_undertemperature", "discharge_undertemperature"],
    concerns: ["temperature-low"],
    value: probe(false, "chargeUtp"),
  },
  {
    alarms: ["mosfet_overtemperature"],
    concerns: ["temperature-high"],
    value: ({ temperatures: { mosfet } }, limits, language, t) => {
      const limit = limits("mosOtp");
      const degrees = (value: number): string => quantity(language, value, "°C");
      if (mosfet === null) return undefined;
      return withLimit(
        t.causes.at(degrees(mosfet), t.battery.mosfet),
        limit === undefined ? undefined : degrees(limit),
        t,
      );
    },
  },
  { alarms: ["cell_undervoltage", "battery_undervoltage"], concerns: ["cell-low", "low-charge"], value: cell(true) },
  { alarms: ["battery_overvoltage"], concerns: ["cell-high"], value: cell(false) },
  {
    alarms: ["discharge_overcurrent", "discharge_overcurrent_2", "discharge_overcurrent_3"],
    concerns: [],
    value: current,
  },
  { alarms: ["charge_overcurrent"], concerns: [], value: current },
];

const causeOf = (name: AlarmName): Cause | undefined => CAUSES.find(({ alarms }) => alarms.includes(name));

/** The faults, one of each cause: of several that mean the same, the first. */
export const causesOf = (alarms: readonly AlarmRow[]): AlarmRow[] =>
  alarms.filter(({ name }, at) => {
    const cause = causeOf(name);
    return !cause || alarms.findIndex((other) => cause.alarms.includes(other.name)) === at;
  });

/** What is not told by the faults already. An output that is off is told with the first fault. */
export function besides(faults: readonly AlarmRow[], concerns: readonly Concern[]): Concern[] {
  if (!faults.length) return [...concerns];
  const told = new Set<Concern>(["alarm", "charging-blocked", "discharging-blocked"]);
  for (const { name } of faults) for (const concern of causeOf(name)?.concerns ?? []) told.add(concern);
  return concerns.filter((concern) => !told.has(concern));
}

/** "62 °C at Sensor 1, limit 60 °C: charging and discharging stopped" */
export function causeText(name: AlarmName, seen: Measured, language: Language, t: Texts): string {
  const { status, bms, config } = seen;
  const limits: Limits = (member) => {
    const limit = { ...config?.protections, ...config?.temperature }[member];
    return typeof limit === "number" ? limit : undefined;
  };
  const value = causeOf(name)?.value(status, limits, language, t) ?? t.alarms[name].title;
  const charging = bms?.concerns?.includes("charging-blocked");
  const discharging = bms?.concerns?.includes("discharging-blocked");
  if (!charging && !discharging) return value === t.alarms[name].title ? value : `${t.alarms[name].title}: ${value}`;
  const stopped = t.causes[charging ? (discharging ? "both" : "charging") : "discharging"];
  return `${value}: ${stopped}`;
}

/** Judges whether the pack is well from what the BMS reports. */
import { LOW_CHARGE } from "../src/catalogue/limits";
import { alarmsOf } from "./alarms";
import type { Queue, StatusDocument } from "./documents";
import type { AlarmRow, CommandName, ConcernCode } from "./tables";
import type { Texts } from "./texts/en";

/** Conditions that need attention (docs/api.md, "What needs attention"). */
export type Concern = Exclude<ConcernCode, "offline">;

export interface Verdict {
  /** The BMS has never answered. */
  readonly never: boolean;
  /** The values are stale: the device cannot be reached, or it cannot reach the BMS. */
  readonly stale: boolean;
  /** Undefined: unknown. */
  readonly alarms: readonly AlarmRow[] | undefined;
  readonly concerns: readonly Concern[];
  /** Everything required is known, fresh and good. */
  readonly well: boolean;
}

/** Switches that must be known before the pack counts as well. */
const NEEDED: readonly CommandName[] = ["charge_mos", "discharge_mos", "emergency", "temperature_sensors_disabled"];

/** What is known, and whether it is current (live.ts). */
export interface State {
  readonly connected: boolean;
  readonly foreign: boolean;
  readonly failed: ReadonlySet<string>;
  readonly old: boolean;
  readonly documents: { readonly status?: StatusDocument; readonly queue?: Queue };
}

/**
 * Why the values are stale; empty: they are not. lost: no answer. foreign: another machine answered. failing: the device answered with an
 * error. waiting: nothing was heard for a while. silent: the device says that the BMS does not answer, whichever document says it first.
 */
export type StaleReason = "lost" | "foreign" | "failing" | "waiting" | "silent" | "";

export function staleReason({ connected, foreign, failed, old, documents }: State): StaleReason {
  if (!connected) return foreign ? "foreign" : "lost";
  if (failed.has("status")) return "failing";
  if (old) return "waiting";
  return documents.status?.data.online === false || documents.queue?.bmsOnline === false ? "silent" : "";
}

/** The reason as a sentence. */
export function staleText(reason: StaleReason, { app, battery }: Texts): string {
  if (!reason) return "";
  if (reason === "silent") return battery.offline;
  return reason === "waiting" ? app.loading : app[reason];
}

export function judge(state: State): Verdict {
  const { status, queue } = state.documents;
  const { data, bms } = status ?? {};
  const never = bms?.age === null;
  const stale = staleReason(state) !== "";
  if (!data || never) return { never, stale, alarms: undefined, concerns: [], well: false };
  const alarms = data.alarmCode === null ? undefined : alarmsOf(data.alarmCode);
  const { switches } = bms ?? {};
  const told = (!stale && bms?.concerns?.filter(isConcern)) || lastKnown(state, stale);
  // An empty pack is never well, whatever else is said about it.
  const concerns: Concern[] = isLow(data.soc) && !told.includes("low-charge") ? [...told, "low-charge"] : told;
  const known = Boolean(queue) && data.soc !== null && NEEDED.every((name) => typeof switches?.[name] === "boolean");
  const well = !stale && known && !concerns.length && alarms !== undefined && !faults(alarms);
  return { never, stale, alarms, concerns, well };
}

const isLow = (soc: number | null): boolean => soc !== null && soc <= LOW_CHARGE;

export const isConcern = (code: ConcernCode): code is Concern => code !== "offline";

/** While the BMS is lost the device knows only that: what was last seen is judged here. */
function lastKnown({ documents: { status, queue } }: State, stale: boolean): Concern[] {
  const { bms, data } = status ?? {};
  const { switches } = bms ?? {};
  const present: Partial<Record<Concern, boolean>> = {
    emergency: switches?.emergency === true || Boolean(data?.emergencyTimeSeconds),
    "sensors-ignored": switches?.temperature_sensors_disabled === true,
    "discharging-off": switches?.discharge_mos === false,
    "discharging-blocked": switches?.discharge_mos !== false && data?.pack.dischargeMosfet === false,
    "charging-off": switches?.charge_mos === false,
    "charging-blocked": switches?.charge_mos !== false && data?.pack.chargeMosfet === false,
    wires: Boolean(bms?.wireAlarms),
    // The setup of a lost BMS cannot be read.
    "settings-unread": !stale && queue?.configurationLoaded === false,
  };
  return (Object.keys(present) as Concern[]).filter((name) => present[name]);
}

/** Number of faults among the alarms. */
export const faults = (alarms: readonly AlarmRow[] = []): number => alarms.filter(({ fault }) => fault).length;

/** What the device says of a pack, and whether the page has it: the connection may be lost, and the page old. */
import { alarmsOf } from "./alarms";
import type { Queue, StatusDocument } from "./documents";
import type { AlarmRow, ConcernCode } from "./tables";
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
  /** The device says so, and what it says is fresh. */
  readonly well: boolean;
}

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
  const { status } = state.documents;
  const { data, bms } = status ?? {};
  const never = bms?.age === null;
  const stale = staleReason(state) !== "";
  if (!data || never) return { never, stale, alarms: undefined, concerns: [], well: false };
  const alarms = data.alarmCode === null ? undefined : alarmsOf(data.alarmCode);
  const concerns = bms?.concerns?.filter(isConcern) ?? [];
  return { never, stale, alarms, concerns, well: !stale && bms?.well === true };
}

export const isConcern = (code: ConcernCode): code is Concern => code !== "offline";

/** Number of faults among the alarms. */
export const faults = (alarms: readonly AlarmRow[] = []): number => alarms.filter(({ fault }) => fault).length;

import { TELEMETRY_TABLE, type TelemetryRow } from "../catalogue/telemetry";

/** SMI type of a telemetry row. */
export type Syntax = "TruthValue" | "DisplayString" | "Counter32" | "Unsigned32" | "Integer32";

/** Derived from the table alone; used by the agent and for the MIB file. */
export function syntaxOf({ quantity: { kind, stateClass } }: TelemetryRow): Syntax {
  if (kind === "boolean") return "TruthValue";
  if (kind === "text") return "DisplayString";
  if (stateClass === "total_increasing") return "Counter32";
  return kind === "integer" ? "Unsigned32" : "Integer32";
}

/** The row of an object's number; undefined: there is none. */
export function rowOf(number: number): TelemetryRow | undefined {
  for (const row of TELEMETRY_TABLE) if (row.object === number) return row;
  return undefined;
}

/** The objects' numbers, ascending. */
export const OBJECT_NUMBERS: readonly number[] = Object.freeze(
  TELEMETRY_TABLE.map(({ object }) => object).sort((one, other) => one - other),
  true,
);

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

function rowsByObject(): (TelemetryRow | undefined)[] {
  const rows: (TelemetryRow | undefined)[] = [];
  for (const row of TELEMETRY_TABLE) {
    while (rows.length <= row.object) rows.push(undefined);
    rows[row.object] = row;
  }
  return rows;
}

/** The rows by object number, with gaps for unused numbers. */
export const ROW_OF_OBJECT: readonly (TelemetryRow | undefined)[] = Object.freeze(rowsByObject(), true);

/** The numbers, ascending. */
export const TELEMETRY_OBJECTS: readonly number[] = Object.freeze(
  TELEMETRY_TABLE.map(({ object }) => object).sort((one, other) => one - other),
  true,
);

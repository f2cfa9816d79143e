import { accepts, demand, type Field, type Fields, type Values } from "./field";

/** missing: no such member in what was given. unknown: a member without a row. refused: not what its row asks. */
export type Fault = "missing" | "unknown" | "refused";

/** Hears of each fault: the member's path ("monitoring.voltages.1.ratio") and, when it was refused, what it must be. */
export type Report = (path: string, fault: Fault, demand: string) => void;

/** The defaults of a table; frozen. */
export function defaultsOf<T>(fields: Fields<T>): T {
  const values: Values = {};
  const rows = fields as Readonly<Record<string, Field>>;
  for (const member in rows) values[member] = defaultOf(rows[member] as Field);
  return Object.freeze(values) as T;
}

function defaultOf(field: Field): unknown {
  switch (field.kind) {
    case "record":
      return defaultsOf(field.fields);
    case "list":
      return Object.freeze(field.items.map((item) => defaultsOf(item)));
    case "boolean":
    case "integer":
    case "number":
    case "choice":
    case "text":
      return field.default;
  }
}

/**
 * `base` with those members of `given` that their rows accept: fresh, in the table's order, frozen. Neither `base` nor `given` is
 * changed; whatever else is in `given` goes to `report` and nowhere else.
 */
export function overlay<T>(fields: Fields<T>, base: T, given: unknown, path: string, report: Report): T {
  const rows = fields as Readonly<Record<string, Field>>;
  const values: Values = {};
  const isGiven = isRecord(given);
  if (!isGiven) report(path, "refused", "must be an object.");
  for (const member in rows) {
    const old = (base as Values)[member];
    if (isGiven && Object.hasOwn(given, member))
      values[member] = taken(rows[member] as Field, old, given[member], `${path}.${member}`, report);
    else {
      values[member] = old;
      if (isGiven) report(`${path}.${member}`, "missing", "");
    }
  }
  if (isGiven) for (const member in given) if (!Object.hasOwn(rows, member)) report(`${path}.${member}`, "unknown", "");
  return Object.freeze(values) as T;
}

function taken(field: Field, old: unknown, given: unknown, path: string, report: Report): unknown {
  switch (field.kind) {
    case "record":
      return overlay(field.fields, old as Values, given, path, report);
    case "list":
      if (Array.isArray(given) && given.length === field.items.length)
        return Object.freeze(
          field.items.map((item, at) =>
            overlay(item, (old as Values[])[at] as Values, given[at], `${path}.${at}`, report),
          ),
        );
      break;
    case "boolean":
    case "integer":
    case "number":
    case "choice":
    case "text":
      if (accepts(field, given)) return given;
      break;
  }
  report(path, "refused", demand(field));
  return old;
}

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

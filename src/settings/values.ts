import { accepts, demand, type Field, type Fields, type ListField, type ValueField, type Values } from "./field";
import type { Refusal } from "./messages";

/** missing: no such member in the input. unknown: a member without a row. refused: its row rejects the value. */
export type Fault = "missing" | "unknown" | "refused";

/** Called for each fault: the member's path ("monitoring.voltages.1.ratio") and, if refused, why. */
export type Report = (path: string, fault: Fault, refusal?: Refusal) => void;

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
      return Object.freeze(field.open ? [] : field.items.map((item) => defaultsOf(item)));
    case "boolean":
    case "integer":
    case "number":
    case "choice":
    case "text":
      return field.default;
  }
}

/**
 * The frozen `base` with those members of `given` that their rows accept: `base` itself if nothing changes, otherwise a frozen copy in
 * the table's order that shares unchanged parts with `base`. `given` is not kept; its other members are only reported.
 *
 * `stored`: `given` may be of another version of the firmware, so a list may be shorter (the rest is from `base`) or longer.
 */
export function overlay<T>(
  fields: Fields<T>,
  base: T,
  given: unknown,
  path: string,
  report: Report,
  stored = false,
): T {
  if (!isRecord(given)) {
    report(path, "refused", `not-object\t${path}`);
    return base;
  }
  const rows = fields as Readonly<Record<string, Field>>;
  let values: Values | undefined;
  for (const member in rows) {
    if (!Object.hasOwn(given, member)) {
      report(`${path}.${member}`, "missing");
      continue;
    }
    const old = (base as Values)[member];
    const value = taken(rows[member] as Field, old, given[member], `${path}.${member}`, report, stored);
    if (value !== old) (values ??= { ...(base as Values) })[member] = value;
  }
  for (const member in given) if (!Object.hasOwn(rows, member)) report(`${path}.${member}`, "unknown");
  return values ? (Object.freeze(values) as T) : base;
}

function taken(field: Field, old: unknown, given: unknown, path: string, report: Report, stored: boolean): unknown {
  switch (field.kind) {
    case "record":
      return overlay(field.fields, old as Values, given, path, report, stored);
    case "list":
      if (Array.isArray(given) && field.open) return openItems(field, old as readonly Values[], given, path, report);
      if (Array.isArray(given) && (stored || given.length === field.items.length))
        return overlaidItems(field.items, old as readonly Values[], given, path, report, stored);
      break;
    case "boolean":
    case "integer":
    case "number":
    case "choice":
    case "text":
      if (accepts(field, given)) return given;
      break;
  }
  report(path, "refused", demand(field, path));
  if (stored && field.kind === "text" && field.isKept && typeof given === "string") return given;
  if (
    stored &&
    field.kind === "integer" &&
    field.isCapped &&
    Number.isInteger(given) &&
    (given as number) > field.maximum
  )
    return field.maximum;
  return old;
}

function overlaidItems(
  items: ListField["items"],
  old: readonly Values[],
  given: readonly unknown[],
  path: string,
  report: Report,
  stored: boolean,
): readonly Values[] {
  const values = items.map((item, at) => {
    const value = old[at] as Values;
    return at < given.length ? overlay(item, value, given[at], `${path}.${at}`, report, stored) : value;
  });
  return values.some((value, at) => value !== old[at]) ? Object.freeze(values) : old;
}

/** Takes the records that are complete; of the others the first fault of each is reported. */
function openItems(
  { items }: ListField,
  old: readonly Values[],
  given: readonly unknown[],
  path: string,
  report: Report,
): readonly Values[] {
  const [item] = items as readonly [Fields<Values>];
  const base = defaultsOf(item);
  const values: Values[] = [];
  given.forEach((one, at) => {
    let isWhole = true;
    const value = overlay(item, base, one, `${path}.${at}`, (where, fault, refusal) => {
      if (fault === "unknown" && refusal === undefined) return report(where, fault);
      const member = where.slice(where.lastIndexOf(".") + 1);
      if (isWhole)
        report(
          where,
          "refused",
          refusal ?? demand((item as Readonly<Record<string, ValueField>>)[member] as ValueField, where),
        );
      isWhole = false;
    });
    if (isWhole) values.push(value);
  });
  return isSame(values, old) ? old : Object.freeze(values);
}

/** Whether `one` and `other`, of the same table, have equal values. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object") return false;
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return false;
  for (const member in one) if (!isSame((one as Values)[member], (other as Values)[member])) return false;
  return true;
}

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings group members by path (`voltages.0.ratio`), for forms. */
import { accepts, type ValueField } from "../src/settings/field";
import type { GroupValues } from "./documents";
import type { Language } from "./format";
import { plainNumber } from "./judge";
import type { FormField } from "./tables";

export function read(values: unknown, path: string): unknown {
  let value = values;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Copies `values` with a new value at `path`. */
function write(values: unknown, path: string, value: unknown): unknown {
  const [step = "", ...rest] = path.split(".");
  const next = rest.length ? write((values as Record<string, unknown>)[step], rest.join("."), value) : value;
  if (Array.isArray(values)) return values.map((item: unknown, index) => (String(index) === step ? next : item));
  return { ...(values as object), [step]: next };
}

/** Converts typed text to the field's type; undefined if the field rejects it. */
export function valueOf(field: FormField, typed: string | boolean, language: Language): unknown {
  const value = convert(field, typed, language);
  // Validation ignores defaults.
  return accepts(field as ValueField, value) ? value : undefined;
}

function convert(field: FormField, typed: string | boolean, language: Language): unknown {
  if (typeof typed === "boolean" || field.kind === "boolean") return typed;
  switch (field.kind) {
    case "integer":
    case "number": {
      const text = plainNumber(typed, language);
      return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    }
    case "choice":
      return field.choices.find((choice) => String(choice) === typed);
    case "text":
      return typed;
  }
}

/** Body for a POST of the group: each member with a changed path, complete. */
export function changedMembers(values: GroupValues, changes: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [path, value] of changes) {
    const [member = "", ...rest] = path.split(".");
    const base = Object.hasOwn(result, member) ? result[member] : values[member];
    result[member] = rest.length ? write(base, rest.join("."), value) : value;
  }
  return result;
}

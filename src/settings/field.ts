import type { Refusal } from "./messages";
import { isText, type TextRule } from "./text-rules";

/** Where the page shows it. */
interface Shown {
  /** The form (web/forms.ts); by default the one of its group's name. */
  readonly form?: string;
}

export interface BooleanField extends Shown {
  readonly kind: "boolean";
  readonly default: boolean;
}

export interface NumberField extends Shown {
  readonly kind: "integer" | "number";
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
  /** A larger stored value, of an older version, becomes the maximum. */
  readonly isCapped?: boolean;
}

export interface ChoiceField<T = string | number> extends Shown {
  readonly kind: "choice";
  readonly default: T;
  readonly choices: readonly T[];
}

export interface TextField extends Shown {
  readonly kind: "text";
  readonly default: string;
  readonly rule: TextRule;
  /** In characters. */
  readonly minimum: number;
  readonly maximum: number;
  /** What `rule` leaves open. The page does without: it would have to load the code before it shows anything. */
  readonly judge?: (text: string) => boolean;
  /** A stored text that `rule` refuses stays, and is reported: the default would allow what it forbids. */
  readonly isKept?: true;
  /** Never displayed; included in a backup only on request. */
  readonly secret?: true;
}

/** A nested group of members. */
export interface RecordField<T = Values> {
  readonly kind: "record";
  readonly fields: Fields<T>;
}

/** A fixed number of records, each with its own table and defaults. */
export interface ListField<T = Values> {
  readonly kind: "list";
  readonly items: readonly Fields<T>[];
  /** As many records as are given, all with the first table; by default none. Who gives one gives all of its members. */
  readonly open?: true;
}

export type ValueField = BooleanField | NumberField | ChoiceField | TextField;
export type Field = ValueField | RecordField | ListField;

/** The kind of row for a member of type T. */
export type FieldFor<T> = [T] extends [boolean]
  ? BooleanField
  : [T] extends [readonly (infer Item)[]]
    ? ListField<Item>
    : [T] extends [object]
      ? RecordField<T>
      : [T] extends [number]
        ? NumberField | ChoiceField<T>
        : TextField | ChoiceField<T>;

/** The table of a group: exactly one row for each member. */
export type Fields<T> = { readonly [Member in keyof T]: FieldFor<T[Member]> };

export type Values = Record<string, unknown>;

/** Whether `value` may be stored under `field`. */
export function accepts(field: ValueField, value: unknown): boolean {
  switch (field.kind) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        value >= field.minimum &&
        value <= field.maximum &&
        (field.kind === "number" || Number.isInteger(value))
      );
    case "choice":
      return field.choices.includes(value as string | number);
    case "text":
      return (
        typeof value === "string" &&
        isText(field.rule, value, field.minimum, field.maximum) &&
        (!field.judge || field.judge(value))
      );
  }
}

/** What the value of the member at `path` must be, as a refusal. */
export function demand(field: ValueField | ListField, path: string): Refusal {
  switch (field.kind) {
    case "boolean":
      return `not-boolean\t${path}`;
    case "integer":
    case "number":
      return `not-${field.kind}\t${path}\t${field.minimum}\t${field.maximum}\t${field.unit}`;
    case "choice":
      return `not-choice\t${path}\t${field.choices.join(", ")}`;
    case "text":
      return `not-text\t${path}\t${field.minimum}\t${field.maximum}\t${field.rule}`;
    case "list":
      return `not-list\t${path}\t${field.items.length}`;
  }
}

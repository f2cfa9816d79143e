import { isText, textWords, type TextRule } from "./text-rules";

export interface BooleanField {
  readonly kind: "boolean";
  readonly default: boolean;
}

export interface NumberField {
  readonly kind: "integer" | "number";
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
}

export interface ChoiceField<T = string | number> {
  readonly kind: "choice";
  readonly default: T;
  readonly choices: readonly T[];
}

export interface TextField {
  readonly kind: "text";
  readonly default: string;
  readonly rule: TextRule;
  /** In characters. */
  readonly minimum: number;
  readonly maximum: number;
  /** Never shown; in a backup only on request. */
  readonly secret?: true;
}

/** Members under one name. */
export interface RecordField<T = Values> {
  readonly kind: "record";
  readonly fields: Fields<T>;
}

/** A fixed number of records, each with its own table and defaults. */
export interface ListField<T = Values> {
  readonly kind: "list";
  readonly items: readonly Fields<T>[];
}

export type ValueField = BooleanField | NumberField | ChoiceField | TextField;
export type Field = ValueField | RecordField | ListField;

/** The kind of row a member of type T needs. */
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

/** True when `value` may be stored under `field`. */
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
      return typeof value === "string" && isText(field.rule, value, field.minimum, field.maximum);
  }
}

/** The requirement on a member, as a message: "must be a whole number from 500 to 60000 ms." */
export function demand(field: ValueField | ListField): string {
  switch (field.kind) {
    case "boolean":
      return "must be true or false.";
    case "integer":
      return `must be a whole number from ${field.minimum} to ${field.maximum}${unit(field)}.`;
    case "number":
      return `must be a number from ${field.minimum} to ${field.maximum}${unit(field)}.`;
    case "choice":
      return `must be one of ${field.choices.join(", ")}.`;
    case "text":
      return `must be ${field.minimum} to ${field.maximum} ${textWords(field.rule)}.`;
    case "list":
      return `must be a list of ${field.items.length}.`;
  }
}

const unit = (field: NumberField): string => (field.unit ? ` ${field.unit}` : "");

/** How a document is written from the rows of a table: worked out when the firmware is built, so that one loop without look-ups does it. */
import { UNPRINTABLE, type Field, type Getter } from "jk-bms/fields";
import { FALSE, jsonBytes, TRUE, writeAscii, writeBytes, writeValue } from "json/bytes";
import { writeDecimal } from "json/decimal";
import type { JsonWriter } from "json/writer";
import { rescale } from "./decimal";
import { imageOf, type Compute } from "./telemetry-table";
import type { Monitor } from "./types";

const CLOSE = 0x7d;

/** A member of a document. Those of one object stand together; `object` is empty for the document's own. */
export interface Member {
  readonly object: string;
  readonly member: string;
  readonly kind: "number" | "integer" | "boolean" | "text";
  /** Published decimals of a number. */
  readonly decimals: number;
  readonly field?: Field | undefined;
  readonly compute?: Compute | undefined;
  /** Of what `compute` gives. */
  readonly computedDecimals?: number | undefined;
}

interface Step {
  /** All between the value before and this one: brackets, comma, names. */
  readonly lead: Uint8Array;
  readonly field: Field | undefined;
  readonly isText: boolean;
  readonly isBoolean: boolean;
  readonly decimals: number;
  readonly compute: Compute | undefined;
  readonly computedDecimals: number;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** The last member is in an object of its own. */
  readonly closes: boolean;
}

export function planOf(members: readonly Member[]): Plan {
  let last: string | undefined;
  const steps = members.map(({ object, member, kind, decimals, field, compute, computedDecimals = 0 }): Step => {
    let lead = last === undefined ? "" : ",";
    if (object !== (last ?? "")) {
      if (last) lead = "},";
      if (object) lead += `"${object}":{`;
    }
    last = object;
    return {
      lead: jsonBytes(`${lead}"${member}":`),
      field,
      isText: kind === "text",
      isBoolean: kind === "boolean",
      decimals,
      compute,
      computedDecimals,
    };
  });
  return Object.freeze({ steps, closes: Boolean(last) }, true);
}

/** Writes the members into the object that was opened last. A number is 0 and a text empty before its block has been read. */
export function writePlan(json: JsonWriter, monitor: Monitor, { steps, closes }: Plan, extremes?: number): void {
  const into = json.buffer;
  const limit = into.length;
  const count = steps.length;
  let at = json.length;
  let index = 0;
  let end = 0;
  let value = 0;
  let step: Step;
  let lead: Uint8Array;
  let field: Field | undefined;
  // Most rows are of the same block as the one before.
  let block = 0;
  let { view, littleEndian, valid } = monitor.telemetry;
  while (index < count) {
    step = steps[index] as Step;
    index++;
    ({ field, lead } = step);
    end = at + lead.length;
    if (end <= limit) into.set(lead, at);
    if (!field) {
      at = writeComputed(into, end, monitor, step, extremes);
      continue;
    }
    if (field.block !== block) {
      ({ block } = field);
      ({ view, littleEndian, valid } = imageOf(monitor, field));
    }
    if (step.isText) at = writeAscii(into, end, view, field.offset, valid ? field.length : 0, UNPRINTABLE);
    else {
      value = valid ? view[field.getter as Getter](field.offset, littleEndian) : 0;
      if (step.isBoolean) at = writeBytes(into, end, value ? TRUE : FALSE);
      else at = writeDecimal(into, end, value, step.decimals);
    }
  }
  if (closes) {
    into[at] = CLOSE;
    at++;
  }
  json.resume(at);
}

function writeComputed(
  into: Uint8Array,
  at: number,
  monitor: Monitor,
  { compute, decimals, computedDecimals }: Step,
  extremes: number | undefined,
): number {
  const value = (compute as Compute)(monitor, extremes);
  if (typeof value === "string") return writeValue(into, at, value);
  if (typeof value === "boolean") return writeBytes(into, at, value ? TRUE : FALSE);
  const units = computedDecimals === decimals ? value : rescale(value, computedDecimals, decimals);
  return writeDecimal(into, at, units, decimals);
}

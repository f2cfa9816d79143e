import type { Field } from "jk-bms/fields";
import type { Pack } from "./pack";
import type { Kind } from "./quantities";

export type Value = number | string | boolean;

/** Computes a value in units of the row's quantity. */
export type Compute = (pack: Pack) => Value | undefined;

/** Common to telemetry and parameters: how a value is read and written into a document. */
export interface Row {
  /** Path in the document: a member (`soc`), or a member of an object (`pack.voltage`). */
  readonly path: string;
  /** Display name. */
  readonly title: string;
  readonly quantity: {
    readonly kind: Kind;
    /** Numbers are integers in units of 10 ** -decimals of `unit`. */
    readonly decimals: number;
    readonly unit: string;
    /** Telemetry only; see Quantity. */
    readonly deadBand?: number;
  };
  /** The field to read, or the function that computes the value. */
  readonly source: Field | Compute;
  /** Bit mask: LAST, and the flags of the table. */
  readonly flags: number;
  /** JSON between the previous row's value and this one: comma, object name, member name. */
  readonly lead: string;
}

/** Flag: last member of its object. */
export const LAST = 1;

const objectOf = (path = ""): string => path.slice(0, Math.max(path.indexOf("."), 0));

/**
 * Leads and LAST flags of a table whose rows are grouped by object.
 * @param comma whether other members precede the first row.
 */
export function placesOf(paths: readonly string[], comma: boolean): readonly Pick<Row, "flags" | "lead">[] {
  return paths.map((path, at) => {
    const object = objectOf(path);
    const opening = object && object !== objectOf(paths[at - 1]) ? `"${object}":{` : "";
    const lead = `${comma || at ? "," : ""}${opening}"${path.slice(path.indexOf(".") + 1)}":`;
    return { flags: object && object !== objectOf(paths[at + 1]) ? LAST : 0, lead };
  });
}

import type { Field } from "jk-bms/fields";
import { jsonParts } from "json/bytes";
import type { Pack } from "./pack";
import type { Kind } from "./quantities";

export type Value = number | string | boolean;

/** Works a value out, in units of the row's quantity. `extremes`: see `extremesOf` of computed.ts. */
export type Compute = (pack: Pack, extremes?: number) => Value | undefined;

/** What telemetry and settings have in common: how a value is read, and written into a document. */
export interface Row {
  /** Its place in its document: a member (`soc`), or one of an object (`pack.voltage`). */
  readonly path: string;
  /** For people. */
  readonly title: string;
  readonly quantity: {
    readonly kind: Kind;
    /** A number is an integer in units of 10 ** -decimals of `unit`. */
    readonly decimals: number;
    readonly unit: string;
    /** See Quantity: of telemetry alone. */
    readonly deadBand?: number;
  };
  /** Where its value comes from. */
  readonly source: Field | Compute;
  /** Bits: LAST, and those of the table. */
  readonly flags: number;
  /** All between the value of the row before and its own: comma, name of the object, name. */
  readonly lead: Uint8Array;
}

/** Flag: the last one of its object. */
export const LAST = 1;

const objectOf = (path = ""): string => path.slice(0, Math.max(path.indexOf("."), 0));

/**
 * The leads and the flags LAST of a table whose rows of one object stand together.
 * @param comma whether something stands before the first.
 */
export function placesOf(paths: readonly string[], comma: boolean): readonly Pick<Row, "flags" | "lead">[] {
  const leads = paths.map((path, at) => {
    const object = objectOf(path);
    const opening = object && object !== objectOf(paths[at - 1]) ? `"${object}":{` : "";
    return `${comma || at ? "," : ""}${opening}"${path.slice(path.indexOf(".") + 1)}":`;
  });
  return jsonParts(leads).map((lead, at) => {
    const object = objectOf(paths[at]);
    return { flags: object && object !== objectOf(paths[at + 1]) ? LAST : 0, lead };
  });
}

import type { Field } from "jk-bms/fields";
import type { Pack } from "./pack";
import type { Kind } from "./quantities";

export type Value = number | string | boolean;

/** Computes a value in units of the row's quantity. `asSent`: for the REST contract's documents, which have what the BMS sends. */
export type Compute = (pack: Pack, asSent?: boolean) => Value | undefined;

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
}

const objectOf = ({ path }: Row): string => path.slice(0, Math.max(path.indexOf("."), 0));

/** The rows with those of an object together, as a document is written: each object where its first row is. */
export function grouped<Of extends Row>(rows: readonly Of[]): readonly Of[] {
  return rows.flatMap((row, at) => {
    const object = objectOf(row);
    if (!object) return row;
    const isFirst = rows.findIndex((other) => objectOf(other) === object) === at;
    return isFirst ? rows.filter((other) => objectOf(other) === object) : [];
  });
}

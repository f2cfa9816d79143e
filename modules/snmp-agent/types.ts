/** The data an agent serves. */

/** Sub-identifiers of a name, as the characters of a text: `arcs`. In flash an array would take 16 bytes for each. */
export type Arcs = string;

/** Receives the value of one instance: one call of one method, or no call if the instance does not exist at the moment. */
export interface Value {
  /** INTEGER, Integer32. An integer of more than 32 bits does not exist (noSuchInstance); anything else throws a RangeError. */
  integer(value: number): void;
  /** TruthValue (RFC 2579): true(1), false(2). */
  truth(value: boolean): void;
  /** Counter32: wraps at 2^32. Throws a RangeError for negative or fractional numbers, as do `gauge` and `ticks`. */
  counter(value: number): void;
  /** Gauge32, Unsigned32: clamped to 2^32 - 1. */
  gauge(value: number): void;
  /** TimeTicks, hundredths of a second: wraps at 2^32. */
  ticks(value: number): void;
  /** DisplayString: truncated to MAX_DISPLAY_STRING characters; non-ASCII characters become `?`. */
  text(value: string): void;
  /** OCTET STRING: the bytes from `at` to `end`. */
  octets(bytes: Uint8Array, at?: number, end?: number): void;
  /** OBJECT IDENTIFIER: `ids`, optionally followed by `object` and the indices of its instance. */
  identifier(ids: Arcs, object?: number, instance?: number, second?: number): void;
}

/** Scalars with a common parent, or a table with one or two integer indices. Frozen data: values are read from `Context`. */
export interface Subtree<Context> {
  /** Prefix of the names: the parent of the scalars, or the table's entry. */
  readonly oid: Arcs;
  /** The sub-identifiers below it, ascending: scalars or columns. */
  readonly objects: Arcs;
  /** For a table: the index of the first row after `row`, from 1; 0 at the end. Omitted for scalars, whose one instance is 0. */
  readonly nextRow?: (context: Context, row: number) => number;
  /**
   * How rows are numbered in a table whose index may be 0, or that has two. 1: its index is row - 1. More: the first index is
   * floor(row / split) - 1, the second, from 1 to split - 2, is row % split. Omitted: the index is the row.
   */
  readonly split?: number;
  /** Passes the instance's value to `value`. There may be no such `row`. */
  readonly read: (value: Value, context: Context, object: number, row: number) => void;
}

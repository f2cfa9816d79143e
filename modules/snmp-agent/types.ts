/** What an agent serves. */

/** Takes the value of one instance: one call of one method, or none when there is no such instance at the moment. */
export interface Value {
  /** INTEGER, Integer32. Throws a RangeError for what is no whole number of 32 bits. */
  integer(value: number): void;
  /** TruthValue (RFC 2579): true(1), false(2). */
  truth(value: boolean): void;
  /** Counter32: wraps at 2^32. Throws a RangeError for what is no whole number from 0, as do `gauge` and `ticks`. */
  counter(value: number): void;
  /** Gauge32, Unsigned32: stops at 2^32 - 1. */
  gauge(value: number): void;
  /** TimeTicks, hundredths of a second: wraps at 2^32. */
  ticks(value: number): void;
  /** DisplayString: at most MAX_DISPLAY_STRING characters are taken, those that are not ASCII become `?`. */
  text(value: string): void;
  /** OCTET STRING: the bytes from `at` to `end`. */
  octets(bytes: Uint8Array, at?: number, end?: number): void;
  /** OBJECT IDENTIFIER: `ids` and at most two more. */
  identifier(ids: readonly number[], object?: number, instance?: number): void;
}

/**
 * Scalars with a common parent, or a table with one number as its index. Frozen data: `Context` is what the values come from.
 */
export interface Subtree<Context> {
  /** What the names begin with: the parent of the scalars, the entry of the table. */
  readonly oid: readonly number[];
  /** The numbers below it, ascending: the scalars, the columns. */
  readonly objects: readonly number[];
  /** A table: the index of the first row behind `row`, from 1; 0 when there is none. Without it: scalars, whose one instance is 0. */
  readonly nextRow?: (context: Context, row: number) => number;
  /** Gives the instance's value to `value`. `row` may be one that there is not. */
  readonly read: (value: Value, context: Context, object: number, row: number) => void;
}

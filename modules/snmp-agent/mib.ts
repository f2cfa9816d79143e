import { MAX_OID_KEPT } from "./limits";
import type { BerWriter } from "./ber-writer";
import { hasArc, type Oid } from "./oid";
import type { Subtree } from "./types";

/** Results of a look-up. */
export const FOUND = 0;
export const NO_OBJECT = 1;
const NO_INSTANCE = 2;
export type Found = typeof FOUND | typeof NO_OBJECT | typeof NO_INSTANCE;

/** An ordered set of subtrees, and the context their values are read from. Look-up and walk allocate nothing. */
export interface Mib<Context> {
  readonly context: Context;
  /** In OID order. */
  readonly subtrees: readonly Subtree<Context>[];
}

/** Object and indices at the end of an instance's name. */
const instanceLength = ({ split = 0 }: Subtree<never>): number => (split > 1 ? 3 : 2);

/** Throws a RangeError for names longer than MAX_OID_KEPT. */
export function checkNames(subtrees: readonly Subtree<never>[]): void {
  for (const subtree of subtrees)
    if (subtree.oid.length + instanceLength(subtree) > MAX_OID_KEPT) throw new RangeError("object name too long");
}

/** The row of the indices in `oid` from `at` on; missing ones count as 0, and a second one too large as the largest, which no row has. */
function rowAt({ split }: Subtree<never>, oid: Oid, at: number): number {
  const first = oid.at(at);
  if (!split) return first;
  return (first + 1) * split + (split > 1 ? Math.min(oid.at(at + 1), split - 1) : 0);
}

/** The first index of a row, and the second, if there is one. */
const firstOf = ({ split }: Subtree<never>, row: number): number => (split ? Math.floor(row / split) - 1 : row);
const secondOf = ({ split = 0 }: Subtree<never>, row: number): number | undefined =>
  split > 1 ? row % split : undefined;

/** Writes the name of an instance. */
export function writeName(writer: BerWriter, subtree: Subtree<never>, object: number, row: number): void {
  writer.identifier(subtree.oid, object, firstOf(subtree, row), secondOf(subtree, row));
}

/** Writes the value of the instance `oid`, if it exists. Throws what the subtree throws. */
export function writeInstance<Context>(mib: Mib<Context>, oid: Oid, writer: BerWriter): Found {
  for (const subtree of mib.subtrees) {
    const depth = subtree.oid.length;
    if (oid.length <= depth || oid.placeTo(subtree.oid)) continue;
    const object = oid.at(depth);
    if (!hasArc(subtree.objects, object)) continue;
    const row = rowAt(subtree, oid, depth + 1);
    if (oid.length !== depth + instanceLength(subtree) || (row === 0) === (subtree.nextRow !== undefined))
      return NO_INSTANCE;
    return read(mib, subtree, object, row, writer) ? FOUND : NO_INSTANCE;
  }
  return NO_OBJECT;
}

/**
 * Finds the first instance after `oid`, sets `oid` to its name and writes name and value. Returns false, and writes nothing, at the end of
 * the MIB. Throws what the subtree throws.
 */
export function writeNext<Context>(mib: Mib<Context>, oid: Oid, writer: BerWriter): boolean {
  for (const subtree of mib.subtrees) {
    const place = oid.placeTo(subtree.oid);
    if (place <= 0 && nextOf(mib, subtree, oid, place === 0, writer)) return true;
  }
  return false;
}

/** The first instance of `subtree`, or, if `oid` is `within` it, the first one after `oid`. */
function nextOf<Context>(
  mib: Mib<Context>,
  subtree: Subtree<Context>,
  oid: Oid,
  within: boolean,
  writer: BerWriter,
): boolean {
  const depth = subtree.oid.length;
  const from = within && oid.length > depth ? oid.at(depth) : 0;
  const { objects } = subtree;
  for (let index = 0; index < objects.length; index++) {
    const object = objects.charCodeAt(index);
    if (object < from) continue;
    // `oid` names an instance of this object: continue after it. Otherwise start with the first.
    const inside = within && oid.length > depth + 1 && object === from;
    if (subtree.nextRow) {
      let row = inside ? rowAt(subtree, oid, depth + 1) : 0;
      while ((row = subtree.nextRow(mib.context, row))) if (named(mib, subtree, object, row, oid, writer)) return true;
    } else if (!inside && named(mib, subtree, object, 0, oid, writer)) return true;
  }
  return false;
}

function named<Context>(
  mib: Mib<Context>,
  subtree: Subtree<Context>,
  object: number,
  row: number,
  oid: Oid,
  writer: BerWriter,
): boolean {
  const { length } = writer;
  writeName(writer, subtree, object, row);
  if (read(mib, subtree, object, row, writer)) {
    oid.setInstance(subtree.oid, object, firstOf(subtree, row), secondOf(subtree, row));
    return true;
  }
  writer.truncate(length);
  return false;
}

/** False: the instance has no value. */
function read<Context>(
  { context }: Mib<Context>,
  subtree: Subtree<Context>,
  object: number,
  row: number,
  writer: BerWriter,
): boolean {
  const { length } = writer;
  subtree.read(writer, context, object, row);
  return writer.length !== length || writer.overflowed;
}

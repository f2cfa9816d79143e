/**
 * An object with the members of `own` that has all those of `parts` as well, without a copy of any: each would take a slot of memory for
 * as long as the object is kept.
 */
export function inheriting<Parts extends object, Own extends object>(parts: Parts, own: Own): Parts & Own {
  return Object.assign(Object.create(parts) as Parts, own);
}

/**
 * An object with its own members `own` and the prototype `parts`. Copying the members instead would take a slot each
 * for as long as the object lives.
 */
export function inheriting<Parts extends object, Own extends object>(parts: Parts, own: Own): Parts & Own {
  return Object.assign(Object.create(parts) as Parts, own);
}

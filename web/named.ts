/** Texts come without their names (nameless.mjs): here they get them again. */

interface Names {
  readonly [name: string]: unknown;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A table's values are a list of their own, which a text may be too. */
export const named = (names: Names, values: readonly unknown[]): object =>
  Object.fromEntries(
    Object.entries(names).map(([name, inner], at) => {
      const value = values[at];
      return [name, inner && isList(value) && !isList(inner) ? named(inner as Names, value) : value];
    }),
  );

/** "a,b{c,d}" */
export const namesOf = (list: string): Names =>
  JSON.parse(`{${list.replace(/([^{},]+)({?)/g, (_, name, open) => `"${name}":${open || 0}`)}}`) as Names;

/** Parses command-line items of the form `KIND[:NAME=N]…`. */

/** A numeric option and the kinds it applies to (undefined: all). */
export interface OrderOption<Kind extends string> {
  readonly lowest: number;
  readonly highest: number;
  readonly kind?: Kind;
}

export type Order<Kind extends string> = { readonly kind: Kind } & Readonly<Record<string, number | Kind>>;

/**
 * Parses an item. Throws an Error with a message for the user if `text` is invalid.
 * @param noun what to call the item in messages
 * @param kinds each with a line of help
 */
export function parseOrder<Kind extends string>(
  noun: string,
  text: string,
  kinds: Readonly<Record<Kind, string>>,
  rules: Readonly<Record<string, OrderOption<Kind>>>,
): Order<Kind> {
  const [first = "", ...options] = text.trim().split(":");
  if (!Object.hasOwn(kinds, first))
    throw new Error(`no ${noun} is called "${first}"; there are: ${Object.keys(kinds).join(", ")}`);
  const kind = first as Kind;
  const values: Record<string, number> = {};
  for (const option of options) {
    const [name = "", value = ""] = option.split("=", 2);
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule || (rule.kind && rule.kind !== kind)) throw new Error(`${noun} ${kind} has no option "${name}"`);
    if (Object.hasOwn(values, name)) throw new Error(`${noun} ${kind} has ${name} twice`);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
    if (!(number >= rule.lowest && number <= rule.highest)) {
      throw new Error(
        `${name} of ${noun} ${kind} is a whole number from ${rule.lowest} to ${rule.highest}, not "${value}"`,
      );
    }
    values[name] = number;
  }
  return { kind, ...values };
}

/** The kinds with their explanations, one per line, for --help. */
export function orderHelp(kinds: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(kinds).map(({ length }) => length)) + 2;
  return Object.entries(kinds)
    .map(([kind, help]) => `  ${kind.padEnd(width)}${help}`)
    .join("\n");
}

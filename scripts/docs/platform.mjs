/** Finds what the firmware asks of the platform, and what of it a page does not name. */

/** Calls that cannot fail and require nothing: XS's own, copies, comparisons and the square root of the C library, and what only initializes or frees. */
const HARMLESS =
  /^(xs\w+|c_(free|strcmp|memcpy)|mem(cpy|cmp|set)|str\w+|snprintf|sqrt|fputs|fflush|free|mbedtls_\w+_(init|free))$/;
/** Keywords and macros look like calls. */
const NO_CALL = /^(if|for|while|switch|return|sizeof|do|defined|[A-Z][A-Z0-9_]*|u?int\d+_t|__\w+)$/;

/** Comments and texts contain no calls. */
const bare = (source) =>
  source.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "").replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, '""');

/** Names of the functions that C `sources` define. */
const defined = (source) =>
  [...source.matchAll(/^(?:static |inline |const |struct )*\w+[\w *]*?\b(\w+)\([^;{}]*\)\s*\{/gm)].map(
    ([, name]) => name,
  );

/** @returns the functions of the platform that these C files call */
export function platformCalls(sources) {
  const texts = sources.map(bare);
  const own = new Set(texts.flatMap(defined));
  const called = new Set(texts.flatMap((text) => [...text.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].map(([, name]) => name)));
  return [...called].filter((name) => !own.has(name) && !NO_CALL.test(name) && !HARMLESS.test(name)).sort();
}

/** @returns the platform's modules that these scripts import as values: specifiers of the folder's own modules begin with `own` or a dot */
export function platformModules(sources, own) {
  const imported = sources.flatMap((text) =>
    [...text.matchAll(/^import (?!type\b)[^;]*?from "([^"]+)";/gm)].map(([, specifier]) => specifier),
  );
  return [...new Set(imported)]
    .filter((specifier) => !specifier.startsWith(".") && !own.some((folder) => specifier.startsWith(`${folder}/`)))
    .sort();
}

/** What `text`, the page at `path`, does not name in code. */
export function unnamed(path, text, names) {
  const told = new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code));
  return names.filter((name) => !told.has(name)).map((name) => `${path} does not name ${name}`);
}

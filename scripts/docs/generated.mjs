/** What a mistake in a table leaves behind in a text made from it. */
const LEFT_BEHIND = /\b(?:NaN|Infinity|undefined)\b|\[object \w+\]/;

/** The text of a generated file. Throws if a value is missing in it. */
export function complete(path, text) {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => LEFT_BEHIND.test(line));
  if (at >= 0) throw new Error(`${path}:${at + 1} would be: ${lines[at]?.trim()}`);
  return text;
}

/** JSON of a generated document. Throws where JSON would turn a missing value into null; it omits members that are undefined. */
export const completeJson = (path, document) =>
  JSON.stringify(document, function (key, value) {
    const isMissing = typeof value === "number" ? !Number.isFinite(value) : value === undefined && Array.isArray(this);
    if (isMissing) throw new Error(`${path}: ${key} would be ${value}`);
    return value;
  });

/** What the characters of a text setting may be. */
export type TextRule = "name" | "hostname" | "token" | "ascii";

export function textWords(rule: TextRule): string {
  switch (rule) {
    case "name":
      return "printable characters, not all blanks";
    case "hostname":
      return "letters, digits and hyphens, no hyphen first or last (RFC 1123)";
    case "token":
      return "printable ASCII characters without blanks";
    case "ascii":
      return "printable ASCII characters";
  }
}

/** True when `text` has `minimum` to `maximum` characters (code points) and all of them, and their places, follow `rule`. */
export function isText(rule: TextRule, text: string, minimum: number, maximum: number): boolean {
  // Two UTF-16 units make at most one character: whatever is longer need not be looked through.
  if (text.length > 2 * maximum) return false;
  let count = 0;
  let blanks = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) as number;
    if (code > 0xffff) index++;
    count++;
    if (code === 0x20) blanks++;
    switch (rule) {
      case "name":
        if (!isPrintable(code)) return false;
        break;
      case "hostname":
        if (!isAlphanumeric(code) && code !== 0x2d) return false;
        break;
      case "token":
        if (code < 0x21 || code > 0x7e) return false;
        break;
      case "ascii":
        if (code < 0x20 || code > 0x7e) return false;
        break;
    }
  }
  if (count < minimum || count > maximum) return false;
  if (rule === "name") return blanks < count;
  return rule !== "hostname" || (!text.startsWith("-") && !text.endsWith("-"));
}

/** Anything but control characters (C0, DEL, C1) and lone surrogates, which have no UTF-8. */
const isPrintable = (code: number): boolean =>
  code >= 0x20 && !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code <= 0xdfff);

const isAlphanumeric = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

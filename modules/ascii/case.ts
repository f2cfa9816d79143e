import TextDecoder from "text/decoder";
import TextEncoder from "text/encoder";

const LETTERS = 26;
const CASE = 0x20;

/** The letters of ASCII that begin at `first` in the other case; all else is as it was. */
function withOther(first: number, text: string): string {
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  let hasChanged = false;
  // A variable of a loop is recreated by XS in each iteration.
  let at = 0;
  while (at < length) {
    const letter = (bytes[at] as number) - first;
    if (letter >= 0 && letter < LETTERS) {
      bytes[at] = (letter + first) ^ CASE;
      hasChanged = true;
    }
    at++;
  }
  return hasChanged ? new TextDecoder().decode(bytes) : text;
}

/**
 * `text` with its letters from A to Z in lower case, as protocols compare names (RFC 9110 section 5.1, RFC 4343). Not toLowerCase, which takes
 * K, the sign of Kelvin, for a k, and 12 KB of flash for its tables.
 */
export const lowerCase = (text: string): string => withOther(0x41, text);

/** With its letters from a to z in upper case. */
export const upperCase = (text: string): string => withOther(0x61, text);

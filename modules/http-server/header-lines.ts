/**
 * Header lines as they are sent, for a table in flash: the server writes them with one native call; the text of a pair takes XS some 40 steps
 * per character. Throws a RangeError for characters that could break out of the line or are not ASCII.
 */
export function headerLines(lines: readonly (readonly [name: string, value: string])[]): string {
  let all = "";
  for (const [name, value] of lines) {
    if (!name || name.includes(":")) throw new RangeError("malformed header name");
    const line = `${name}: ${value}`;
    for (let index = 0; index < line.length; index++) {
      const code = line.charCodeAt(index);
      if (code < 0x20 || code > 0x7e) throw new RangeError("malformed header text");
    }
    all += `${line}\r\n`;
  }
  return all;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether the JSON text nests objects and arrays at most `limit` deep. Does not check that it is JSON. */
export function isShallow(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inText) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > limit) return false;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return true;
}

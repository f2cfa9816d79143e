/**
 * Whether `bytes` are UTF-8 (RFC 3629 section 4): no stray or missing continuation bytes, no overlong forms, no
 * surrogates, nothing above U+10FFFF. A decoder would silently replace invalid bytes by U+FFFD.
 */
export function isUtf8(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let index = 0; index < length;) {
    const lead = bytes[index++] as number;
    if (lead < 0x80) continue;
    let following: number;
    let low = 0x80;
    let high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) following = 1;
    else if (lead >= 0xe0 && lead <= 0xef) {
      following = 2;
      if (lead === 0xe0) low = 0xa0;
      else if (lead === 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      following = 3;
      if (lead === 0xf0) low = 0x90;
      else if (lead === 0xf4) high = 0x8f;
    } else return false;
    for (; following > 0; following--) {
      const byte = bytes[index++];
      if (byte === undefined || byte < low || byte > high) return false;
      low = 0x80;
      high = 0xbf;
    }
  }
  return true;
}

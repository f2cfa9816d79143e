const HEX = "0123456789abcdef";

export function hexOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += (HEX[byte >> 4] as string) + (HEX[byte & 15] as string);
  return text;
}

/** Undefined unless `text` is an even number of lower-case hexadecimal digits. */
export function hexBytes(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length >> 1);
  for (let index = 0; index < text.length; index++) {
    const digit = HEX.indexOf(text[index] as string);
    if (digit < 0) return undefined;
    bytes[index >> 1] = ((bytes[index >> 1] as number) << 4) | digit;
  }
  return text.length & 1 ? undefined : bytes;
}

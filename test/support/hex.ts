/** Bytes as "01 AB". */
export const hex = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");

export const unhex = (text: string): Uint8Array =>
  Uint8Array.from(text.replaceAll("\n", " ").split(" ").filter(Boolean), (digits) => parseInt(digits, 16));

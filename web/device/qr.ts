/**
 * QR codes (ISO/IEC 18004) of addresses: byte mode, level L, versions 1 to 5, whose codewords are one block, mask 0. A library that knows all
 * versions, levels and modes takes three times the flash.
 */

/** Codewords of each version, and how many of them are checks. */
const WORDS = [26, 44, 70, 100, 134];
const CHECKS = [7, 10, 15, 20, 26];
/** Level L and mask 0, with their BCH code and mask. */
const FORMAT = 0x77c4;
const PADDING = [0xec, 0x11];
const BYTE_MODE = 4;

/** Product in GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let factor = one, rest = other; rest; rest >>= 1) {
    if (rest & 1) product ^= factor;
    factor <<= 1;
    if (factor & 0x100) factor ^= 0x11d;
  }
  return product;
}

/** The checks of Reed and Solomon. */
function checksOf(data: readonly number[], count: number): number[] {
  const divisor = Array.from({ length: count }, (_, at) => Number(at === count - 1));
  for (let times = 0, root = 1; times < count; times++, root = multiply(root, 2))
    for (let at = 0; at < count; at++)
      divisor[at] = multiply(divisor[at] as number, root) ^ (at + 1 < count ? (divisor[at + 1] as number) : 0);
  const rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ (rest.shift() as number);
    rest.push(0);
    divisor.forEach((part, at) => (rest[at] = (rest[at] as number) ^ multiply(part, factor)));
  }
  return rest;
}

/** All codewords of the bytes; undefined: they are too many. */
function wordsOf(bytes: Uint8Array): { readonly version: number; readonly words: readonly number[] } | undefined {
  const at = WORDS.findIndex((all, version) => bytes.length + 2 <= all - (CHECKS[version] as number));
  if (at < 0) return undefined;
  // Mode and length take twelve bits, so that each byte lies in two words.
  const nibbles = [
    BYTE_MODE,
    bytes.length >> 4,
    bytes.length & 15,
    ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]),
    0,
  ];
  const data = Array.from(
    { length: nibbles.length / 2 },
    (_, word) => ((nibbles[2 * word] as number) << 4) | (nibbles[2 * word + 1] as number),
  );
  const count = CHECKS[at] as number;
  for (let pad = 0; data.length < (WORDS[at] as number) - count; pad++) data.push(PADDING[pad % 2] as number);
  return { version: at + 1, words: [...data, ...checksOf(data, count)] };
}

/** Rows of modules, true: dark, without the margin of four light ones; undefined: the text is longer than 106 bytes. */
export function qrCode(text: string): boolean[][] | undefined {
  const { version, words } = wordsOf(new TextEncoder().encode(text)) ?? {};
  if (!version || !words) return undefined;
  const size = 17 + 4 * version;
  const rows: (boolean | undefined)[][] = Array.from({ length: size }, () =>
    Array.from({ length: size }, () => undefined),
  );
  const set = (x: number, y: number, isDark: boolean): void => {
    const row = rows[y];
    if (row && x >= 0 && x < size) row[x] = isDark;
  };
  /** Squares within each other; `light`: the distances from the middle that are light. */
  const square = (x: number, y: number, reach: number, light: readonly number[]): void => {
    for (let down = -reach; down <= reach; down++)
      for (let right = -reach; right <= reach; right++)
        set(x + right, y + down, !light.includes(Math.max(Math.abs(right), Math.abs(down))));
  };
  for (let at = 8; at < size - 8; at++) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, [2, 4]);
  if (version > 1) square(size - 7, size - 7, 2, [1]);
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((FORMAT >> bit) & 1) === 1;
    // Around the finder at the top left, past the timing; then along the other two.
    const near = bit < 6 ? bit : bit + 1;
    if (bit < 8) set(8, near, isDark);
    else set(bit === 8 ? 7 : 14 - bit, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  }
  set(8, size - 8, true);
  let bit = 0;
  // Two columns at a time, up and down, past the timing.
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < 2 * size; step++) {
      const x = right - (step & 1);
      const down = step >> 1;
      const y = (right + 1) & 2 ? down : size - 1 - down;
      if (rows[y]?.[x] !== undefined) continue;
      const isDark = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
      set(x, y, isDark !== ((x + y) % 2 === 0));
      bit++;
    }
  }
  return rows.map((row) => row.map(Boolean));
}

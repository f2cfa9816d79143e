/** Captured traffic of real packs in test/fixtures/captures (sources in its SOURCES.md). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { unhex } from "../hex";

// The soak's bundle lies elsewhere, and is run from the project's folder.
const beside = fileURLToPath(new URL("../../fixtures/captures/", import.meta.url));
const folder = existsSync(beside) ? beside : "test/fixtures/captures/";

export const captureNames = readdirSync(folder)
  .filter((file) => file.endsWith(".hex"))
  .map((file) => file.replace(".hex", ""));

export const capturePath = (name: string): string => `${folder}${name}.hex`;

export const captureText = (name: string): string => readFileSync(capturePath(name), "utf8");

export const capture = (name: string): Uint8Array =>
  unhex(
    captureText(name)
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .join(" "),
  );

/** Without what the BMS is doing and what is set in the vendor's app, which `expected`, decoded by others, does not have: decode.test.ts. */
export function expectable(decoded: object): unknown {
  const document: Record<string, unknown> = { ...decoded };
  for (const own of ["outputs", "others", "switchesOn"]) delete document[own];
  return document;
}

export const expected = (name: string): unknown =>
  JSON.parse(readFileSync(`${folder}${name}.expected.json`, "utf8")) as unknown;

/** Offsets of 16-bit and 32-bit values in the blocks, from the tables of docs/jk-modbus.md; the rest is bytes and text. */
const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: (to - from) / step }, (_, index) => from + index * step);
const WORDS: Record<number, readonly number[]> = {
  1: [0x114],
  2: [
    ...range(0, 0x40, 2),
    ...range(0x44, 0x48, 2),
    ...range(0x4a, 0x8c, 2),
    ...range(0x9c, 0xa0, 2),
    0xa4,
    0xba,
    ...range(0xc2, 0xd0, 2),
    ...range(0xd2, 0xdc, 2),
    ...range(0xe0, 0xe8, 2),
    ...range(0xf8, 0x100, 2),
    0x110,
  ],
  3: [0xb0],
};
const DOUBLE_WORDS: Record<number, readonly number[]> = {
  1: range(0, 0x114, 4),
  2: [
    0x40,
    ...range(0x8c, 0x9c, 4),
    0xa0,
    ...range(0xa8, 0xb8, 4),
    0xbc,
    0xdc,
    ...range(0xf0, 0xf8, 4),
    ...range(0x100, 0x10c, 4),
  ],
  3: [0x20, 0x24, ...range(0xe8, 0x104, 4)],
};

/** The same block in the other byte order: frames are little-endian, FC03 replies big-endian. */
export function swapped(block: number, payload: Uint8Array): Uint8Array {
  const result = Uint8Array.from(payload);
  for (const at of WORDS[block] as number[]) result.subarray(at, at + 2).reverse();
  for (const at of DOUBLE_WORDS[block] as number[]) result.subarray(at, at + 4).reverse();
  return result;
}

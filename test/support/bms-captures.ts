import { readFileSync } from "node:fs";

const FOLDER = new URL("../fixtures/captures/", import.meta.url);

/** The bytes of a captured frame, request or reply (lines that begin with # are remarks). */
export function capture(name: string): Uint8Array {
  const text = readFileSync(new URL(`${name}.hex`, FOLDER), "utf8").replace(/^#.*$/gm, "");
  return Uint8Array.from(text.trim().split(/\s+/), (byte) => parseInt(byte, 16));
}

import { headerBytes } from "http-server/header-bytes";
import type { HeaderLine } from "http-server/types";

/** What a page of this device may load: its own files. Nothing inline, nothing from elsewhere, in nobody's frame. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** Header lines of every answer. */
export const SECURITY_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [
    headerBytes([
      ["Content-Security-Policy", POLICY],
      ["X-Content-Type-Options", "nosniff"],
      ["Referrer-Policy", "no-referrer"],
    ]),
  ],
  true,
);

/** Header lines of what no cache may keep. */
export const NO_STORE_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [...SECURITY_HEADERS, headerBytes([["Cache-Control", "no-store"]])],
  true,
);

/** Those and one more. */
export const withHeader = (name: string, value: string): readonly HeaderLine[] => [...NO_STORE_HEADERS, [name, value]];

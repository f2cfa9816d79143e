import { headerLines } from "http-server/header-lines";
import type { HeaderLine } from "http-server/types";
import { POLICY } from "./policy";

/** Header lines of every response. */
export const SECURITY_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [
    headerLines([
      ["Content-Security-Policy", POLICY],
      ["X-Content-Type-Options", "nosniff"],
      ["Referrer-Policy", "no-referrer"],
    ]),
  ],
  true,
);

/** Header lines of responses that must not be cached. */
export const NO_STORE_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [...SECURITY_HEADERS, headerLines([["Cache-Control", "no-store"]])],
  true,
);

/** NO_STORE_HEADERS and one more line. */
export const withHeader = (name: string, value: string): readonly HeaderLine[] => [...NO_STORE_HEADERS, [name, value]];

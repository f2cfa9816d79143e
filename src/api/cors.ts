import { headerLines } from "http-server/header-lines";
import type { HeaderLine } from "http-server/types";

/** Header lines of every response under /api, errors included: readable by any page, not cacheable. */
export const API_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [
    headerLines([
      ["Access-Control-Allow-Origin", "*"],
      ["Access-Control-Allow-Methods", "GET, POST, OPTIONS"],
      ["Access-Control-Allow-Headers", "Content-Type, Authorization"],
      ["Cache-Control", "no-store"],
    ]),
  ],
  true,
);

/** Browsers may cache the preflight's response for a day (Fetch standard, CORS-preflight cache), which saves one request per poll. */
export const PREFLIGHT_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [...API_HEADERS, headerLines([["Access-Control-Max-Age", "86400"]])],
  true,
);

/** When this browser shows the page. */
import { keep, kept } from "./preferences";
import { lookBefore } from "./since";

const KEY = "looked";
/** ms between notes that the page is still looked at: a browser that is ended tells nobody. */
const NOTE_INTERVAL = 60_000;

const now = (): number => Math.floor(Date.now() / 1_000);
const note = (): void => keep(KEY, String(now()));

/** Undefined until the page is looked at. */
let before: { readonly time: number | undefined } | undefined;

function look(): void {
  before = { time: lookBefore(kept(KEY), now()) };
  note();
}

/** When the page was looked at before it is now, seconds since 1970; undefined: never, or a moment ago. The first call begins it. */
export function lookedBefore(): number | undefined {
  if (!before) {
    look();
    document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? look() : note()));
    setInterval(() => document.visibilityState === "visible" && note(), NOTE_INTERVAL);
  }
  return before?.time;
}

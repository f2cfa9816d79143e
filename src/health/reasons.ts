import type { Cause, Reason, ResetReason } from "./types";

/** By ESP-IDF's `esp_reset_reason_t`. */
export const REASONS: readonly ResetReason[] = Object.freeze(
  [
    "unknown",
    "power-on",
    "external",
    "software",
    "panic",
    "interrupt-watchdog",
    "task-watchdog",
    "watchdog",
    "deep-sleep",
    "brown-out",
    "sdio",
    "usb",
    "jtag",
    "efuse",
    "power-glitch",
    "cpu-lockup",
  ] as const,
  true,
);

/** By the number that is kept over the restart: a new one goes to the end. 0: none. */
export const CAUSES: readonly (Cause | "")[] = Object.freeze(
  ["", "ordered", "update", "update-rejected", "factory-reset", "no-poll", "no-listener", "low-memory"] as const,
  true,
);

/** Starts that say nothing of the firmware that ran before. */
export const INNOCENT: readonly Reason[] = Object.freeze(
  ["power-on", "external", "deep-sleep", "usb", "jtag"] as const,
  true,
);

/** Restarts that a person wanted, or that another image follows. */
export const WANTED: readonly Reason[] = Object.freeze(
  ["ordered", "update", "update-rejected", "factory-reset"] as const,
  true,
);

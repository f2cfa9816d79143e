import type { Cause, Reason, ResetReason } from "./types";

/** Indexed by ESP-IDF's `esp_reset_reason_t`. */
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

/** Indexed by the number retained across the restart: append only. 0: none. */
export const CAUSES: readonly (Cause | "")[] = Object.freeze(
  [
    "",
    "ordered",
    "update",
    "update-rejected",
    "factory-reset",
    "no-poll",
    "no-listener",
    "low-memory",
    "no-wifi",
  ] as const,
  true,
);

/** Reset reasons that do not incriminate the previous firmware run. */
export const INNOCENT: readonly Reason[] = Object.freeze(
  ["power-on", "external", "deep-sleep", "usb", "jtag"] as const,
  true,
);

/** Restarts requested by a user, or that boot a different image. */
export const WANTED: readonly Reason[] = Object.freeze(
  ["ordered", "update", "update-rejected", "factory-reset"] as const,
  true,
);

/** Reset reason reported by the chip. */
export type ResetReason =
  | "unknown"
  | "power-on"
  | "external"
  | "software"
  | "panic"
  | "interrupt-watchdog"
  | "task-watchdog"
  | "watchdog"
  | "deep-sleep"
  | "brown-out"
  | "sdio"
  | "usb"
  | "jtag"
  | "efuse"
  | "power-glitch"
  | "cpu-lockup";

/** Why the firmware restarted the chip. */
export type Cause =
  "ordered" | "update" | "update-rejected" | "factory-reset" | "no-poll" | "no-listener" | "low-memory";

/** `script-aborted`: XS ended the script (an uncaught exception, memory or stack exhausted). */
export type Reason = ResetReason | Cause | "script-aborted";

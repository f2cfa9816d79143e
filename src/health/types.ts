/** What has started the chip. */
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

/** Why the firmware restarts the chip itself. */
export type Cause =
  "ordered" | "update" | "update-rejected" | "factory-reset" | "no-poll" | "no-listener" | "low-memory";

export type Reason = ResetReason | Cause;

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
  "ordered" | "update" | "update-rejected" | "factory-reset" | "no-poll" | "no-listener" | "low-memory" | "no-wifi";

/** `script-aborted`: XS ended the script (an uncaught exception, memory or stack exhausted). */
export type Reason = ResetReason | Cause | "script-aborted";

/** Why the device started, and how often since power-on. */
export interface Start {
  readonly reason: string;
  /** Restarts since power-on. */
  readonly restarts: number;
  /** Where it crashed; empty: no crash, or unknown. */
  readonly where: string;
  /** Only what is needed to repair the device runs. */
  readonly safe: boolean;
}

/**
 * Memory figures, bytes. The system heap is always available on the chip; those of the XS machine are counted only in instrumented builds
 * of the Moddable SDK (mcconfig -i, mcconfig -d), and undefined in a release build.
 */
export interface MemoryFigures {
  /** Used by slots, garbage included. */
  readonly slots: number | undefined;
  /** Used by chunks, garbage included. */
  readonly chunks: number | undefined;
  /** Free heap of the operating system, from which the XS machine's memory is also allocated: now, the minimum since the start … */
  readonly free: number | undefined;
  readonly leastFree: number | undefined;
  /** … and the largest free block. */
  readonly largestBlock: number | undefined;
  /** Garbage collections since the start. */
  readonly collections: number | undefined;
}

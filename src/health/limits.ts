/** Thresholds of the health checks. Times in ms. */

/**
 * Uptime after which a run counts as stable: longer than the supervisor and the task watchdog (30 s) take to end a
 * failing one.
 */
export const STABLE_AFTER = 120_000;
/** Consecutive restarts without a stable run after which the relay stays off until there is one. */
export const RELAY_RESTARTS = 2;
/** The same, for safe mode. */
export const SAFE_RESTARTS = 5;

/** Period of the supervisor's checks. */
export const SUPERVISION_INTERVAL = 5_000;
/** Maximum time without a new BMS poll, in addition to the poll interval. */
export const POLL_LIMIT = 60_000;
/** Minimum free system heap for lwIP and Wi-Fi, bytes: in total, and the largest block (one full frame plus header). */
export const MIN_FREE = 6_144;
export const MIN_BLOCK = 2_048;
/** Consecutive checks below the minimum before a restart. */
export const MEMORY_LOOKS = 3;

/**
 * What must be free of XS's memory for a connection or a request to be admitted, slots and bytes of chunks: what the largest request has alive
 * at most, and what the device itself may need at the same time (docs/performance.md). Otherwise: 503.
 */
export const FLOOR_SLOTS = 400;
export const FLOOR_CHUNKS = 8_192;

/** Sampling period of the button, short enough to catch every press. */
export const BUTTON_INTERVAL = 50;
/** The time between two looks counts as held up to this: during a longer one the button may have been released and pressed again. */
export const BUTTON_GAP = 250;
/** Hold times for opening the access point (on release) and for resetting the settings. */
export const HOLD_ACCESS_POINT = 5_000;
export const HOLD_RESET = 15_000;
/** How long a press proves physical access: at the first start that permits choosing the password. */
export const PRESENCE = 120_000;
/** Duration of one step of the status LED's pattern. */
export const LED_INTERVAL = 125;

/** Interval at which parts that could not be started are tried again. */
export const RETRY_PARTS = 10_000;
/** At the third exception of what the device cannot be without, within this time, it restarts. */
export const FAULTS_WITHIN = 600_000;
/** Longest reason kept of why one has failed, characters: a line of the log also has the part's name. */
export const MAX_REASON = 48;

/** Time from a start that failed to the restart: long enough to hold the button. */
export const RESTART_AFTER_FAILED_START = 60_000;

/** When the device counts as ill, and what it keeps across a restart. Times in ms. */

/** A run of this length was a good one: longer than the supervisor and the task watchdog (30 s) need to end a bad one. */
export const STABLE_AFTER = 120_000;
/** Restarts, each before a good run, after which the relay stays off until there is one. */
export const RELAY_RESTARTS = 2;
/** The same for safe mode. */
export const SAFE_RESTARTS = 5;

/** The supervisor looks this often. */
export const SUPERVISION_INTERVAL = 5_000;
/** No poll of the BMS was begun for this long, on top of the poll interval. */
export const POLL_LIMIT = 60_000;
/** What lwIP and Wi-Fi need to go on, bytes: of the system's heap in all, and in one piece (a full frame and its header). */
export const MIN_FREE = 6_144;
export const MIN_BLOCK = 2_048;
/** Looks in a row that found less. */
export const MEMORY_LOOKS = 3;

/** The button is looked at this often, so that no short press is missed; held so long and let go it opens the access point, held so long it resets the settings. */
export const BUTTON_INTERVAL = 50;
export const HOLD_ACCESS_POINT = 5_000;
export const HOLD_RESET = 15_000;
/** A press shows for so long that somebody is at the device: at the first start they may choose the password. */
export const PRESENCE = 120_000;
/** One step of the status LED's pattern. */
export const LED_INTERVAL = 125;

/** The record of the start, at the beginning of the memory that outlives a restart, bytes. */
export const START_BYTES = 16;
/** That memory in all: behind the record are the lines of the log (src/events/limits.ts). */
export const KEPT_BYTES = 3_088;

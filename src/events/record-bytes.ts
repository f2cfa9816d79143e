/** The bytes of an event in flash (docs/history.md): offsets from the beginning of a record. */
import type { StoredCode } from "./types";

/** Index of CODES. */
export const EVENT_CODE = 5;
/** How often since the record before, 1 to MAX_COUNT. */
export const EVENT_COUNT = 6;
/** Restarts since power-on, and seconds since the start. */
export const EVENT_RESTARTS = 7;
export const EVENT_UPTIME = 9;
/** Address of the pack. */
export const EVENT_PACK = 13;
/** Length of the parameters, and these, printable ASCII and tabs. */
export const EVENT_LENGTH = 14;
export const EVENT_TEXT = 15;
export const EVENT_TEXT_BYTES = 64;
/** With a check at the end. */
export const EVENT_BYTES = EVENT_TEXT + EVENT_TEXT_BYTES + 1;

export const MAX_COUNT = 254;

/** What is kept in flash; a record has the index. Append only. Not here: what only says how the device is, such as its relay's state. */
export const CODES: readonly StoredCode[] = Object.freeze<readonly StoredCode[]>(
  [
    "started",
    "crashed",
    "safe-mode",
    "stopped",
    "button",
    "bms-online",
    "bms-offline",
    "other-master",
    "other-master-gone",
    "alarm-raised",
    "alarm-cleared",
    "write",
    "settings-changed",
    "older-update",
    "password-lost",
    "start-reason",
    "sign-in-refused",
    "pack-online",
    "pack-offline",
    "pack-swapped",
    "all-packs-ended",
    "clock-set",
    "no-reply",
    "condition-raised",
    "condition-cleared",
    "setting-changed",
  ],
  true,
);

/** Limits and timing of Modbus TCP. Times are milliseconds. */

/** Clients at once, of the connections that the device serves (modules/http-server): the last five places are always HTTP's. A further one is closed. */
export const MAX_CLIENTS = 3;
/** A client that asks for nothing is closed after this: they poll every 30 to 60 s. */
export const IDLE_MS = 120_000;
/** One that has been idle for longer than they poll, with 5 s to spare, gives way to another of its address. */
export const POLL_MS = 65_000;
/** From the first byte of a request to its last. Longer: closed. A client that has never asked anything gives way to a new one after it. */
export const REQUEST_MS = 2_000;
/** A reply has to be acknowledged within this. Longer: closed. */
export const REPLY_MS = 10_000;
/** Interval of the check: each of these may be met this much late. */
export const TICK_MS = 500;

/** A model of more registers than one read may ask for is read in pieces: those that one client asks for within this time are of one moment. */
export const SNAPSHOT_MS = 5_000;

/** Register of "SunS". Clients look for it at 40000, 50000 and 0. */
export const SUNSPEC_BASE = 40_000;
/** First register of the project's own block. */
export const OWN_BASE = 1_000;

/** Units: the bank, or the pack if there is one … */
export const BANK_UNIT = 1;
/** … and each pack, at this plus its address. */
export const PACK_UNITS = 100;

/** Cells that model 805 always has room for. */
export const MODULE_CELLS = 24;

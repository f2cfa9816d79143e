/** The limits of the energy counters. */

export const JOULES_PER_WATT_HOUR = 3_600;

/** Between two valid replies that are integrated over there are at most this many poll intervals … */
export const MAX_GAP_POLLS = 3;
/** … or this long, ms, whichever is more: what the pack did in a longer gap is not known. */
export const MIN_GAP_LIMIT = 5_000;

/** Stored when this much has gone through the pack since the last time, J (100 Wh) … */
export const STORE_ENERGY = 360_000;
/** … but never within this time of it, ms: above 6 kW this is what spares the flash. */
export const MIN_STORE_INTERVAL = 60_000;
/** Stored after this time, ms, if anything has gone through at all. */
export const MAX_STORE_INTERVAL = 15 * 60_000;

/** Joules that a counter may hold when it is read back, 277 GWh: whatever is more is no counter of this device. */
export const MAX_JOULES = 1e15;
/** Characters of the stored text: three numbers of at most 16 digits. */
export const MAX_STORED_CHARACTERS = 50;

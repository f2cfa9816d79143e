/** Limits of the energy counters. */

export const JOULES_PER_WATT_HOUR = 3_600;

/** A gap between two valid replies is integrated up to this many poll intervals … */
export const MAX_GAP_POLLS = 3;
/** … or this long, ms, whichever is longer: what the pack did in a longer gap is unknown. */
export const MIN_GAP_LIMIT = 5_000;

/** The counters are stored once this much energy has flowed since the last store, J (100 Wh) … */
export const STORE_ENERGY = 360_000;
/** … but no more often than this, ms: above 6 kW this limits flash wear. */
export const MIN_STORE_INTERVAL = 60_000;
/** They are stored after this time, ms, if any energy has flowed at all. */
export const MAX_STORE_INTERVAL = 15 * 60_000;

/** Largest plausible stored counter, J (277 GWh); a higher value is rejected as corrupt. */
export const MAX_JOULES = 1e15;
/** Maximum length of the stored text: three numbers of up to 16 digits. */
export const MAX_STORED_CHARACTERS = 50;

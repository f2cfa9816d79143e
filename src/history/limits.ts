/** The limits of the history. */

/** One place is this long, s … */
export const SLOT_SECONDS = 120;
/** … and there are this many: 12 hours, 2,520 bytes. */
export const SLOTS = 360;

/** Watts a unit of the stored power: 16 bits reach to ±327 kW. */
export const POWER_UNIT = 10;
/** Bytes of the longest row: "-43140,100,-327670,65.535,65.535" and its line end. */
export const MAX_ROW_BYTES = 36;

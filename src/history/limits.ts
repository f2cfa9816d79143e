/** Limits of the history. */

/** Duration of a slot, s … */
export const SLOT_SECONDS = 120;
/** … and number of slots: 12 hours, 2,520 bytes. */
export const SLOTS = 360;

/** Watts per unit of stored power: 16 bits cover ±327 kW. */
export const POWER_UNIT = 10;
/** Bytes of the longest row: "-43140,100,-327670,65.535,65.535" plus CRLF. */
export const MAX_ROW_BYTES = 36;

/** Thresholds and timing of SNMP. */

/** Minimum current, mA, to count as discharging and as "on battery": below it is shunt noise. */
export const DISCHARGING = 200;
/** State of charge, %, at which the battery counts as low. */
export const LOW_CHARGE = 10;
/** The battery is empty with one of these bits of the alarm word: cell and battery under-voltage. */
export const UNDERVOLTAGE = (1 << 11) | (1 << 12);
/** Interval of the check for changes of the relay, the network link and, of several packs, the bank, ms. */
export const TICK = 1_000;

/** Thresholds and timing of SNMP. */

/** Minimum current, mA, to count as discharging and as "on battery": below it is shunt noise. */
export const DISCHARGING = 200;
/** State of charge, %, at which the battery counts as low. */
export const LOW_CHARGE = 10;
/** Interval of the check for changes of the relay and the network link, ms. */
export const TICK = 1_000;

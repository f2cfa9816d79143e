/** Thresholds and timing of SNMP. */

/** Minimum current, mA, to count as discharging and as "on battery": below it is shunt noise. */
export const DISCHARGING = 200;
/** State of charge, %, at which the battery counts as low. */
export const LOW_CHARGE = 10;
/** Interval of the check for changes of the relay and the network link, ms. */
export const TICK = 1_000;
/** How long a receiver's resolved address is used before its name is looked up again, ms. */
export const RESOLVE_AGAIN = 300_000;
/** Pause before a failed or unanswered look-up is retried, ms. */
export const RESOLVE_RETRY = 30_000;

/** What the values of the standard MIBs are judged by. */

/** The pack counts as discharging, and the device as "on battery", from this current on, mA: below it is the noise of the shunt. */
export const DISCHARGING = 200;
/** State of charge, %, from which on the battery is low. */
export const LOW_CHARGE = 10;
/** How often it is looked whether the relay or the network link has changed, ms. */
export const TICK = 1_000;
/** How long an address of a receiver is used before its name is looked up again, ms. */
export const RESOLVE_AGAIN = 300_000;
/** How long a name that has no address, or has not got an answer, is left alone, ms. */
export const RESOLVE_RETRY = 30_000;

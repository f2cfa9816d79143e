/** What the values of the standard MIBs are judged by. */

/** The pack counts as discharging, and the device as "on battery", from this current on, mA: below it is the noise of the shunt. */
export const DISCHARGING = 200;
/** State of charge, %, from which on the battery is low. */
export const LOW_CHARGE = 10;
/** How often it is looked whether the relay or the network link has changed, ms. */
export const TICK = 1_000;

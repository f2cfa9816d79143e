/** When a value is worth a look although the BMS reports no alarm, and when it is none. */

/** State of charge, %: from here on the pack is nearly empty, and the BMS soon switches it off. */
export const LOW_CHARGE = 10;

/**
 * Cell voltage difference, mV. At rest healthy cells lie within 10 to 20 mV of each other; under load the internal resistances add to it, and
 * near full or empty the flat curve of LFP ends, so cells that are well balanced differ by more.
 */
export const SPREAD_AT_REST = 50;
export const SPREAD_UNDER_LOAD = 150;
/** Up to here it is the one of healthy cells at rest, mV: the page colours the lowest and the highest cell from more on. */
export const SPREAD_WORTH_A_LOOK = 20;
/** A current of more than capacity / LOAD_HOURS is a load: 14 A for 280 Ah. */
export const LOAD_HOURS = 20;
/** The same while the capacity is unknown, mA. */
export const LOAD_CURRENT = 5_000;

/** Bit 4 of the alarm word means a full pack from this state of charge on, % … */
export const FULL_CHARGE = 99;
/** … or once the mean cell is no further than this below the voltage that it is charged to (RCV), mV. */
export const NEAR_FULL = 20;

/** A cell voltage within this share of the pack's own over- or under-voltage limit is near it, %. */
export const NEAR_LIMIT_PERCENT = 2;
/** A temperature within this of one of the pack's own limits is near it, tenths of a degree Celsius. */
export const NEAR_LIMIT_TEMPERATURE = 20;

/** What the BMS reports of a probe that is absent although its presence bit is set, tenths of a degree Celsius: -200 °C. */
export const ABSENT_PROBE = -2000;

/**
 * A pack whose voltage is farther than this from that of the packs beside it is not connected in parallel, mV. Packs in parallel have one voltage;
 * 0.3 V are what leads and a fuse of 3 mΩ drop at 100 A.
 */
export const OFF_VOLTAGE_BY = 300;
/** A pack carries nothing when its share of the bank's current, by capacity, is at least so many mA … */
export const SHARE_WORTH_A_LOOK = 2_000;
/** … and what flows in it is less than one part in so many of that share. */
export const SHARE_PARTS = 10;
/** Either counts once it has lasted for so long, s: loads and chargers come and go. */
export const COMPARED_FOR = 60;
/** A pack is behind when less than this flows in it, thousandths of its share, or it flows the other way, … */
export const BEHIND_BELOW = 250;
/** … for so long, s, … */
export const BEHIND_FOR = 600;
/** … until it is this again. */
export const BEHIND_UNTIL = 500;
/** It is judged while the share is at least its capacity divided by this: with less, packs of unequal charge charge each other. */
export const BEHIND_HOURS = 10;
/** And while the charge of each pack, %, is from here … */
export const BEHIND_FROM = 20;
/** … to here: beyond, a little of it makes much of the voltage, and that the currents. */
export const BEHIND_TO = 90;

/** Characters of a DisplayString (RFC 2579). */
export const DISPLAY_STRING = 255;

/** No setting of a pack is so many times what its range allows. */
export const FAR_BEYOND = 20;

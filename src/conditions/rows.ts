/**
 * Rows of the table as sets of their own: row n is 2 ** n (set.ts). They stand here as numbers, which cost no variable in flash as what a function
 * finds does; test/conditions/rows.test.ts compares each with the table.
 */
import type { Conditions } from "./set";

export const OFFLINE = (2 ** 0) as unknown as Conditions;
export const ALARM = (2 ** 1) as unknown as Conditions;
export const EMERGENCY = (2 ** 2) as unknown as Conditions;
export const SENSORS_IGNORED = (2 ** 3) as unknown as Conditions;
export const CELL_HIGH = (2 ** 4) as unknown as Conditions;
export const CELL_LOW = (2 ** 5) as unknown as Conditions;
export const TEMPERATURE_HIGH = (2 ** 6) as unknown as Conditions;
export const TEMPERATURE_LOW = (2 ** 7) as unknown as Conditions;
export const DISCHARGING_OFF = (2 ** 8) as unknown as Conditions;
export const DISCHARGING_BLOCKED = (2 ** 9) as unknown as Conditions;
export const CHARGING_OFF = (2 ** 10) as unknown as Conditions;
export const CHARGING_BLOCKED = (2 ** 11) as unknown as Conditions;
export const LOW = (2 ** 12) as unknown as Conditions;
export const SPREAD = (2 ** 13) as unknown as Conditions;
export const WIRES = (2 ** 14) as unknown as Conditions;
/** The link loses many replies, or some: known to the monitor, not to the pack. */
export const LINK = (2 ** 15) as unknown as Conditions;
export const SETTINGS_UNREAD = (2 ** 16) as unknown as Conditions;
/** Another master is on the bus, and nothing is sent: known to the monitor. */
export const OTHER_MASTER = (2 ** 17) as unknown as Conditions;
/** Of its telemetry; and of what has been read as rarely: known to the monitor. */
export const CONTRADICTION = (2 ** 18) as unknown as Conditions;
/** Of packs in parallel, compared: known to the monitor (src/packs/comparison.ts). */
export const CARRIES_NOTHING = (2 ** 19) as unknown as Conditions;
export const OFF_VOLTAGE = (2 ** 20) as unknown as Conditions;
/** Another pack than before answers at its address, or two do: nothing else that is known of it is one pack's for sure. */
export const SWAPPED = (2 ** 21) as unknown as Conditions;
export const SHARED = (2 ** 22) as unknown as Conditions;
/** What is set in it, and who it is: compared with the others (src/packs/likeness.ts). */
export const NO_IDENTITY = (2 ** 23) as unknown as Conditions;
export const SAME_IDENTITY = (2 ** 24) as unknown as Conditions;
export const LIMITS_DIFFER = (2 ** 25) as unknown as Conditions;
export const CELLS_DIFFER = (2 ** 26) as unknown as Conditions;
export const LINK_WEAK = (2 ** 27) as unknown as Conditions;
/** What is not read at each poll has not been for long: known to the monitor. */
export const TAIL_OLD = (2 ** 28) as unknown as Conditions;
/** It answers, but after the time that is waited for: known to the monitor. */
export const LATE = (2 ** 29) as unknown as Conditions;
/** Its energy counters have gaps: known to the monitor (src/packs/energy-gaps.ts). */
export const ENERGY_SHORT = (2 ** 30) as unknown as Conditions;
export const BEHIND = (2 ** 31) as unknown as Conditions;

// Of the device.
export const CLOCK_UNKNOWN = (2 ** 0) as unknown as Conditions;
export const CLOCK_DOUBTFUL = (2 ** 1) as unknown as Conditions;
export const STORAGE_FAILED = (2 ** 2) as unknown as Conditions;
export const WEAK_WIFI = (2 ** 3) as unknown as Conditions;
export const PART_FAILED = (2 ** 4) as unknown as Conditions;

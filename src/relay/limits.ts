/**
 * Shortest interval between two stores of the relay's state, ms. A write takes 2 of the 126 entries of an NVS page, and 7 of the 8 pages of
 * the partition are used in turn: at 100,000 erasures per page (the flash's data sheet) a relay that never stops switching lasts 7 years in an
 * empty NVS, 4 in one nearly half full of other values (docs/boards.md).
 */
export const STORE_INTERVAL = 5_000;

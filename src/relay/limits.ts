/**
 * Shortest interval between two stores of the relay's state, ms. A write takes 2 of the 126 entries of an NVS page, and 7 of the 8 pages of
 * the partition take turns: at 100,000 erasures a page (the flash's data sheet) a relay switched without pause lasts some 7 years in an
 * empty NVS, 4 in one that other values fill nearly half (docs/boards.md).
 */
export const STORE_INTERVAL = 5_000;

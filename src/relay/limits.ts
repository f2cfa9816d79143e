/**
 * The relay's state is stored at most once in this time, ms. NVS spreads writes over its pages: even a relay switched without pause
 * would take decades to wear the flash out.
 */
export const STORE_INTERVAL = 5_000;

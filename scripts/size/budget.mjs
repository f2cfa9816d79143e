/** What an image may take, and what of it is measured elsewhere. Bytes. */

/**
 * The engine, the SDK's natives, ESP-IDF, libc: what is not counted here, out of images linked with cross compilers (docs/performance.md). That of
 * the ESP32-C3 is measured, at 9fe36e8. The others are estimated: wt32_eth01 as it was linked at 115da15, less what has been left out since.
 */
export const REST = { wt32_eth01: 1_016_204, nodemcu: 1_016_204, esp32c3: 950_474, esp32s3: 1_016_204 };

/** The initial stack, natives' tables and the functions of `mc.xs.c`, which are compiled rather than counted. */
export const COMPILED = 10_000;

/** An image above it is a step back: so much is used today, and a little. It goes down with what is saved, never up without a reason. */
export const BUDGET = { wt32_eth01: 1_840_000, nodemcu: 1_840_000, esp32c3: 1_660_000, esp32s3: 1_840_000 };

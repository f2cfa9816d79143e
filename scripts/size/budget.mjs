/** What an image may take, and what of it is measured elsewhere. Bytes. */

/**
 * The engine, the SDK's natives, ESP-IDF, libc: what is not counted here, out of images linked with cross compilers (docs/performance.md). That of
 * the ESP32-C3 is measured, with TLS by mbedTLS in it. The others are estimated: wt32_eth01 as it was linked at 115da15, less what has been left
 * out since, with the 15,081 bytes that the C3's has gained since 9fe36e8.
 */
export const REST = { wt32_eth01: 1_031_285, nodemcu: 1_031_285, esp32c3: 965_555, esp32s3: 1_031_285 };

/** The initial stack, natives' tables and the functions of `mc.xs.c`, which are compiled rather than counted. */
export const COMPILED = 10_000;

/** An image above it is a step back: so much is used today, and a little. It goes down with what is saved, never up without a reason. */
export const BUDGET = { wt32_eth01: 1_750_000, nodemcu: 1_750_000, esp32c3: 1_680_000, esp32s3: 1_750_000 };

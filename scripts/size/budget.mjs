/** What an image may take, and what of it is measured elsewhere. Bytes. */

/**
 * Images linked with cross compilers and ESP-IDF v6.0.2, without what is counted here (docs/performance.md): the engine, the SDK's natives,
 * ESP-IDF, libc. The two boards that were not linked are taken to be as large as the larger of those that were.
 */
export const REST = { wt32_eth01: 1_094_659, nodemcu: 1_094_659, esp32c3: 1_085_591, esp32s3: 1_094_659 };

/** The initial stack, natives' tables and the functions of `mc.xs.c`, which are compiled rather than counted. */
export const COMPILED = 10_000;

/** An image above it is a step back: so much is used today, and a little. It goes down with what is saved, never up without a reason. */
export const BUDGET = { wt32_eth01: 1_900_000, nodemcu: 1_900_000, esp32c3: 1_800_000, esp32s3: 1_900_000 };

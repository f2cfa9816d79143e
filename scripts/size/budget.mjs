/** What an image may take, and what of it is measured elsewhere. Bytes. */

/**
 * The engine, the SDK's natives, ESP-IDF, libc: what is not counted here, out of images that were linked with cross compilers at fe86a90
 * (docs/performance.md), before six tables of AES (6,144 bytes) went. That of esp32s3 was not: it is taken to be as large as that of wt32_eth01.
 */
export const REST = { wt32_eth01: 973_316, nodemcu: 955_184, esp32c3: 967_067, esp32s3: 973_316 };

/** The initial stack, natives' tables and the functions of `mc.xs.c`, which are compiled rather than counted. */
export const COMPILED = 10_000;

/** An image above it is a step back: so much is used today, and a little. It goes down with what is saved, never up without a reason. */
export const BUDGET = { wt32_eth01: 1_650_000, nodemcu: 1_650_000, esp32c3: 1_650_000, esp32s3: 1_650_000 };

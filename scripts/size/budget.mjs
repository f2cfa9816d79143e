/** Size budgets of images, and the parts measured elsewhere. Bytes. */

/**
 * The engine, the SDK's natives, ESP-IDF and libc, which are not counted here: linked images (docs/performance.md) less `mc.xs.c` and the
 * page as counted. nodemcu and wt32_eth01 were linked at ef00056d or just before, with picolibc (libc, libm and libgcc: 26,150). So was
 * esp32c3, with newlib, for which 24,700 are taken off, and with AES, SHA and big numbers in software. esp32s3 was not linked: it is assumed to match
 * wt32_eth01.
 */
const REST = { wt32_eth01: 954_218, nodemcu: 935_521, esp32c3: 981_909, esp32s3: 954_218 };

/** Initial stack, tables of natives and the functions of `mc.xs.c`, which are compiled rather than counted. */
export const COMPILED = 10_000;

/**
 * An image above its budget is a regression. What does not fit on a board with 4 MB leaves parts out (scripts/parts.mjs); boards with 8 and
 * 16 MB have all, in slots of 3 MB.
 */
const WITH_4_MB = 1_900_000;
const WITH_MORE = 1_940_000;
export const BUDGET = {
  wt32_eth01: WITH_4_MB,
  nodemcu: WITH_4_MB,
  esp32c3: WITH_4_MB,
  esp32s3: WITH_4_MB,
  waveshare_rs485_can: WITH_MORE,
  waveshare_relay_1ch: WITH_MORE,
  waveshare_relay_6ch: WITH_MORE,
  t_can485: WITH_4_MB,
  atom_lite_rs485: WITH_4_MB,
  atoms3_lite_rs485: WITH_MORE,
  t_eth_poe_pro: WITH_MORE,
};

/** No image may have more as the release's own tools link it, whatever was counted. */
export const LINKED_BUDGET = 1_950_000;

/** Boards that were not measured have the figures of one with the same chip and network. */
const LIKE = {
  waveshare_rs485_can: "esp32s3",
  waveshare_relay_1ch: "esp32s3",
  waveshare_relay_6ch: "esp32s3",
  t_can485: "nodemcu",
  atom_lite_rs485: "nodemcu",
  atoms3_lite_rs485: "esp32s3",
  t_eth_poe_pro: "wt32_eth01",
};
for (const [board, other] of Object.entries(LIKE)) REST[board] = REST[other];

function of(table, board) {
  const bytes = table[board];
  if (bytes === undefined) throw new Error(`scripts/size/budget.mjs has no figures for ${board}`);
  return bytes;
}

/** These throw for a board without figures. */
export const budgetOf = (board) => of(BUDGET, board);
export const restOf = (board) => of(REST, board);

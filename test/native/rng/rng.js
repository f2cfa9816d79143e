/** The script of test/native/rng.test.ts. */
import RNG from "rng";

const ORDERS = {
  start: (noise) => native("xs_chip_start").call(undefined, noise),
  radio: (is) => native("xs_chip_radio").call(undefined, is),
  short: (is) => native("xs_chip_short").call(undefined, is),
  broken: (is) => native("xs_chip_broken").call(undefined, is),
  get: (length) => [...new Uint8Array(RNG.get(length))],
  singles: (count) => Array.from({ length: count }, () => new Uint8Array(RNG.get(1))[0]),
  psa(length) {
    const bytes = native("xs_chip_psa").call(undefined, length);
    return typeof bytes === "number" ? bytes : [...new Uint8Array(bytes)];
  },
};

onLine((line) => {
  const [[order, value]] = Object.entries(JSON.parse(line));
  try {
    say(JSON.stringify({ result: ORDERS[order](value) }));
  } catch (error) {
    say(JSON.stringify({ error: String(error) }));
  }
});

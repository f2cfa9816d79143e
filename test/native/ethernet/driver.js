/** The script of test/native/ethernet.test.ts. */
import driver from "ethernet-driver";

const ORDERS = {
  start: (hostname) => driver.start(hostname),
  isStarted: () => driver.isStarted(),
  mac: () => driver.mac(),
  fail: ([name, is]) => native("xs_chip_fail").call(undefined, name, is),
  configured: () => native("xs_chip_configured").call(undefined),
  release: () => native("xs_chip_release").call(undefined),
  requested: () => native("xs_chip_requested").call(undefined),
  isStackUp: () => native("xs_chip_is_stack_up").call(undefined),
};

onLine((line) => {
  const [[order, value]] = Object.entries(JSON.parse(line));
  try {
    say(JSON.stringify({ result: ORDERS[order](value) ?? null }));
  } catch (error) {
    say(JSON.stringify({ error: String(error) }));
  }
});

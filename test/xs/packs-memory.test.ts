import { expect, it } from "vitest";
import c3 from "../../boards/esp32c3/manifest.json";
import { BUDGET, WIDE_DEVICE } from "../bench/budget";
import { packsMemory } from "../bench/xs/packs";
import { isLong } from "../support/property";

/** Of requests by each client: in the first ones as much is alive as in later ones. */
const ROUNDS = isLong ? 12 : 6;

// As long as it takes: all of it is virtual time, and XS counts nothing faster on a machine that is busy.
it("as many packs as a board bears have room in its memory, with everything at once", { timeout: 0 }, async () => {
  const { peak } = await packsMemory(c3.config.maxPacks, ROUNDS);
  expect(peak.slots).toBeLessThanOrEqual(WIDE_DEVICE.slots);
  expect(peak.chunks).toBeLessThanOrEqual(WIDE_DEVICE.chunks);
  // They are more than one pack.
  expect(peak.slots).toBeGreaterThan(BUDGET.slots);
});

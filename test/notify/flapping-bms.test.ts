import { expect, it } from "vitest";
import { flapOnTheBus } from "../suites/flapping-bms";

/** Ten days: `npm run soak -- --part notify`. */
it("an alarm that comes and goes for three hours, told to a service that often hangs, costs no poll", async () => {
  const { told, polls } = await flapOnTheBus(3, 1);
  expect(told[0]).toBeGreaterThan(1);
  expect(polls).toBeGreaterThan(3 * 3_500);
});

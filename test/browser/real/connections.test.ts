import { expect, it } from "vitest";
import type { System } from "../../support/system";
import { SlowLine } from "../../support/slow-line";
import { PASSWORD, serve } from "./served";

const served = serve();

/** ms each way. */
const DELAY = 80;
const HALF = 3;
/** A browser that has no processor for 250 ms opens another connection beside, whatever the page does: it is given another try. */
const TRIES = 3;

/** The most connections at a time while the page is loaded, signed in to and loaded again. */
async function connectionsOf(system: System): Promise<number> {
  const line = await SlowLine.start(system.url, DELAY);
  const visit = await served.open(line);
  await visit.signIn(PASSWORD);
  await visit.page.locator("main .card").first().waitFor();
  await visit.page.reload();
  await visit.page.locator("main .card").first().waitFor();
  await visit.page.waitForTimeout(1_000);
  expect(visit.requests.filter((url) => /icon/.test(url))).toEqual([]);
  expect(visit.defects).toEqual([]);
  await visit.close();
  await line.close();
  return line.most;
}

it("a page that is loaded and signed in leaves half of the connections to others, on a slow line as well", async () => {
  const system = await served.start();
  let fewest = Infinity;
  for (let left = TRIES; left && fewest > HALF; left--) fewest = Math.min(fewest, await connectionsOf(system));
  expect(fewest).toBeLessThanOrEqual(HALF);
});

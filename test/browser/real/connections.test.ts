import { expect, it } from "vitest";
import type { System } from "../../support/system/system";
import { SlowLine } from "../../support/bms/slow-line";
import { PASSWORD, serve } from "./served";

const served = serve();

/** ms each way. */
const DELAY = 80;
const HALF = 3;

/** Peak number of connections while the page is loaded, signed in to, and reloaded. */
async function connectionsOf(system: System): Promise<number> {
  const line = await SlowLine.start(system.url, DELAY);
  const visit = await served.open(line);
  await visit.signIn(PASSWORD);
  await visit.page.locator("main .card").first().waitFor();
  await visit.page.reload();
  await visit.page.locator("main .card").first().waitFor();
  // The last request of a loaded page.
  await expect.poll(() => visit.requests.filter((url) => url.endsWith("/web/events")).length).toBe(2);
  await visit.loaded();
  expect(visit.requests.filter((url) => /icon/.test(url))).toEqual([]);
  expect(visit.defects).toEqual([]);
  await visit.close();
  await line.close();
  return line.most;
}

it("a loaded, signed-in page leaves half of the connections free, on a slow line too", async () => {
  const system = await served.start();
  const most = await connectionsOf(system);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(HALF);
});

import { expect, it } from "vitest";
import { SlowLine } from "../../support/slow-line";
import { PASSWORD, serve } from "./served";

const served = serve();

/** ms each way. */
const DELAY = 80;

it("a page that is loaded and signed in leaves half of the connections to others, on a slow line as well", async () => {
  const system = await served.start();
  const line = await SlowLine.start(system.url, DELAY);
  const visit = await served.open(line);
  await visit.signIn(PASSWORD);
  await visit.page.locator("main .card").first().waitFor();
  await visit.page.reload();
  await visit.page.locator("main .card").first().waitFor();
  await visit.page.waitForTimeout(1_000);
  expect(line.most).toBeLessThanOrEqual(3);
  expect(visit.requests.filter((url) => /icon/.test(url))).toEqual([]);
  expect(visit.defects).toEqual([]);
  await line.close();
});

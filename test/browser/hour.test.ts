/** A page that stays open for an hour holds no more than after its first minutes: memory, elements and listeners. */
import { expect, it } from "vitest";
import { DESKTOP } from "../support/web/browser.ts";
import { STATES } from "../support/web/page-states.ts";
import { serve } from "./served.ts";

const served = serve();

const MINUTE = 60_000;
/** Minutes between two changes of the status. */
const STEP = 2;
/** Minutes, until everything that is loaded later has been, and twice what is asked for every ten of them. */
const FIRST = 22;
/** As a part of what there was: what has been drawn for other values. */
const MAX_GROWTH = 0.05;

const CASES = [
  ["battery", "all is well"],
  ["history", "all is well"],
  ["kiosk", "all is well"],
  ["battery", "three packs"],
  ["kiosk", "three packs"],
] as const;

it.each(CASES)("%s, %s", async (screen, state) => {
  const { device } = served;
  STATES.find(([name]) => name === state)?.[1](device);
  const { page, requests } = await served.open(
    { view: DESKTOP, steered: true, session: device.session() },
    `#/${screen}`,
  );
  await page.locator("main .card").first().waitFor();
  const session = await page.context().newCDPSession(page);
  /** Live objects of each kind, after a collection. Bytes would count what the engine keeps compiled as well. */
  const held = async (): Promise<number[]> => {
    const counts: number[] = [];
    for (const kind of ["Object", "Array", "Function", "Node"]) {
      const { result } = await session.send("Runtime.evaluate", { expression: `${kind}.prototype` });
      const { objects } = await session.send("Runtime.queryObjects", { prototypeObjectId: result.objectId ?? "" });
      counts.push(
        (
          await session.send("Runtime.callFunctionOn", {
            objectId: objects.objectId ?? "",
            functionDeclaration: "function () { return this.length; }",
            returnByValue: true,
          })
        ).result.value as number,
      );
      await session.send("Runtime.releaseObject", { objectId: objects.objectId ?? "" });
    }
    return counts;
  };
  const live = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += STEP) {
      const before = requests.length;
      const { pack } = device.status;
      device.status = {
        ...device.status,
        pack: { ...pack, current: -20 - (minute % 7), power: -1_000 - (minute % 7) },
      };
      device.touch("status");
      await page.clock.runFor(STEP * MINUTE);
      await expect.poll(() => requests.length).toBeGreaterThan(before);
    }
  };
  await live(FIRST);
  const before = await held();
  await live(60);
  const after = await held();
  for (const [at, count] of after.entries()) expect(count).toBeLessThan(before[at]! * (1 + MAX_GROWTH));
});

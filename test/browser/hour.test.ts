/** A page that stays open for an hour holds no more than after its first minutes: memory, elements and listeners. */
import { expect, it } from "vitest";
import { DESKTOP } from "../support/web/browser.ts";
import { STATES } from "../support/web/page-states.ts";
import { serve } from "./served.ts";

const served = serve();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Minutes between two changes of the status. */
const STEP = 2;
/** Minutes, until everything that is loaded later has been, and twice what is asked for every ten of them. */
const FIRST = 22;
/** As a part of what there was: what has been drawn for other values. */
const MAX_GROWTH = 0.05;
const KINDS = ["Object", "Array", "Function", "Node"];

/** The screen, its state, and what comes last on it. */
const CASES = [
  ["battery", "all is well", ".night"],
  ["history", "all is well", "figure svg"],
  ["kiosk", "all is well", ".ribbon"],
  ["battery", "three packs", ".night"],
  ["kiosk", "three packs", ".ribbon"],
] as const;

it.each(CASES)("%s, %s", async (screen, state, last) => {
  const { device } = served;
  STATES.find(([name]) => name === state)?.[1](device);
  const { page, requests } = await served.open(
    { view: DESKTOP, steered: true, session: device.session() },
    `#/${screen}`,
  );
  await page.locator(last).first().waitFor();
  const session = await page.context().newCDPSession(page);
  /** Live objects of each kind, after a collection. Bytes would count what the engine keeps compiled as well. */
  const held = async (): Promise<number[]> => {
    const counts: number[] = [];
    for (const kind of KINDS) {
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
  // What has just come may be held twice until it has been drawn.
  const grown = async (): Promise<string[]> => {
    await page.clock.runFor(SECOND);
    const isMore = (count: number, at: number): boolean => count > before[at]! * (1 + MAX_GROWTH);
    return (await held()).flatMap((count, at) => (isMore(count, at) ? [`${KINDS[at]}: ${before[at]}, ${count}`] : []));
  };
  await expect.poll(grown).toEqual([]);
});

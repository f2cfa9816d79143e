/** Whatever state the platform is in: relay, button, page and polling. The pairs of these states: npm run soak. */
import { expect, it } from "vitest";
import { checkState, STATES, untried, type State } from "../suites/states";
import { ENGINE } from "../support/system/engines";

/** On XS, whose restarts take the processor time of a start: only where the state is the storage's. */
const isReset = ({ troubles }: State): boolean =>
  ENGINE === "node" || troubles.some((trouble) => trouble.startsWith("storage"));

it.each(Object.entries(STATES))("%s: everything else works", (_, state) =>
  checkState(state, { reset: isReset(state) }),
);

it("the table has every condition of the simulator", () => {
  expect(untried()).toEqual([]);
});

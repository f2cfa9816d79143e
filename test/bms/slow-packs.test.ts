/** Packs that begin to answer only after a while: docs/jk-modbus.md, "Timing". */
import { expect, it } from "vitest";
import { lossyBank } from "../support/bms/lossy-bank";

const ALL = { problems: [], online: 100, loaded: 100, drops: 0 };

/** Of a write as slow as that the read-back may not fit into its time; the next one is refused while it has not ended. */
function expectAll(bank: ReturnType<typeof lossyBank>, ms: number): void {
  expect(bank).toMatchObject(ALL);
  expect(bank.confirmed).toBeGreaterThanOrEqual(ms < 450 ? 20 : 18);
}

it.each([165, 230, 300, 350, 400, 450, 480])("one pack that answers after %i ms is read and written to", (ms) => {
  expectAll(lossyBank({ packs: 1, lost: 0, seed: 1, minutes: 5, writes: 20, slow: { place: 0, ms } }), ms);
});

it.each([0, 1, 2].flatMap((place) => [300, 400, 480].map((ms) => [place, ms] as const)))(
  "of three packs number %i, which answers after %i ms, is read and written to, and so are the others",
  (place, ms) => {
    expectAll(lossyBank({ packs: 3, lost: 0, seed: 1, minutes: 5, writes: 20, slow: { place, ms } }), ms);
  },
);

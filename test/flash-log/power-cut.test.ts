/** All records of all sizes, and 10,000 random cuts at full size: `npm run soak -- --part flash`. */
import { expect, it } from "vitest";
import { cutAtRandom, cutThrough, PAYLOADS } from "./power-cut";

it.each(PAYLOADS)(
  "a power cut at any byte where a sector begins and ends loses the record being written at most: %i bytes",
  (payload) => {
    // The first two, the last two, and one between.
    const perSector = Math.floor(4080 / (payload + 6));
    const chosen = [0, 1, 20, perSector - 2, perSector - 1];
    expect(cutThrough(payload, 2, (place) => chosen.includes(place))).toBeGreaterThan(30 * payload);
  },
);

it("power cuts one after another lose one record each at most", () => {
  expect(() => cutAtRandom(200, 1)).not.toThrow();
});

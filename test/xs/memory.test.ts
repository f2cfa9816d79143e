import { afterAll, beforeAll, expect, it } from "vitest";
import { CEILING, line, peakUnder } from "../bench/xs/memory";
import { XsSystem } from "../bench/xs/system";

const ROUNDS = 60;
/** Looks at each so many callbacks: a prime, so that it meets them all in turn. */
const EVERY = 7;
const REQUESTS = 1200;
const STEP = 400;
/** At one moment a poll is under way, at another none. */
const SLOTS_OF_PLAY = 40;
const BYTES_OF_PLAY = 512;

let xs: XsSystem;
beforeAll(async () => {
  xs = await XsSystem.start();
});
afterAll(() => xs.stop());

it("two clients, two browsers, a write, a file and malformed requests at once leave a fifth of the ESP32's slots and half of its chunks free", async () => {
  const load = { clients: true, write: true, file: true, storm: true, browsers: true };
  const { slots, chunks } = await peakUnder(xs, load, ROUNDS, EVERY);
  expect(slots).toBeLessThanOrEqual(CEILING.slots);
  expect(chunks).toBeLessThanOrEqual(CEILING.chunks);
  // The gauge sees the four connections at all.
  expect(slots).toBeGreaterThan(500);
  expect(chunks).toBeGreaterThan(5000);
}, 300_000);

it("memory does not grow with the requests", async () => {
  const [first, ...rest] = await line(xs, REQUESTS, STEP);
  expect(rest).toHaveLength(REQUESTS / STEP);
  for (const { slots, chunks } of rest) {
    expect(slots - first!.slots).toBeLessThanOrEqual(SLOTS_OF_PLAY);
    expect(chunks - first!.chunks).toBeLessThanOrEqual(BYTES_OF_PLAY);
  }
}, 300_000);

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withInterfaces } from "../bench/interfaces";
import { BUDGET } from "../bench/budget";
import { line, peakUnder, type Load } from "../bench/xs/memory";
import { XsSystem } from "../bench/xs/system";
import { isLong } from "../support/property";

const ROUNDS = isLong ? 60 : 20;
/** Looks at each so many callbacks: a prime, so that it meets them all in turn. */
const EVERY = 7;
const REQUESTS = isLong ? 1200 : 800;
const STEP = 400;
/** At one moment a poll is under way, at another none. */
const SLOTS_OF_PLAY = 40;
const BYTES_OF_PLAY = 512;

/** A quarter of a minute of processor time each: beside fifty busy programs that took more than five minutes. */
const TIMEOUT = 1_800_000;

const EVERYTHING: Load = { clients: true, write: true, file: true, storm: true, browsers: false };

/** With MQTT and SNMP switched on. */
let xs: XsSystem;
let end: () => void;
let ended: Promise<unknown>;
beforeAll(async () => {
  await new Promise<void>((resolve, reject) => {
    ended = withInterfaces(async (settings) => {
      xs = await XsSystem.start({ settings });
      const closed = new Promise<void>((close) => (end = close));
      resolve();
      await closed;
    });
    ended.catch(reject);
  });
});
afterAll(async () => {
  xs.stop();
  end();
  await ended;
});

describe.each([
  ["four clients", EVERYTHING],
  ["two clients and two browsers", { ...EVERYTHING, browsers: true }],
])("all interfaces on, %s, a write, a file and malformed requests at once", (_, load) => {
  it(
    "take no more than the budget",
    async () => {
      const { slots, chunks } = await peakUnder(xs, load, ROUNDS, EVERY);
      expect(slots).toBeLessThanOrEqual(BUDGET.slots);
      expect(chunks).toBeLessThanOrEqual(BUDGET.chunks);
      // The gauge sees the connections at all.
      expect(slots).toBeGreaterThan(500);
      expect(chunks).toBeGreaterThan(5000);
    },
    TIMEOUT,
  );
});

it(
  "memory does not grow with the requests",
  async () => {
    const [first, ...rest] = await line(xs, REQUESTS, STEP);
    expect(rest).toHaveLength(REQUESTS / STEP);
    for (const { slots, chunks } of rest) {
      expect(slots - first!.slots).toBeLessThanOrEqual(SLOTS_OF_PLAY);
      expect(chunks - first!.chunks).toBeLessThanOrEqual(BYTES_OF_PLAY);
    }
  },
  TIMEOUT,
);

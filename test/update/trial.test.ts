import { beforeEach, describe, expect, it } from "vitest";
import { noteReplaced, Trial, type TrialDevice } from "../../src/update/trial";
import { TRIAL_LIMIT_MS } from "../../src/update/limits";
import KeyValueStorage from "../../host-sim/io/key-value";
import { poweredBoard } from "../support/system/simulated-board";

const SECOND = 1_000;

let board: ReturnType<typeof poweredBoard>;
let world: { network: boolean; requests: number; online: boolean; confirmed: number; rejected: number };
beforeEach(() => {
  board = poweredBoard();
  world = { network: true, requests: 0, online: true, confirmed: 0, rejected: 0 };
});

const deviceOf = (version: string, running = 0): TrialDevice => ({
  storage: KeyValueStorage,
  slots: { running },
  build: { version, build: "b" },
  network: {
    get online() {
      return world.network;
    },
  },
  server: { counters: world },
  monitor: { packs: [{ online: false }, world, { online: false }] },
  confirmUpdate: () => world.confirmed++,
  rejectUpdate: () => world.rejected++,
});
const start = (version: string, running = 0): Trial | undefined => Trial.begin(deviceOf(version, running));
const replace = (version: string): void => noteReplaced(deviceOf(version));

/** A new version has just been started for the first time; before the update the device was as `before` says. */
function updated(before: Partial<typeof world> = {}): Trial | undefined {
  Object.assign(world, before);
  replace("1");
  return start("2", 1);
}

describe("the first start of a new image", () => {
  it("is a trial; an ordinary start is not", () => {
    expect(start("1")).toBeUndefined();
    expect(updated()).toMatchObject({ problem: "" });
  });

  it("is confirmed as soon as network, HTTP and the BMS work; the next start is an ordinary one", () => {
    updated();
    Object.assign(world, { network: false, online: false });
    for (const part of [{ requests: 1 }, { network: true }, { online: true }]) {
      board.clock.runFor(10 * SECOND);
      expect(world.confirmed).toBe(0);
      Object.assign(world, part);
    }
    board.clock.runFor(SECOND);
    expect(world.confirmed).toBe(1);
    board.clock.runFor(TRIAL_LIMIT_MS);
    expect([world.confirmed, world.rejected]).toEqual([1, 0]);
    expect(start("2", 1)).toBeUndefined();
  });

  it("of the same version and build is no roll-back: it runs from the other slot", () => {
    Object.assign(world, { requests: 1 });
    replace("1");
    expect(start("1", 1)).toMatchObject({ problem: "" });
    board.clock.runFor(SECOND);
    expect(world.confirmed).toBe(1);
  });

  it("after a firmware that noted its name alone is no roll-back", () => {
    const domain = KeyValueStorage.open({ path: "update", format: "string" });
    domain.write("replaced", "nb|1 b");
    expect(start("1", 1)).toMatchObject({ problem: "" });
  });

  it.each([
    ["a request", { requests: 0, network: true, online: true }],
    ["the BMS that was heard before", { requests: 5, network: true, online: false }],
    ["the network that there was before", { requests: 5, network: false, online: true }],
  ])("without %s is rejected after a quarter of an hour, not earlier", (_, lacking) => {
    updated();
    Object.assign(world, lacking);
    board.clock.runFor(TRIAL_LIMIT_MS - SECOND);
    expect(world.rejected).toBe(0);
    board.clock.runFor(10 * SECOND);
    expect([world.confirmed, world.rejected]).toEqual([0, 1]);
  });

  it.each([
    ["the BMS, which was not heard before", { online: false }],
    ["a network, which there was not before: the request came over the access point", { network: false }],
  ])("without %s is confirmed", (_, before) => {
    updated(before);
    board.clock.runFor(SECOND);
    expect(world.confirmed).toBe(0);
    world.requests = 1;
    board.clock.runFor(SECOND);
    expect([world.confirmed, world.rejected]).toEqual([1, 0]);
  });

  it("with a late network is confirmed", () => {
    updated();
    Object.assign(world, { network: false, requests: 1 });
    board.clock.runFor(TRIAL_LIMIT_MS - 10 * SECOND);
    world.network = true;
    board.clock.runFor(SECOND);
    expect([world.confirmed, world.rejected]).toEqual([1, 0]);
  });
});

it("the old image is not rejected itself after a rollback", () => {
  replace("1");
  world.network = false;
  expect(start("1")?.problem).toBe("rolled-back");
  board.clock.runFor(2 * TRIAL_LIMIT_MS);
  expect(world.rejected).toBe(0);
});

it("the old image reports a rollback until it is confirmed itself", () => {
  replace("1");
  expect(start("1")?.problem).toBe("rolled-back");
  Object.assign(world, { requests: 1, online: true });
  board.clock.runFor(SECOND);
  expect(start("1")).toBeUndefined();
});

it("a trial that cannot be stored is not started", () => {
  const storage = {
    open: () => {
      throw new Error("flash");
    },
  };
  expect(Trial.begin({ ...deviceOf("1"), storage })).toBeUndefined();
  expect(() => noteReplaced({ ...deviceOf("1"), storage })).toThrow();
});

it("keeps no storage open", () => {
  let open = 0;
  const storage: typeof KeyValueStorage = {
    open(options) {
      const domain = KeyValueStorage.open(options);
      open++;
      return {
        format: "string",
        read: (key) => domain.read(key),
        write: (key, value) => domain.write(key, value),
        delete: (key) => domain.delete(key),
        close: () => void open--,
        [Symbol.iterator]: () => domain[Symbol.iterator](),
      };
    },
  };
  noteReplaced({ ...deviceOf("1"), storage });
  Trial.begin({ ...deviceOf("2"), storage });
  Object.assign(world, { requests: 1, online: true });
  board.clock.runFor(SECOND);
  expect([world.confirmed, open]).toEqual([1, 0]);
});

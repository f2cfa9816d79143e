import { beforeEach, describe, expect, it } from "vitest";
import { noteReplaced, Trial, type TrialDevice } from "../../src/update/trial";
import { TRIAL_LIMIT_MS, TRIAL_MS } from "../../src/update/limits";
import KeyValueStorage from "../../host-sim/io/key-value";
import { poweredBoard } from "../support/simulated-board";

const SECOND = 1_000;

let board: ReturnType<typeof poweredBoard>;
let world: { network: boolean; requests: number; online: boolean; confirmed: number; rejected: number; ended: number };
beforeEach(() => {
  board = poweredBoard();
  world = { network: true, requests: 0, online: false, confirmed: 0, rejected: 0, ended: 0 };
});

const deviceOf = (version: string): TrialDevice => ({
  storage: KeyValueStorage,
  slots: { confirm: () => world.confirmed++, reject: () => world.rejected++ },
  build: { version, build: "b" },
  network: {
    get ip() {
      return world.network ? "192.0.2.7" : "";
    },
  },
  server: { counters: world },
  monitor: world,
  trialEnded: () => world.ended++,
});
const start = (version: string): Trial | undefined => Trial.begin(deviceOf(version));
const replace = (version: string): void => noteReplaced(KeyValueStorage, deviceOf(version).build);

/** A new version has just been started for the first time. */
function updated(): Trial | undefined {
  replace("1");
  return start("2");
}

describe("the first start of a new image", () => {
  it("is a trial; an ordinary start is none", () => {
    expect(start("1")).toBeUndefined();
    expect(updated()).toMatchObject({ problem: "" });
  });

  it("is good as soon as there is network, HTTP and the BMS; the next start is an ordinary one", () => {
    updated();
    board.clock.runFor(10 * SECOND);
    world.requests = 1;
    board.clock.runFor(10 * SECOND);
    expect(world.confirmed).toBe(0);
    world.online = true;
    board.clock.runFor(SECOND);
    expect([world.confirmed, world.ended]).toEqual([1, 1]);
    board.clock.runFor(TRIAL_LIMIT_MS);
    expect([world.confirmed, world.rejected, world.ended]).toEqual([1, 0, 1]);
    expect(start("2")).toBeUndefined();
  });

  it.each([
    ["a request", { requests: 0, online: true }],
    ["the BMS", { requests: 5, online: false }],
  ])("without %s is good after five minutes, not before", (_, lacking) => {
    updated();
    Object.assign(world, lacking);
    board.clock.runFor(TRIAL_MS - SECOND);
    expect(world.confirmed).toBe(0);
    board.clock.runFor(SECOND);
    expect(world.confirmed).toBe(1);
  });

  it("without network is given up after a quarter of an hour, not before", () => {
    updated();
    Object.assign(world, { network: false, requests: 5, online: true });
    board.clock.runFor(TRIAL_LIMIT_MS - SECOND);
    expect(world.rejected).toBe(0);
    board.clock.runFor(10 * SECOND);
    expect([world.confirmed, world.rejected]).toEqual([0, 1]);
  });

  it("with the network late is good", () => {
    updated();
    world.network = false;
    board.clock.runFor(TRIAL_LIMIT_MS - 10 * SECOND);
    world.network = true;
    board.clock.runFor(SECOND);
    expect([world.confirmed, world.rejected]).toEqual([1, 0]);
  });
});

it("the old image, back after the new one did not start well, says so until it is good itself", () => {
  replace("1");
  expect(start("1")?.problem).toMatch(/from before the update/);
  Object.assign(world, { requests: 1, online: true });
  board.clock.runFor(SECOND);
  expect(start("1")).toBeUndefined();
});

it("what cannot be stored is not begun", () => {
  const storage = {
    open: () => {
      throw new Error("flash");
    },
  };
  expect(Trial.begin({ ...deviceOf("1"), storage })).toBeUndefined();
  expect(() => noteReplaced(storage, deviceOf("1").build)).toThrow();
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
  noteReplaced(storage, deviceOf("1").build);
  Trial.begin({ ...deviceOf("2"), storage });
  Object.assign(world, { requests: 1, online: true });
  board.clock.runFor(SECOND);
  expect([world.ended, open]).toEqual([1, 0]);
});

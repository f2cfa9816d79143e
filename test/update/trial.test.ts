import { beforeEach, describe, expect, it } from "vitest";
import { Trial } from "../../src/update/trial";
import { TRIAL_LIMIT_MS, TRIAL_MS } from "../../src/update/limits";
import KeyValueStorage from "../../host-sim/io/key-value";
import { poweredBoard } from "../support/simulated-board";

const SECOND = 1_000;

let board: ReturnType<typeof poweredBoard>;
let world: { network: boolean; requests: number; online: boolean; confirmed: number; rejected: number };
beforeEach(() => {
  board = poweredBoard();
  world = { network: true, requests: 0, online: false, confirmed: 0, rejected: 0 };
});

const start = (running: string): Trial =>
  new Trial({
    storage: KeyValueStorage,
    slots: { confirm: () => world.confirmed++, reject: () => world.rejected++ },
    device: {
      build: { version: running, build: "b" },
      network: {
        get ip() {
          return world.network ? "192.0.2.7" : "";
        },
      },
      server: { counters: world },
      monitor: world,
    },
  });

/** A new version has just been started for the first time. */
function updated(): Trial {
  start("1").begin();
  return start("2");
}

describe("the first start of a new image", () => {
  it("is a trial; an ordinary start is none", () => {
    expect(start("1")).toMatchObject({ active: false, problem: "" });
    expect(updated()).toMatchObject({ active: true, problem: "" });
  });

  it("is good as soon as there is network, HTTP and the BMS; the next start is an ordinary one", () => {
    const trial = updated();
    board.clock.runFor(10 * SECOND);
    world.requests = 1;
    board.clock.runFor(10 * SECOND);
    expect(world.confirmed).toBe(0);
    world.online = true;
    board.clock.runFor(SECOND);
    expect([world.confirmed, trial.active]).toEqual([1, false]);
    board.clock.runFor(TRIAL_LIMIT_MS);
    expect([world.confirmed, world.rejected]).toEqual([1, 0]);
    expect(start("2")).toMatchObject({ active: false, problem: "" });
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
  start("1").begin();
  const old = start("1");
  expect(old.problem).toMatch(/from before the update/);
  Object.assign(world, { requests: 1, online: true });
  board.clock.runFor(SECOND);
  expect(start("1").problem).toBe("");
});

it("what cannot be stored is not begun", () => {
  const trial = new Trial({
    storage: {
      open: () => {
        throw new Error("flash");
      },
    },
    slots: { confirm: () => undefined, reject: () => undefined },
    device: {
      build: { version: "1", build: "b" },
      network: { ip: "192.0.2.7" },
      server: { counters: { requests: 1 } },
      monitor: { online: true },
    },
  });
  expect(trial.active).toBe(false);
  expect(() => trial.begin()).toThrow();
});

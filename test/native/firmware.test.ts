/** The whole firmware over the device's socket classes and Debian's lwIP, under AddressSanitizer, against clients that do what they like. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultConfig } from "../../host-sim/config";
import { walkSuite } from "../api/walk";
import { attack, KINDS } from "../support/http/hostile";
import { isLong, sampled } from "../support/property";
import { LwipSystem, SERVER } from "../support/system/lwip-system";
import { turn } from "../support/system/system";
import { WALKED, walkedSystem } from "../support/system/walked-system";

/** Virtual ms of an attack, longer than any connection may be idle, and between two honest clients. */
const ATTACK = 35_000;
const BETWEEN = 2_500;
/** Virtual ms in which a socket that could not be opened is tried again: the longest pause is a minute. */
const RETRIED = 130_000;
/** Virtual ms between two turns of the clients' sockets. */
const STEP = 10;
/** More than its C makes in a start. */
const MAX_ALLOCATIONS = 12;
const STORM = 20_000;
const SQUALLS = 20;
/** Half of the device's queue. */
const MOST_MESSAGES = 24;

// Commands and settings take the same way through its C as what is walked here.
walkSuite({
  name: "the whole firmware over lwIP",
  ofBoard: !isLong,
  async start() {
    const lwip = await LwipSystem.start(WALKED);
    return walkedSystem(lwip.system, lwip.url, () => lwip.stop());
  },
});

/** Whether `/api` is answered in time. Time passes until then: the script may be busy with the flash. */
async function answered(lwip: LwipSystem): Promise<boolean> {
  let status: number | undefined = 0;
  for (let waited = 0; status !== 200 && waited < RETRIED; waited += STEP) {
    if (status !== undefined) {
      status = undefined;
      void lwip.ask("/api", "127.0.0.2").then((got) => (status = got));
    }
    lwip.system.board.clock.runFor(STEP);
    await turn();
  }
  return status === 200;
}

it("memory that runs out at any of its C's allocations in the start: everything works once there is some", async () => {
  let allocations = 0;
  for (let refused = true; refused; allocations++) {
    expect(allocations).toBeLessThan(MAX_ALLOCATIONS);
    const pins = Object.assign({ ...defaultConfig().pins }, { allocations });
    const settings = { snmp: { enabled: true, community: "Gemeinde-7" }, time: { server: SERVER } };
    const lwip = await LwipSystem.start({ unpaced: true, board: { config: { pins, settings } } });
    const { probes, board } = lwip.system;
    board.clock.runFor(4 * BETWEEN);
    refused = /no memory/.test(lwip.system.console.join(""));
    expect([allocations, lwip.system.monitor().online, probes.start().restarts]).toEqual([allocations, true, 0]);
    lwip.failAllocations(-1);
    const works = (): boolean => probes.services().snmp && probes.services().mdns;
    for (let waited = 0; !works() && waited < RETRIED; waited += BETWEEN) board.clock.runFor(BETWEEN);
    expect([allocations, works(), probes.start().restarts]).toEqual([allocations, true, 0]);
    expect(await answered(lwip)).toBe(true);
    await lwip.stop();
  }
  expect(allocations).toBeGreaterThan(3);
});

describe("the whole firmware over lwIP", () => {
  let lwip: LwipSystem;
  beforeAll(async () => {
    lwip = await LwipSystem.start({ board: { config: { settings: { bms: { readMode: "registers" } } } } });
    await lwip.system.untilLoaded();
  });
  afterAll(async () => {
    expect(lwip.mostMessages).toBeLessThanOrEqual(MOST_MESSAGES);
    await lwip.stop();
  });

  /** An honest client of another address comes, as often as it takes. */
  async function served(): Promise<void> {
    while ((await lwip.ask("/api", "127.0.0.2")) !== 200) await turn();
  }

  it.each(sampled(Object.entries(KINDS), 5))(
    "60 connections of one address, %s: new clients of another are served",
    async (_, kind) => {
      const { clock } = lwip.system.board;
      const attackers = attack(clock, lwip.port, "/api", kind);
      try {
        for (let time = 0; time < ATTACK; time += BETWEEN) {
          lwip.system.skip(BETWEEN);
          await served();
        }
      } finally {
        attackers.stop();
      }
      await served();
      expect(lwip.system.monitor()).toMatchObject({ online: true, statistics: { timeouts: 0, crcErrors: 0 } });
    },
  );

  /** What a client's connection, and SNMP switched off and on, take. */
  it.each(sampled([0, 1, 2, 3, 4]))(
    "memory for %i more objects of its C, then for none: it is served again once there is",
    async (after) => {
      const { probes, board } = lwip.system;
      lwip.failAllocations(after);
      for (const enabled of [true, false, true]) {
        probes.configure("snmp", { enabled, community: "Gemeinde-7" });
        board.clock.runFor(BETWEEN);
        // Answered, or reset for lack of memory.
        expect([200, 0]).toContain(await lwip.ask("/api", "127.0.0.2"));
      }
      lwip.failAllocations(-1);
      await served();
      for (let waited = 0; !probes.services().snmp && waited < RETRIED; waited += BETWEEN) board.clock.runFor(BETWEEN);
      expect(probes.services().snmp).toBe(true);
      expect(probes.start()).toMatchObject({ reason: "power-on", restarts: 0 });
      probes.configure("snmp", { enabled: false });
    },
  );

  it("thousands of stray segments and half-open connections: it is served all the while", async () => {
    // What was short of memory before has said so.
    const { length } = lwip.system.console;
    for (let count = 0; count < SQUALLS; count++) {
      lwip.storm(STORM / SQUALLS);
      await served();
    }
    expect(lwip.system.console.slice(length)).toEqual([]);
  });
});

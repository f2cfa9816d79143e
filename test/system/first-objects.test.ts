/** Nothing that fails while the firmware builds itself may end the start, or lead to restarts without end. */
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import type { Bundle } from "../../host-sim/xs/bundle";
import { WT32_PINS } from "../../host-sim/config";
import { hashPassword } from "../../host-sim/password";
import {
  HOLD_ACCESS_POINT,
  HOLD_RESET,
  RESTART_AFTER_FAILED_START,
  RETRY_PARTS,
  SAFE_RESTARTS,
} from "../../src/health/limits";
import { bundleWithProbes, ENGINE } from "../support/system/engines";
import { freePort } from "../support/free-port";
import { System } from "../support/system/system";

const SECOND = 1_000;
const BUTTON = 13;
const LED = 12;
const PINS = { ...WT32_PINS, button: BUTTON, led: LED } as const;

/** What `src/firmware.ts` creates; of those, StartRecord and StoredSettings catch whatever they call. */
const CREATED = [
  "BoardRelay",
  "Wired",
  "BoardNetwork",
  "BoardSensors",
  "BmsMonitor",
  "History",
  "EventRing",
  "EventRecorder",
  "Updater",
  "Web",
  "Api",
  "HttpServer",
] as const;
type Created = (typeof CREATED)[number];

/** The one whose constructor throws, on Node. */
const state = vi.hoisted(() => ({ failing: undefined as string | undefined }));
const failing = vi.hoisted(() => async <Module extends object>(load: () => Promise<Module>): Promise<Module> => {
  const entries = Object.entries(await load()).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "function" || !value.prototype) return [name, value];
    const construct = (target: object, parameters: unknown[], type: object): object => {
      if (state.failing === name) throw new Error(`no ${name}`);
      return Reflect.construct(target as never, parameters, type as never);
    };
    return [name, new Proxy(value, { construct })];
  });
  return Object.fromEntries(entries) as Module;
});
vi.mock("../../src/relay/relay", (load) => failing(load));
vi.mock("../../src/network/ethernet/wired", (load) => failing(load));
vi.mock("../../src/network/network", (load) => failing(load));
vi.mock("../../src/sensors/sensors", (load) => failing(load));
vi.mock("../../src/bms/monitor", (load) => failing(load));
vi.mock("../../src/history/history", (load) => failing(load));
vi.mock("../../src/events/event-ring", (load) => failing(load));
vi.mock("../../src/events/record", (load) => failing(load));
vi.mock("../../src/update/updater", (load) => failing(load));
vi.mock("../../src/web/web", (load) => failing(load));
vi.mock("../../src/api/api", (load) => failing(load));
vi.mock("../../modules/http-server/server", (load) => failing(load));

/** On XS the board's configuration names it. */
const failingOnXs: Plugin = {
  name: "failing constructors",
  setup(build) {
    build.onLoad({ filter: /src\/firmware\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: `
        import faults from "mc/config";
        function unless(name, Class) {
          if (faults.pins.failing === name) throw new Error("no " + name);
          return Class;
        }
        ${readFileSync(path, "utf8").replace(/\bnew (\w+)\(/g, 'new (unless("$1", $1))(')}`,
    }));
  },
};

let bundle: Bundle | undefined;
beforeAll(async () => {
  if (ENGINE === "xs") bundle = await bundleWithProbes([failingOnXs]);
});

let system: System | undefined;
afterEach(async () => {
  await system?.board.restarted;
  system?.stop();
  system = undefined;
  state.failing = undefined;
});

const fail = (board: SimulatedBoard, name: Created | undefined): void => {
  state.failing = name;
  // Not frozen, and read at each start.
  Object.assign(board.config.pins, { failing: name });
};

/** A device with a button and a relay that is off at the start, whose BMS answers. */
async function start(
  prepare: (board: SimulatedBoard) => void,
  api: object = {},
): Promise<{ running: System; levels: unknown[] }> {
  const levels: unknown[] = [];
  const settings = {
    api,
    web: { password: hashPassword("Lítio-280-Ah", 1) },
    relay: { fitted: true, mode: 0, start: "off" },
    monitoring: { fitted: true },
    snmp: { enabled: true, community: "Gemeinde-7" },
    // A numeric address: names are resolved by this machine.
    time: { server: "127.0.0.1" },
  } as const;
  const running = (system = await System.start({
    unpaced: true,
    xs: bundle ? { bundle } : {},
    prepare(board) {
      board.pin(PINS.relay).onOutput = (level) => levels.push(level);
      prepare(board);
    },
    board: { utc: () => Date.UTC(2026, 10, 21), config: { httpPort: await freePort(), pins: { ...PINS }, settings } },
  }));
  return { running, levels };
}

/** Lets time pass. What ends the script ends it as on the chip, which then restarts: the number of times. */
async function live({ board }: System, ms: number): Promise<number> {
  const end = board.clock.now + ms;
  let aborts = 0;
  while (board.clock.now < end) {
    try {
      board.clock.runFor(end - board.clock.now);
    } catch (error) {
      aborts++;
      board.abort(`unhandled exception: ${(error as Error).message}`);
    }
    await board.restarted;
  }
  return aborts;
}

async function press(running: System, ms: number): Promise<void> {
  running.board.press(ms + SECOND);
  await live(running, ms + 2 * SECOND);
}

/** Everything works, `within` ms. */
async function expectAll(running: System, within = 30 * SECOND): Promise<void> {
  const { board, bms, probes } = running;
  await live(running, within);
  await press(running, HOLD_ACCESS_POINT);
  const { requests } = bms.traffic;
  await live(running, 10 * SECOND);
  expect([probes.services(), board.radio.accessPoint !== undefined, running.monitor().online]).toEqual([
    { network: true, snmp: true, mdns: true, time: true },
    true,
    true,
  ]);
  expect(bms.traffic.requests).toBeGreaterThan(requests);
  expect(probes.switchRelay(true)).toBe(true);
  await board.ready();
  expect((await running.get("/api/bms/commands")).status).toBe(200);
}

/** On XS starts take long: one of the first objects, and one of the last. */
const HOPELESS: readonly Created[] = ENGINE === "node" ? CREATED : ["BoardRelay", "HttpServer"];
const EVERY = ENGINE === "node" ? 1 : 4;

it.each(HOPELESS)(
  "%s can never be created: the relay stays at rest, the button works, and the restarts end in safe mode",
  async (name) => {
    const { running, levels } = await start((board) => fail(board, name));
    const { board } = running;
    const aborts = await live(running, 2 * SAFE_RESTARTS * RESTART_AFTER_FAILED_START);
    expect(aborts).toBe(SAFE_RESTARTS);
    expect(new Set(levels.filter((level) => level !== undefined))).toEqual(new Set(name === "BoardRelay" ? [] : [0]));
    const seen = new Set();
    for (let step = 0; step < 20; step++) {
      await live(running, 125);
      seen.add(board.pin(LED).output);
    }
    expect(seen).toEqual(new Set([0, 1]));
    fail(board, undefined);
    await press(running, HOLD_RESET);
    expect(running.probes.start()).toMatchObject({ reason: "factory-reset", safe: false });
    await expectAll(running);
  },
);

it.each(CREATED)("%s cannot be created once: the next start has everything, and knows why", async (name) => {
  const { running } = await start((board) => fail(board, name));
  fail(running.board, undefined);
  expect(await live(running, RESTART_AFTER_FAILED_START + SECOND)).toBe(1);
  expect(running.probes.start()).toMatchObject({ reason: "script-aborted", restarts: 1, safe: false });
  expect(running.probes.parts().log.join()).toContain(`no ${name}`);
  await expectAll(running);
});

/** Without each of these the history cannot be begun. */
const UNBUILT: readonly Created[] = ["BoardNetwork", "BmsMonitor", "EventRing"];

it.each(UNBUILT)(
  "%s can never be created, and the flash not be erased: the button begins nothing else",
  async (name) => {
    const { running } = await start((board) => {
      fail(board, name);
      board.refusals.storage = "closed";
    });
    await press(running, HOLD_RESET);
    expect(await live(running, RESTART_AFTER_FAILED_START - HOLD_RESET - 10 * SECOND)).toBe(0);
    const console = running.console.join("");
    expect(console).toContain("button: factory reset\n");
    expect(console).not.toContain("part-failed history");
    expect(console).not.toContain("history:");
  },
);

it("whatever allocation fails in the start: nothing restarts the device, and everything works a little later", async () => {
  const { running } = await start(() => undefined);
  const { allocated } = running.board.refusals;
  expect(allocated).toBeGreaterThan(20);
  running.stop();
  for (let nth = 1; nth <= allocated; nth += EVERY) {
    const { running, levels } = await start(({ refusals }) => refusals.failAllocation(nth));
    expect([nth, levels]).toEqual([nth, [0]]);
    expect([nth, await live(running, RETRY_PARTS)]).toEqual([nth, 0]);
    await expectAll(running, RETRY_PARTS);
    expect([nth, running.probes.start()]).toEqual([nth, { reason: "power-on", restarts: 0, safe: false }]);
    running.stop();
  }
});

it("without random numbers nothing restarts the device: what needs them waits", async () => {
  const refused = (): never => {
    throw new Error("no memory");
  };
  const { running, levels } = await start((board) => (board.random = refused), { token: undefined });
  const { board, probes } = running;
  expect([levels, await live(running, 10 * SECOND)]).toEqual([[0], 0]);
  await press(running, HOLD_ACCESS_POINT);
  expect([running.monitor().online, board.radio.accessPoint, probes.start().restarts]).toEqual([true, undefined, 0]);
  expect(running.console.join("")).toMatch(/settings: no token.*\n[^]*network: no new password/);
  expect([running.token, probes.parts().log]).toEqual(["", expect.arrayContaining(["part-failed\ttoken\tno memory"])]);
  // Without a token nobody is let in, whatever the settings say.
  await board.ready();
  expect((await running.get("/api/bms/commands")).status).toBe(401);
  board.random = (length) => new Uint8Array(length).fill(7);
  await press(running, HOLD_ACCESS_POINT);
  expect(board.radio.accessPoint).toBeDefined();
  await expectAll(running, RETRY_PARTS);
  expect([running.token, probes.parts().log]).toEqual(["07".repeat(16), expect.arrayContaining(["part-works\ttoken"])]);
  // The next start knows the token.
  board.random = refused;
  await running.powerCycle();
  expect(running.token).toBe("07".repeat(16));
});

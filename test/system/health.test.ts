/** What the chip may do to the firmware, simulated: restarts, their reported reasons, and safe mode. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { RESET, SimulatedBoard, TASK_WATCHDOG } from "../../host-sim/board";
import { WT32_PINS } from "../../host-sim/config";
import { hashPassword } from "../../host-sim/password";
import {
  HOLD_ACCESS_POINT,
  HOLD_RESET,
  LED_INTERVAL,
  POLL_LIMIT,
  RETRY_PARTS,
  SAFE_RESTARTS,
  STABLE_AFTER,
  SUPERVISION_INTERVAL,
} from "../../src/health/limits";
import { PATTERNS } from "../../src/health/status-led";
import { STORE_INTERVAL } from "../../src/relay/limits";
import { bootOn, ENGINE } from "../support/system/engines";
import { freePort } from "../support/free-port";
import { image } from "../support/boards/image";
import { System, type SystemOptions } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "Lítio-280-Ah";
const SECOND = 1_000;

const running: System[] = [];
afterEach(async () => {
  for (const system of running.splice(0)) {
    await system.board.restarted;
    system.stop();
  }
});

interface Start {
  readonly reason: string;
  readonly restarts: number;
  readonly where: string;
  readonly safeMode: boolean;
  readonly problems: readonly string[];
  readonly parts: readonly string[];
}

async function start({ board = {}, ...options }: SystemOptions = {}): Promise<System> {
  const settings = { web: { password: hashPassword(PASSWORD, 100) }, ...board.config?.settings };
  const config = { httpPort: await freePort(), ...board.config, settings };
  const system = await System.start({ ...options, board: { ...board, config } });
  running.push(system);
  return system;
}

async function signedIn(system: System): Promise<WebClient> {
  const client = new WebClient(system);
  await client.signIn(PASSWORD);
  return client;
}

const startOf = async (client: WebClient): Promise<Start> =>
  ((await client.get("/web/device")).json as { data: { start: Start } }).data.start;

const relayLevel = ({ board }: System): 0 | 1 => board.pin(WT32_PINS.relay).level;

/** Crashes the firmware this many times, each time as soon as it runs. */
async function crash(system: System, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    system.board.panic();
    await system.board.restarted;
  }
}

describe("the reset reason", () => {
  it.each([
    ["panic", (system: System) => system.board.panic("main, pc 0x400d1a2b"), "panic", "main, pc 0x400d1a2b"],
    ["brown-out", (system: System) => system.board.brownOut(), "brown-out", ""],
    [
      "an uncaught exception",
      (system: System) => system.board.abort("unhandled exception: Error: no"),
      "script-aborted",
      "unhandled exception: Error: no",
    ],
  ])("%s: shown on the page and in the log, which keeps its earlier lines", async (_, trouble, reason, where) => {
    const system = await start();
    await system.untilLoaded();
    trouble(system);
    await system.board.restarted;
    await system.untilLoaded();
    const client = await signedIn(system);
    expect(await startOf(client)).toEqual({ reason, restarts: 1, where, safeMode: false, problems: [], parts: [] });
    const log = (await client.get("/web/log")).json.data as unknown as { text: string; before?: boolean }[];
    const then = log.findIndex(({ before }) => !before);
    expect(log.slice(0, then).map(({ text }) => text)).toContain("bms-online");
    const after = log.slice(then).map(({ text }) => text);
    expect(after).toContain(`start-reason\t${reason}`);
    expect(after.filter((text) => text.startsWith("crashed"))).toEqual(where ? [`crashed\t${where}`] : []);
  });

  it("the core dump is erased, which takes half a second, only while the relay's pin is driven", async () => {
    const system = await start({
      board: { config: { settings: { relay: { fitted: true, mode: 0, start: "off", activeLevel: 0 } } } },
    });
    const { board } = system;
    const relay = board.pin(WT32_PINS.relay);
    const driven: unknown[] = [];
    let dump = "";
    Object.defineProperty(board, "crash", {
      get: () => dump,
      set(text: string) {
        if (dump && !text) driven.push(relay.output);
        dump = text;
      },
    });
    await crash(system, 1);
    expect([driven, dump]).toEqual([[1], ""]);
  });

  it("a power cut: nothing from before is left", async () => {
    const system = await start();
    await system.untilLoaded();
    await crash(system, 1);
    system.board.powerCut();
    await system.board.restarted;
    const client = await signedIn(system);
    expect(await startOf(client)).toMatchObject({ reason: "power-on", restarts: 0 });
    const log = (await client.get("/web/log")).json.data as unknown as { before?: boolean }[];
    expect(log.filter(({ before }) => before)).toEqual([]);
  });
});

it("a hung script is restarted by the task watchdog, and the relay keeps its state until then", async () => {
  const system = await start();
  await system.untilLoaded();
  system.probes.switchRelay(true);
  system.board.hang();
  system.skip(TASK_WATCHDOG - SECOND);
  expect([system.board.resetReason, relayLevel(system)]).toEqual([RESET.powerOn, 1]);
  system.skip(SECOND);
  await system.board.restarted;
  expect(await startOf(await signedIn(system))).toMatchObject({ reason: "task-watchdog", restarts: 1 });
  expect(relayLevel(system)).toBe(0);
});

it("an ordered restart restores the relay's last state, however recent", async () => {
  const system = await start({ board: { config: { settings: { relay: { start: "restore" } } } } });
  const client = await signedIn(system);
  system.skip(STORE_INTERVAL);
  system.probes.switchRelay(true);
  await system.whileTimeStands(async () => {
    expect((await client.post("/web/restart", {})).status).toBe(204);
    system.probes.switchRelay(false);
  });
  system.skip(2 * SECOND);
  await system.until("it has restarted", () => system.board.resetReason === RESET.software);
  await system.board.restarted;
  expect(relayLevel(system)).toBe(0);
});

it("a storage that fails to open: the device starts anyway, sets it aside, and reports it on the page and in the log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  try {
    const storage = join(folder, "settings.json");
    writeFileSync(storage, "not a store");
    const system = await start({ board: { storage } });
    await system.untilLoaded();
    const client = await signedIn(system);
    const problem = "store-set-aside";
    expect((await startOf(client)).problems).toEqual([problem]);
    const log = (await client.get("/web/log")).json.data as unknown as { text: string }[];
    expect(log.map(({ text }) => text)).toContain(`settings\t${problem}`);
    expect(readFileSync(`${storage}.corrupt`, "utf8")).toBe("not a store");
    await crash(system, 1);
    expect((await startOf(await signedIn(system))).problems).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("the relay's pin is driven before the network is tried, whose failure ends nothing", async () => {
  const board = new SimulatedBoard({
    console: () => undefined,
    config: { httpPort: 0, settings: { relay: { start: "on" } } },
  });
  const levels: (0 | 1 | undefined)[] = [];
  board.pin(WT32_PINS.relay).onOutput = (level) => levels.push(level);
  let driven: (0 | 1 | undefined)[] | undefined;
  Object.defineProperty(board.ethernet, "fails", {
    get(): never {
      driven ??= [...levels];
      throw new Error("ESP_ERR_NO_MEM");
    },
  });
  await bootOn(ENGINE, board);
  expect([driven, levels]).toEqual([[1], [1]]);
  board.powerOff();
});

it.each([true, false])(
  "input pads are released only where inputs are fitted (%s), before they are read",
  async (fitted) => {
    const board = new SimulatedBoard({
      console: () => undefined,
      config: { httpPort: 0, snmpPort: 0, settings: { monitoring: { fitted } } },
    });
    const inputs: readonly number[] = WT32_PINS.inputs;
    const early: number[] = [];
    const use = board.pins.use.bind(board.pins);
    board.pins.use = (pin, options) => {
      if (!options?.output && inputs.includes(pin) && !board.released.has(pin)) early.push(pin);
      return use(pin, options);
    };
    await bootOn(ENGINE, board);
    expect([[...board.released], early]).toEqual([fitted ? [...inputs] : [], []]);
    board.powerOff();
  },
);

describe("the supervisor", () => {
  it("restarts a device that has become unreachable", async () => {
    const system = await start();
    await system.untilLoaded();
    system.board.tcp.failListeners();
    system.skip(2 * SUPERVISION_INTERVAL);
    await system.board.restarted;
    expect(await startOf(await signedIn(system))).toMatchObject({ reason: "no-listener", restarts: 1 });
  });

  it("restarts a device that is running out of memory", async () => {
    const system = await start();
    system.board.heap = [5_000, 5_000, 5_000];
    await system.skipUntil("it restarts", () => system.board.resetReason === RESET.software, 60);
    await system.board.restarted;
    system.board.heap = undefined;
    // Without memory the network was not started.
    system.skip(RETRY_PARTS + SECOND);
    expect(await startOf(await signedIn(system))).toMatchObject({ reason: "low-memory", restarts: 1 });
  });

  it("restarts neither a device whose BMS is silent nor one whose port cannot be opened", async () => {
    const silent = await start();
    silent.bms.setOnline(false);
    silent.skip(2 * POLL_LIMIT);
    await silent.board.restarted;
    expect(silent.board.resetReason).toBe(RESET.powerOn);

    // The UART is taken: the BMS cannot be opened.
    const config = { pins: { ...WT32_PINS, bms: { port: 2, receive: 33, transmit: 17 } } };
    const stuck = await start({ board: { config } });
    stuck.skip(POLL_LIMIT + 3 * SUPERVISION_INTERVAL);
    await stuck.board.restarted;
    expect(stuck.board.resetReason).toBe(RESET.powerOn);
  });
});

describe("a firmware that keeps crashing", () => {
  it("by exceptions that nothing catches: safe mode too", async () => {
    const system = await start();
    for (let count = 0; count < SAFE_RESTARTS; count++) {
      system.board.abort();
      await system.board.restarted;
    }
    expect(await startOf(await signedIn(system))).toMatchObject({ reason: "script-aborted", safeMode: true });
  });

  it("does not make the relay chatter", async () => {
    const system = await start({ board: { config: { settings: { relay: { start: "on" } } } } });
    const levels: (0 | 1 | undefined)[] = [];
    system.board.pin(WT32_PINS.relay).onOutput = (level) => levels.push(level);
    expect(relayLevel(system)).toBe(1);
    await crash(system, 4);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(relayLevel(system)).toBe(0);
    system.skip(STABLE_AFTER + SUPERVISION_INTERVAL);
    expect(relayLevel(system)).toBe(1);
  });

  it("ends in safe mode: page, update and log, but no BMS or API, relay off; an ordered restart leaves it", async () => {
    const system = await start({ board: { config: { settings: { relay: { start: "on" } } } } });
    await crash(system, SAFE_RESTARTS);
    const client = await signedIn(system);
    expect(await startOf(client)).toMatchObject({ reason: "panic", restarts: SAFE_RESTARTS, safeMode: true });
    const log = (await client.get("/web/log")).json.data as unknown as { text: string }[];
    expect(log.at(-1)?.text).toBe("safe-mode");
    const { sent } = system.board.uart;
    system.skip(2 * STABLE_AFTER);
    expect([system.board.uart.sent, relayLevel(system)]).toEqual([sent, 0]);
    for (const path of ["/api", "/api/bms/status", "/api/relay", "/api/none"]) {
      const { status, headers, text } = await system.get(path);
      expect([path, status, text]).toEqual([
        path,
        503,
        expect.stringMatching(/^{"success":false,"error":".*safe mode/),
      ]);
      expect([headers.get("retry-after"), headers.get("access-control-allow-origin")]).toEqual(["60", "*"]);
    }
    expect((await fetch(`${system.url}/api`)).status).toBe(401);
    expect((await fetch(`${system.url}/api`, { method: "OPTIONS" })).status).toBe(204);
    expect((await client.get("/web/update")).status).toBe(200);
    // Nobody reaches BMS or relay, the signed-in page neither; settings that would switch it on do not.
    for (const [path, body] of [
      ["/web/relay", { state: true }],
      ["/web/relay", { state: "maybe" }],
      ["/web/commands", { command: "charge_mos", state: "on" }],
      ["/web/parameters", { setting: "capacity_ah", value: "100" }],
    ] as const) {
      const answer = await client.post(path, body);
      expect([path, answer.status, answer.json.error]).toEqual([path, 503, "safe-mode"]);
    }
    system.probes.configure("relay", { mode: 1, source: "soc", onAt: 100, offAt: 101 });
    system.probes.configure("relay", { mode: 0, start: "on" });
    expect(relayLevel(system)).toBe(0);
    expect((await client.get("/web/session")).json.data).toMatchObject({ safeMode: true });
    await system.powerCycle();
    expect(await startOf(await signedIn(system))).toMatchObject({ reason: "power-on", safeMode: true });

    const again = await signedIn(system);
    expect((await again.post("/web/restart", {})).status).toBe(204);
    system.skip(5 * SECOND);
    await system.until("it has restarted", () => system.board.resetReason === RESET.software);
    await system.board.restarted;
    await system.untilLoaded();
    expect(await startOf(await signedIn(system))).toMatchObject({ reason: "ordered", safeMode: false });
  });
});

describe("button and LED", () => {
  const BUTTON = 13;
  const LED = 12;
  const fitted = async (): Promise<System> => {
    return start({ bms: { evolving: false }, board: { config: { pins: { ...WT32_PINS, button: BUTTON, led: LED } } } });
  };
  const said = ({ console }: System): string[] =>
    [...console.join("").matchAll(/access point \S+, password (\S+)\n/g)].map(([, password]) => password as string);

  it("held for 5 s opens the access point with a new password each time; a shorter press does nothing", async () => {
    const system = await fitted();
    system.board.press(HOLD_ACCESS_POINT - SECOND);
    system.skip(10 * SECOND);
    expect(said(system)).toEqual([]);
    for (const count of [1, 2]) {
      system.board.press(HOLD_ACCESS_POINT + SECOND);
      system.skip(10 * SECOND);
      expect(new Set(said(system)).size).toBe(count);
      expect(system.board.radio.accessPoint?.password).toBe(said(system).at(-1));
    }
    expect(system.board.resetReason).toBe(RESET.powerOn);
  });

  it("held for 15 s erases the settings", async () => {
    const system = await fitted();
    expect(system.probes.configure("device", { name: "Shed" })).toBeUndefined();
    system.board.press(HOLD_RESET + SECOND);
    system.skip(HOLD_RESET + 2 * SECOND);
    await system.board.restarted;
    expect([system.board.resetReason, system.probes.deviceName()]).toEqual([RESET.software, "JK BMS monitor"]);
    expect(await startOf(await signedIn(system))).toMatchObject({ reason: "factory-reset" });
  });

  it("held for 5 s opens the access point in safe mode too", async () => {
    const system = await fitted();
    await crash(system, SAFE_RESTARTS);
    system.board.press(HOLD_ACCESS_POINT + SECOND);
    system.skip(10 * SECOND);
    expect(said(system)).toEqual([system.board.radio.accessPoint?.password]);
  });

  it("the LED shows the state of the device", async () => {
    const system = await fitted();
    /** Levels of 16 steps, from the pattern's beginning on. */
    const shown = (): number => {
      let bits = 0;
      for (let step = 0; step < 16; step++) {
        system.skip(LED_INTERVAL);
        bits |= system.board.pin(LED).level << step;
      }
      return bits;
    };
    const turned = (bits: number, by: number): number => ((bits << by) | (bits >>> (16 - by))) & 0xffff;
    const same = (bits: number, pattern: number): boolean =>
      [...Array(16).keys()].some((by) => turned(bits, by) === pattern);
    const until = (pattern: number): Promise<void> =>
      system.skipUntil(`0x${pattern.toString(16)}`, () => same(shown(), pattern), 60);
    await until(PATTERNS.well);
    system.board.press(HOLD_ACCESS_POINT - SECOND);
    system.skip(SECOND);
    expect(shown()).toBe(PATTERNS.button);
    await until(PATTERNS.well);
    const bytes = image({ size: 2_500 });
    const { request, answer } = (await signedIn(system)).upload("/web/update", bytes.length);
    const broken = answer.catch(() => "broken");
    request.write(bytes.subarray(0, 1_024));
    await system.until("the image arrives", () => system.probes.update().received === 1_024);
    await until(PATTERNS.update);
    request.destroy();
    expect(await broken).toBe("broken");
    await until(PATTERNS.well);
    system.bms.registers.write("Alarms", 1 << 11);
    await until(PATTERNS.alarm);
    expect(system.probes.configure("device", { statusLed: false })).toBeUndefined();
    expect(shown()).toBe(0);
    system.board.press(HOLD_ACCESS_POINT - SECOND);
    system.skip(SECOND);
    expect(shown()).toBe(PATTERNS.button);
    expect(system.probes.configure("device", { statusLed: true })).toBeUndefined();
    system.bms.setOnline(false);
    await until(PATTERNS.silent);
    system.board.press(HOLD_ACCESS_POINT + SECOND);
    await until(PATTERNS.portal);
  });
});

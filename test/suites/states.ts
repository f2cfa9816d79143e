/**
 * The states in which the platform may be when the firmware starts or while it runs, and what must still work in each, with the whole
 * firmware. docs/testing.md describes the table.
 */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { WT32_PINS } from "../../host-sim/config";
import {
  CONDITIONS,
  parseTrouble,
  play,
  type Condition,
  type Trouble,
  type TroubleOrder,
} from "../../host-sim/troubles";
import { HOLD_ACCESS_POINT, HOLD_RESET } from "../../src/health/limits";
import { RETRY_INTERVAL } from "../../src/network/limits";
import type { SimulatedBoard } from "../../host-sim/board";
import type { Random } from "../fuzz/random";
import { freePort } from "../support/free-port";
import { System } from "../support/system/system";

/**
 * What must work: the relay's pin is driven from the start on and switches; the BMS is polled; the button opens the access point; the page is
 * served; network, SNMP, mDNS and time are there, again if they were not; the button resets the settings. In every state, what
 * restarted the device is known, and nothing but the reset did.
 */
export type Duty = "relay" | "polling" | "accessPoint" | "page" | "services" | "reset";

export interface State {
  /** As for `npm start -- --trouble`. */
  readonly troubles: readonly string[];
  readonly network: "ethernet" | "wifi";
  /** What cannot work in it, and why. That it does not is checked, too. A page that is lacking must be there in the end. */
  readonly lacks?: { readonly [Name in Duty]?: string };
}

const SECOND = 1_000;
const HOME = { ssid: "Home", password: "correct horse" };
const NOON = Date.UTC(2026, 10, 21, 12, 0, 0);
const BUTTON = 13;
const LED = 2;

/** One allocation fails. */
const NO_MEMORY = "no-memory";
/** Seconds until a started device polls, and in which polls are counted. */
const STARTED = 12;
const POLLS = 10;
/** Seconds until everything is back once a condition has ended: the longest back-off, of the Wi-Fi. */
const RECOVERY = 60;
/** ms: seldom, to save processor time. */
const POLL_INTERVAL = 5_000;

const NO_NETWORK = { services: "there is no network" };
const NO_ACCESS_POINT = { accessPoint: "the driver refuses to open it" };
const NO_RELAY = { relay: "it cannot be known whether a relay is fitted" };
const NO_POLLING = { polling: "nothing leads to the BMS" };

const on = (network: State["network"], lacks: State["lacks"], ...troubles: string[]): State => ({
  network,
  troubles,
  ...(lacks && { lacks }),
});

/** By name. "from the start" is before the firmware runs, "later" once it has run for 20 s. */
export const STATES: Readonly<Record<string, State>> = {
  "nothing amiss": on("ethernet", undefined),
  "no cable": on("ethernet", NO_NETWORK, "no-link"),
  "a cable that comes after 60 s": on("ethernet", undefined, "no-link:for=60"),
  "a cable that is unplugged later for 60 s": on("ethernet", undefined, "no-link:at=20:for=60"),
  "no Wi-Fi in range": on("wifi", NO_NETWORK, "no-link"),
  "a Wi-Fi that comes after 60 s": on("wifi", undefined, "no-link:for=60"),
  "an Ethernet driver that does not start for 60 s": on("ethernet", undefined, "no-phy:for=60"),
  "no lease on Ethernet": on("ethernet", NO_NETWORK, "no-lease"),
  "no lease on Wi-Fi": on("wifi", NO_NETWORK, "no-lease"),
  "a lease that comes after 1 s": on("ethernet", undefined, "no-lease:for=1"),
  "a lease that comes after 60 s, Ethernet": on("ethernet", undefined, "no-lease:for=60"),
  "a lease that comes after 60 s, Wi-Fi": on("wifi", undefined, "no-lease:for=60"),
  "a lease that is lost, Ethernet": on("ethernet", NO_NETWORK, "no-lease:at=20"),
  "a lease that is lost, Wi-Fi": on("wifi", NO_NETWORK, "no-lease:at=20"),
  "a lease that comes back as another, Ethernet": on(
    "ethernet",
    undefined,
    "no-lease:at=20:for=60",
    "other-lease:at=80",
  ),
  "a lease that comes back as another, Wi-Fi": on("wifi", undefined, "no-lease:at=20:for=60", "other-lease:at=80"),
  "an access point that does not open": on("ethernet", NO_ACCESS_POINT, "no-access-point"),
  "no sockets for 60 s": on("ethernet", { page: "there is none yet" }, "no-sockets:for=60"),
  "no sockets, later for 60 s": on("ethernet", undefined, "no-sockets:at=20:for=60"),
  "memory that lacks for the first object": on("ethernet", undefined, "no-memory"),
  "no time server": on("ethernet", { services: "nothing sets the clock" }, "no-time"),
  "a full storage": on("ethernet", undefined, "storage-full"),
  "a storage of which the first write fails": on("ethernet", undefined, "storage-fails"),
  "a storage that is set aside": on("ethernet", { services: "SNMP is off again" }, "storage-corrupt"),
  "a storage that does not open": on(
    "ethernet",
    { ...NO_RELAY, services: "SNMP is off", reset: "there is nothing to erase" },
    "storage-closed",
  ),
  "a queue that is full for interrupts": on("ethernet", undefined, "lost-messages"),
  "a queue that is full for interrupts, later for 10 s": on("ethernet", undefined, "lost-messages:at=20:for=10"),
  "an ADC that converts nothing": on("ethernet", undefined, "no-conversions"),
  "sensors whose pins cannot be claimed": on(
    "ethernet",
    undefined,
    ...[36, 39, 35, 32, 4, 14].map((pin) => `no-pins:pin=${pin}`),
  ),
  "a relay whose pin cannot be claimed": on("ethernet", { relay: "its pin is refused" }, "no-pins:pin=33"),
  "a serial port that cannot be opened": on("ethernet", NO_POLLING, "no-serial"),
};

const has = ({ lacks }: State, duty: Duty): boolean => lacks?.[duty] === undefined;

const ordersOf = ({ troubles }: State): TroubleOrder[] => troubles.map(parseTrouble);

/** Seconds after the start at which the last condition that ends has ended. */
const endOf = (state: State): number =>
  Math.max(0, ...ordersOf(state).map((order) => order.at + (order.for === Infinity ? 0 : order.for)));

let resources: string | undefined;

/** A folder with a page, in that of the test run. */
function pageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bms-page-"));
  writeFileSync(join(folder, "index.html.gz"), gzipSync("<!doctype html><title>page</title>"));
  return folder;
}

/** What a device has stored whose owner has set up everything. */
async function setUp(network: State["network"]): Promise<string> {
  const storage = join(mkdtempSync(join(tmpdir(), "bms-states-")), "nvs.json");
  const system = await System.start({ unpaced: true, engine: "node", board: { storage } });
  const { probes } = system;
  const problems = [
    probes.configure("relay", { fitted: true, mode: 0, start: "off" }),
    probes.configure("bms", { interval: POLL_INTERVAL }),
    probes.configure("monitoring", { fitted: true }),
    probes.configure("snmp", { enabled: true, community: "Gemeinde-7" }),
    // A numeric address: names are resolved by this machine.
    probes.configure("time", { server: "127.0.0.1" }),
    network === "wifi" ? probes.configure("network", HOME) : undefined,
  ];
  assert.deepEqual(
    problems.filter((problem) => problem),
    [],
  );
  system.stop();
  return storage;
}

const stored = new Map<State["network"], string>();

/** Starts that device in `state`; `prepare` is called with its board before. */
async function startIn(state: State, prepare: (board: SimulatedBoard) => void): Promise<System> {
  const { network } = state;
  let storage = stored.get(network);
  if (!storage) stored.set(network, (storage = await setUp(network)));
  const own = join(mkdtempSync(join(tmpdir(), "bms-state-")), "nvs.json");
  copyFileSync(storage, own);
  return System.start({
    unpaced: true,
    prepare(board) {
      board.air.add(HOME);
      for (const order of ordersOf(state)) play(board, order, () => undefined);
      prepare(board);
    },
    board: {
      cable: network === "ethernet",
      storage: own,
      resources: (resources ??= pageFolder()),
      utc: () => NOON,
      // Fixed, so that a listener that opens late knows it at once, as on the device.
      config: { httpPort: await freePort(), pins: { ...WT32_PINS, button: BUTTON, led: LED } },
    },
  });
}

/** Status of GET /; a reset connection is tried once more, as browsers do. */
async function page(system: System): Promise<number> {
  await system.board.ready();
  return (await requestPage(system)) || requestPage(system);
}

/** On a connection of its own: what is idle in virtual time is closed. 0: no answer. */
function requestPage(system: System): Promise<number> {
  const port = system.probes.port();
  if (port === undefined) return Promise.resolve(0);
  return new Promise((resolve) => {
    request({ port, path: "/", agent: false }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    })
      .once("error", () => resolve(0))
      .end();
  });
}

async function press(system: System, ms: number): Promise<void> {
  system.board.press(ms + SECOND);
  system.skip(ms + 2 * SECOND);
  await system.board.restarted;
}

type Works = (duty: Duty, works: boolean) => void;

export interface CheckOptions {
  /** Try the factory reset as well, which takes another start. */
  readonly reset?: boolean;
  /** Fail, too, if something works that the state lacks. */
  readonly exact?: boolean;
}

/** Starts the device in `state`, and tries each duty. Throws an error that names what does not work, or the one that ended the start. */
export async function checkState(state: State, { reset = true, exact = true }: CheckOptions = {}): Promise<void> {
  const levels: (number | undefined)[] = [];
  const system = await startIn(state, (board) => {
    board.pin(WT32_PINS.relay).onOutput = (level) => levels.push(level);
  });
  const works: Works = (duty, does) => {
    const must = has(state, duty);
    if (must || exact)
      assert.equal(does, must, `${duty} ${does ? "works" : "fails"}; the console: ${system.console.join("")}`);
  };
  try {
    await tryDuties(system, state, works, levels);
    if (reset) works("reset", await resets(system));
  } finally {
    await system.board.restarted;
    system.stop();
  }
}

/** `levels`: what the relay's pin has had until now; grows. Undefined: it was not driven. */
async function tryDuties(
  system: System,
  state: State,
  works: Works,
  levels: readonly (number | undefined)[],
): Promise<void> {
  const { board, bms } = system;
  const { clock } = board;
  works("relay", levels.join() === "0");
  assert.deepEqual(system.probes.start(), { reason: "power-on", restarts: 0, safe: false });

  system.skip(STARTED * SECOND);
  const polled = bms.traffic.requests;
  system.skip(POLLS * SECOND);
  works("polling", bms.traffic.requests > polled && system.monitor().online);
  system.probes.switchRelay(true);
  system.probes.switchRelay(false);
  works("relay", levels.join() === "0,1,0");

  await press(system, HOLD_ACCESS_POINT);
  // What fails once, at the press itself, is tried again.
  if (state.troubles.some((trouble) => trouble.startsWith(NO_MEMORY))) system.skip(RETRY_INTERVAL);
  works("accessPoint", board.radio.accessPoint !== undefined);
  works("page", (await page(system)) === 200);

  const end = endOf(state);
  if (end) system.skip(Math.max(0, end * SECOND - clock.now) + RECOVERY * SECOND);
  works("services", serves(system));
  assert.deepEqual(system.probes.start(), { reason: "power-on", restarts: 0, safe: false });
  assert.equal(await page(system), 200);
}

const serves = ({ probes }: System): boolean => Object.values(probes.services()).every(Boolean);

/** Whether holding the button resets the settings, and the device says so. */
async function resets(system: System): Promise<boolean> {
  const { restarts } = system.probes.start();
  await press(system, HOLD_RESET);
  const after = system.probes.start();
  return after.reason === "factory-reset" && after.restarts === restarts + 1;
}

/** Conditions that end, and after which everything works again. */
const PASSING = Object.values(STATES).filter((state) => has(state, "services") && endOf(state));
/** ms between two of them, in which everything has to come back. */
const QUIET = 240 * SECOND;

/** Virtual hours of a device, with one condition after another. Throws an error that names what did not come back. */
export async function runHours(hours: number, random: Random): Promise<void> {
  const wired = PASSING.filter(({ network }) => network === "ethernet");
  const system = await startIn({ network: "ethernet", troubles: [] }, () => undefined);
  const { board, bms } = system;
  try {
    while (board.clock.now < hours * 3_600 * SECOND) {
      const state = random.of(wired);
      for (const order of ordersOf(state)) play(board, order, () => undefined);
      const polled = bms.traffic.requests;
      system.skip(endOf(state) * SECOND + QUIET);
      await board.restarted;
      const found = {
        polling: bms.traffic.requests > polled && system.monitor().online,
        services: serves(system),
        page: await page(system),
        start: system.probes.start(),
      };
      const wanted = {
        polling: true,
        services: true,
        page: 200,
        start: { reason: "power-on", restarts: 0, safe: false },
      };
      assert.deepEqual(
        found,
        wanted,
        `${state.troubles.join(" ")} after ${board.clock.now / SECOND} s: ${JSON.stringify(found)}`,
      );
    }
  } finally {
    await board.restarted;
    system.stop();
  }
}

/** Kinds of its conditions. */
export const conditionsOf = (state: State): Trouble[] => ordersOf(state).map(({ kind }) => kind);

/** Conditions that no state of the table has. */
export const untried = (): Condition[] => {
  const tried = new Set(Object.values(STATES).flatMap(conditionsOf));
  return (Object.keys(CONDITIONS) as Condition[]).filter((kind) => !tried.has(kind));
};

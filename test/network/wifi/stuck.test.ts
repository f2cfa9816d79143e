import Ethernet from "embedded:network/interface/ethernet";
import WiFiStation from "embedded:network/interface/wifi";
import WiFi from "wifi";
import { beforeEach, describe, expect, it } from "vitest";
import { RADIO_PAUSE, STUCK_AFTER, WIFI_RESTART_INTERVAL, WIFI_STARTS } from "../../../src/network/limits";
import { BoardNetwork } from "../../../src/network/network";
import { Radio } from "../../../src/network/wifi/radio";
import { Wired } from "../../../src/network/ethernet/wired";
import type { SimulatedBoard } from "../../../host-sim/board";
import type { StoredSettings } from "../../../src/settings/settings";
import type { NetworkSettings } from "../../../src/settings/types";
import { startSettings } from "../../support/fakes/settings";
import { FaultyStorage } from "../../support/fakes/storage";
import { poweredBoard } from "../../support/system/simulated-board";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Longest time from one attempt to join to the next, looks included. */
const CYCLE = 180 * SECOND;
const HOME = { ssid: "Home", password: "correct horse", rssi: -55 };

let board: SimulatedBoard;
let settings: StoredSettings;
let network: BoardNetwork;
let told: string[];
let device: { isInUse: boolean; relay: { value: 0 | 1 }; uptime(): number; restartFor(cause: "no-wifi"): void };
let ranBefore: number;
let restarts: number[];

function start(stored: Partial<NetworkSettings> = {}, type: "Ethernet" | "Wi-Fi" = "Wi-Fi"): void {
  board = poweredBoard({
    network: { mac: "24:6F:28:01:02:03", ip: "192.0.2.7" },
    seed: 1,
    online: false,
    cable: false,
  });
  board.air.add(HOME);
  settings = startSettings(new FaultyStorage(board));
  settings.update("network", { ssid: HOME.ssid, password: HOME.password, ...stored });
  told = [];
  restarts = [];
  ranBefore = WIFI_RESTART_INTERVAL;
  device = {
    isInUse: false,
    relay: { value: 0 },
    uptime: () => ranBefore + Math.floor(board.clock.now / SECOND),
    restartFor: (cause) => {
      expect(cause).toBe("no-wifi");
      restarts.push(board.clock.now);
    },
  };
  network = new BoardNetwork({
    settings,
    ...(type === "Ethernet" ? { wired: new Wired(Ethernet) } : { radio: new Radio() }),
    parts: { failed: (part, why) => told.push(`${part}: ${String(why)}`), works: (part) => told.push(`${part} works`) },
    device,
  });
  network.start();
}

const pass = (ms: number): void => board.clock.runFor(ms);

/** Joined, until the access point goes for a moment and the driver gets stuck. */
function stick(until: "until-stopped" | "until-reset" = "until-reset"): void {
  pass(10 * SECOND);
  expect(network.online).toBe(true);
  told = [];
  board.radio.stuck = until;
  board.air.remove(HOME.ssid);
  board.air.add(HOME);
  pass(SECOND);
  expect(network.online).toBe(false);
}

beforeEach(() => start());

describe("Wi-Fi that does not join although its network is there", () => {
  it("is stopped and started after half an hour, joins, and both are told", () => {
    stick("until-stopped");
    pass(STUCK_AFTER - 2 * SECOND);
    expect([board.radio.stops, told]).toEqual([[], []]);
    pass(CYCLE);
    expect(board.radio.stops).toHaveLength(1);
    expect([network.online, told[0], told.at(-1)]).toEqual([
      true,
      "Wi-Fi: does not join; stopped and started",
      "Wi-Fi works",
    ]);
    pass(HOUR);
    expect([board.radio.stops.length, restarts]).toEqual([1, []]);
  });

  it("gets its address and name again, and the access point opens again", () => {
    start({ addressing: "static", address: "192.0.2.9" });
    stick("until-stopped");
    pass(STUCK_AFTER - 2 * SECOND);
    expect(board.radio.accessPoint).toBeDefined();
    let closed = false;
    for (const end = board.clock.now + CYCLE; board.clock.now < end; pass(SECOND))
      closed ||= board.radio.accessPoint === undefined && network.accessPoint === "";
    expect([closed, network.ip, board.radio.hostname]).toEqual([true, "192.0.2.9", settings.device.hostname]);
  });

  it("rests for as long as the platform's tasks take, and only then opens the access point", () => {
    const changes: [mode: number, at: number][] = [];
    stick("until-reset");
    const { radio } = board;
    const setMode = radio.setMode.bind(radio);
    radio.setMode = (mode) => {
      changes.push([mode, board.clock.now]);
      setMode(mode);
    };
    for (const end = board.clock.now + STUCK_AFTER + CYCLE; board.radio.mode !== 0 && board.clock.now < end;) pass(1);
    // An event of the platform is a tick, too.
    for (const mode of [0, 1]) {
      pass(RADIO_PAUSE - 2);
      network.tick();
      expect(board.radio.mode).toBe(mode);
      pass(2);
    }
    pass(1);
    expect(changes.slice(-3).map(([mode]) => mode)).toEqual([0, 1, 3]);
    const [stopped, started, opened] = changes.slice(-3).map(([, at]) => at) as [number, number, number];
    expect(Math.min(started - stopped, opened - started)).toBeGreaterThanOrEqual(RADIO_PAUSE);
  });

  it("has the device restarted when starting Wi-Fi has not helped so often", () => {
    stick();
    for (const end = board.clock.now + 6 * HOUR; board.radio.stops.length < WIFI_STARTS && board.clock.now < end;)
      pass(SECOND);
    pass(STUCK_AFTER - SECOND);
    expect(restarts).toEqual([]);
    pass(CYCLE);
    expect(restarts).toHaveLength(1);
  });

  it.each([
    [-1, false],
    [0, true],
    [1, true],
  ])("not until the device has run for the interval %i s: %s", (more, isRestarted) => {
    stick();
    device.uptime = () => WIFI_RESTART_INTERVAL + more;
    pass((WIFI_STARTS + 1) * (STUCK_AFTER + CYCLE));
    expect(restarts.length > 0).toBe(isRestarted);
    expect(board.radio.stops.length).toBeGreaterThan(WIFI_STARTS);
  });

  it("at most once in the interval, over restarts too", () => {
    ranBefore = 0;
    const starts: number[] = [];
    device.restartFor = () => {
      starts.push(board.clock.now);
      // Its uptime begins again; the driver stays stuck.
      ranBefore = -Math.floor(board.clock.now / SECOND);
    };
    stick();
    pass(24 * HOUR);
    expect(starts.length).toBeGreaterThan(1);
    const last = [0, ...starts];
    for (const [index, at] of starts.entries())
      expect(at - last[index]!).toBeGreaterThanOrEqual(WIFI_RESTART_INTERVAL * SECOND);
  });

  it("with the relay on only Wi-Fi is started again, until it is off", () => {
    device.relay.value = 1;
    stick();
    pass(6 * HOUR);
    expect(restarts).toEqual([]);
    expect(board.radio.stops.length).toBeGreaterThan(WIFI_STARTS);
    device.relay.value = 0;
    pass(STUCK_AFTER + CYCLE);
    expect(restarts.length).toBeGreaterThan(0);
  });

  it("nothing is done while the device is in use, and soon after", () => {
    device.isInUse = true;
    stick();
    pass(6 * HOUR);
    expect([board.radio.stops, restarts, told]).toEqual([[], [], []]);
    device.isInUse = false;
    pass(CYCLE);
    expect(board.radio.stops).toHaveLength(1);
  });

  it("nor with a cable", () => {
    start({}, "Ethernet");
    pass(10 * SECOND);
    stick();
    board.ethernet.cable = true;
    pass(6 * HOUR);
    expect([network.online, board.radio.stops, restarts]).toEqual([true, [], []]);
  });

  it("a cable in between starts the time anew", () => {
    start({}, "Ethernet");
    pass(10 * SECOND);
    stick();
    pass(STUCK_AFTER - 60 * SECOND);
    board.ethernet.cable = true;
    pass(10 * SECOND);
    board.ethernet.cable = false;
    pass(STUCK_AFTER - SECOND);
    expect(board.radio.stops).toEqual([]);
    pass(CYCLE);
    expect(board.radio.stops).toHaveLength(1);
  });
});

describe("nothing is done about a Wi-Fi", () => {
  it("whose network is not there, until it is", () => {
    stick();
    board.air.remove(HOME.ssid);
    pass(6 * HOUR);
    expect([network.reason, board.radio.stops, restarts]).toEqual(["timeout", [], []]);
    board.air.add(HOME);
    pass(CYCLE);
    expect(board.radio.stops).toHaveLength(1);
  });

  it("whose password is refused", () => {
    start({ password: "wrong horse" });
    pass(6 * HOUR);
    expect([network.reason, board.radio.stops, restarts, told]).toEqual(["wrong-password", [], [], []]);
  });

  it("that has been changed in the settings meanwhile", () => {
    stick();
    pass(STUCK_AFTER - 60 * SECOND);
    settings.update("network", { ssid: "Away" });
    board.air.add({ ...HOME, ssid: "Away" });
    pass(STUCK_AFTER - SECOND);
    expect(board.radio.stops).toEqual([]);
  });
});

it("the simulator rejects what crashes the device: `wifi` off below the other module", () => {
  board = poweredBoard();
  WiFi.mode = 1;
  new WiFiStation({ onChanged: () => undefined });
  expect(() => (WiFi.mode = -5)).toThrow("crashes");
});

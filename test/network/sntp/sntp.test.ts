import { beforeEach, describe, expect, it } from "vitest";
import type UDP from "embedded:io/socket/udp";
import Resolver from "embedded:network/dns/resolver/udp";
import {
  AGREEING,
  MAX_AGE,
  MAX_STEP,
  MAX_TIME_BACK_OFF,
  MIN_TIME_BACK_OFF,
  TIME_AGAIN,
  TIME_INTERVAL,
  TIME_TIMEOUT,
} from "../../../src/network/limits";
import { BUILT } from "../../../src/network/sntp/built";
import { WallClock } from "../../../src/network/sntp/clock";
import { Sntp } from "../../../src/network/sntp/sntp";
import type { NetworkObserver } from "../../../src/network/types";
import type { SettingsObserver } from "../../../src/settings/types";
import { readReply, writeRequest } from "../../../src/network/sntp/message";
import type { SimulatedBoard } from "../../../host-sim/board";
import { timeServerAnswer } from "../../../host-sim/network/time-server";
import { poweredBoard } from "../../support/system/simulated-board";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const UTC = Date.UTC(2026, 10, 21, 12, 0, 0);
const SERVER = "192.0.2.123";
const SECOND_SERVER = "192.0.2.124";

let board: SimulatedBoard;
let clock: WallClock;
let sntp: Sntp;
let asked: number[];
let sockets: number;
let told: string[];
/** What the server answers, and from where. */
/** Who was asked. */
let servers: string[];
let server: (request: Uint8Array) => { bytes: Uint8Array; address?: string; port?: number } | undefined;
let network: {
  online: boolean;
  dns1: string;
  dns2: string;
  timeServer: string;
  observe(observer: NetworkObserver): void;
};
let networkChanged: () => void;
let settings: {
  time: { server: string; server2: string; offset: number; zone: string };
  observe(observer: SettingsObserver): void;
};
let settingsChanged: () => void;

class TestSocket {
  readonly target: unknown;
  readonly #onReadable: (packets: number) => void;
  #packet: unknown;
  #open = true;

  constructor({ target, onReadable }: { target?: unknown; onReadable?: (packets: number) => void }) {
    this.target = target;
    this.#onReadable = onReadable!;
    sockets++;
  }

  write(request: Uint8Array, to: string, toPort: number): void {
    expect([to, toPort]).toEqual([[network.timeServer, SECOND_SERVER].includes(to) ? to : SERVER, 123]);
    asked.push(board.clock.now);
    servers.push(to);
    const answer = server(request);
    if (!answer) return;
    const { bytes, address = to, port = toPort } = answer;
    board.clock.after(40, () => {
      if (!this.#open) return;
      this.#packet = Object.assign(Uint8Array.from(bytes).buffer, { address, port });
      this.#onReadable(1);
    });
  }

  read(): unknown {
    return this.#packet;
  }

  close(): void {
    if (this.#open) sockets--;
    this.#open = false;
  }
}

function start(ticks = 0): void {
  board = poweredBoard({ ticks });
  clock = new WallClock();
  asked = [];
  servers = [];
  sockets = 0;
  server = (request) => ({ bytes: timeServerAnswer(request, UTC + board.clock.now)! });
  network = {
    online: true,
    dns1: "192.0.2.1",
    dns2: "",
    timeServer: "",
    observe: (observer) => (networkChanged = () => observer.networkChanged()),
  };
  settings = {
    time: { server: "ntp.example", server2: "", offset: 0, zone: "" },
    observe: (observer) => (settingsChanged = () => observer.settingsChanged?.("time")),
  };
  board.names.set("ntp.example", SERVER);
  told = [];
  const events = { add: (text: string) => void told.push(text) };
  sntp = new Sntp({ clock, events, settings, network, resolver: Resolver, udp: TestSocket as unknown as typeof UDP });
}
beforeEach(() => start());

const pass = (ms: number): void => board.clock.runFor(ms);

describe("SNTP", () => {
  it("asks at once and then every hour; the clock runs on in between", () => {
    expect([clock.valid, clock.now()]).toEqual([false, undefined]);
    pass(3 * SECOND);
    expect(clock.valid).toBe(true);
    expect(Math.abs(clock.now()! - (UTC / SECOND + 3))).toBeLessThanOrEqual(1);
    expect([sntp.problem, sntp.age]).toEqual(["", expect.closeTo(3, -1)]);
    expect(board.utcSet).toBeGreaterThanOrEqual(UTC / SECOND);
    pass(DAY);
    expect(asked.length).toBeGreaterThanOrEqual(24);
    expect(asked[2]! - asked[1]!).toBeGreaterThanOrEqual(TIME_INTERVAL);
    expect(Math.abs(clock.now()! - (UTC + board.clock.now) / SECOND)).toBeLessThanOrEqual(1);
    expect(sockets).toBe(0);
  });

  it.each([
    [0, false],
    [BUILT - 1, false],
    [BUILT, true],
    [BUILT + MAX_AGE - 1, true],
    [BUILT + MAX_AGE, false],
    [Date.UTC(2099, 0) / SECOND, false],
  ])("a server that says %i sets the clock: %s", (seconds, isTaken) => {
    server = (request) => ({ bytes: timeServerAnswer(request, seconds * SECOND)! });
    pass(3 * SECOND);
    expect([clock.valid, sntp.problem]).toEqual(isTaken ? [true, ""] : [false, "doubtful"]);
    expect(board.utcSet).toBe(isTaken ? seconds : undefined);
    expect(told).toEqual(isTaken ? [] : ["clock-doubtful"]);
    if (isTaken) return;
    pass(DAY);
    expect(told).toHaveLength(1);
    server = (request) => ({ bytes: timeServerAnswer(request, UTC + board.clock.now)! });
    pass(MAX_TIME_BACK_OFF + SECOND);
    expect([clock.valid, sntp.problem]).toEqual([true, ""]);
    server = (request) => ({ bytes: timeServerAnswer(request, 0)! });
    pass(2 * TIME_INTERVAL);
    expect(told).toHaveLength(2);
  });

  describe.each([-1, 1])("a time in the direction of %i from the running clock's", (sign) => {
    const SECONDS_OF_YEAR = 31_536_000;
    let step: number;
    const isRight = (): boolean => Math.abs(clock.now()! - (UTC + board.clock.now) / SECOND) <= 2;
    beforeEach(() => {
      pass(3 * SECOND);
      step = 0;
      server = (request) => ({ bytes: timeServerAnswer(request, UTC + board.clock.now + step * SECOND)! });
    });

    it("is believed at once up to MAX_STEP", () => {
      step = sign * (MAX_STEP - 1);
      pass(TIME_INTERVAL + 10 * SECOND);
      expect([isRight(), sntp.problem]).toEqual([false, ""]);
    });

    it.each([MAX_STEP + 2, SECONDS_OF_YEAR])("needs a second answer that agrees, a minute later: %i s", (far) => {
      step = sign * far;
      pass(TIME_INTERVAL + 10 * SECOND);
      expect([isRight(), sntp.problem, asked.length]).toEqual([true, "doubtful", 2]);
      pass(TIME_AGAIN - 11 * SECOND);
      expect([isRight(), asked.length]).toEqual([true, 2]);
      pass(20 * SECOND);
      expect([isRight(), sntp.problem, asked.length]).toEqual([false, "", 3]);
    });

    it("is never believed of servers that disagree, nor once the right one answers", () => {
      let answers = 0;
      server = (request) => {
        answers++;
        return { bytes: timeServerAnswer(request, UTC + board.clock.now + sign * answers * 2 * MAX_STEP * SECOND)! };
      };
      pass(DAY);
      expect([isRight(), sntp.problem]).toEqual([true, "doubtful"]);
      expect(answers).toBeGreaterThan(20);
      server = (request) => ({ bytes: timeServerAnswer(request, UTC + board.clock.now)! });
      pass(DAY);
      expect([isRight(), sntp.problem]).toEqual([true, ""]);
    });

    it.each([
      [AGREEING, false],
      [AGREEING + 2, true],
    ])("is believed of two servers that are %i s apart: not if %s", (apart, isKept) => {
      network.timeServer = "192.0.2.77";
      step = sign * SECONDS_OF_YEAR;
      server = (request) => {
        const more = servers.at(-1) === network.timeServer ? apart - 1 : 0;
        return { bytes: timeServerAnswer(request, UTC + board.clock.now + (step + more) * SECOND)! };
      };
      pass(TIME_INTERVAL + 10 * SECOND);
      expect(servers.at(-1)).toBe(SERVER);
      pass(TIME_AGAIN);
      expect([servers.at(-1), isRight()]).toEqual([network.timeServer, isKept]);
    });
  });

  it("backs off within limits while there is no answer", () => {
    server = () => undefined;
    pass(2 * DAY);
    const pauses = asked.slice(1).map((at, n) => at - asked[n]! - TIME_TIMEOUT);
    for (const [n, pause] of pauses.entries()) {
      const expected = Math.min(MIN_TIME_BACK_OFF * 2 ** n, MAX_TIME_BACK_OFF);
      expect(Math.abs(pause - expected)).toBeLessThanOrEqual(2 * SECOND);
    }
    expect(asked.length).toBeGreaterThan(150);
    expect([sntp.problem, sntp.age]).toEqual(["no-answer", undefined]);
    expect(sockets).toBeLessThanOrEqual(1);
  });

  it("asks the server of the settings and DHCP's in turn while there is no answer, and stays with the one that answers", () => {
    const OTHER = "192.0.2.99";
    network.timeServer = OTHER;
    server = () => undefined;
    pass(300 * SECOND);
    expect(servers.slice(0, 4)).toEqual([SERVER, OTHER, SERVER, OTHER]);
    server = (request) =>
      servers.at(-1) === OTHER ? { bytes: timeServerAnswer(request, UTC + board.clock.now)! } : undefined;
    pass(DAY / 2);
    expect(clock.valid).toBe(true);
    expect(new Set(servers.slice(-5))).toEqual(new Set([OTHER]));
    // Another lease has none.
    network.timeServer = "";
    server = (request) => ({ bytes: timeServerAnswer(request, UTC + board.clock.now)! });
    pass(2 * TIME_INTERVAL);
    expect(servers.at(-1)).toBe(SERVER);
  });

  it.each([
    ["", [SERVER, SECOND_SERVER, SERVER, SECOND_SERVER]],
    ["192.0.2.99", [SERVER, SECOND_SERVER, "192.0.2.99", SERVER]],
  ])("asks the second server of the settings, and that of DHCP, %j, after it, in turn", (other, expected) => {
    network.timeServer = other;
    settings.time = { ...settings.time, server2: "second.example" };
    board.names.set("second.example", SECOND_SERVER);
    settingsChanged();
    server = () => undefined;
    pass(300 * SECOND);
    expect(servers.slice(0, 4)).toEqual(expected);
    server = (request) =>
      servers.at(-1) === SECOND_SERVER ? { bytes: timeServerAnswer(request, UTC + board.clock.now)! } : undefined;
    pass(DAY / 2);
    expect([clock.valid, servers.at(-1)]).toEqual([true, SECOND_SERVER]);
    // Without a first one none is asked.
    settings.time = { ...settings.time, server: "" };
    settingsChanged();
    const before = servers.length;
    pass(DAY);
    expect(servers).toHaveLength(before);
  });

  it("a jump of the clock that the second server tells, too, is believed", () => {
    settings.time = { ...settings.time, server2: "second.example" };
    board.names.set("second.example", SECOND_SERVER);
    settingsChanged();
    pass(10 * SECOND);
    server = (request) => ({ bytes: timeServerAnswer(request, UTC + board.clock.now + DAY)! });
    pass(TIME_INTERVAL);
    expect([servers.at(-1), sntp.problem]).toEqual([SERVER, "doubtful"]);
    pass(TIME_AGAIN + SECOND);
    expect([servers.at(-1), sntp.problem]).toEqual([SECOND_SERVER, ""]);
    expect(Math.abs(clock.now()! - (UTC + board.clock.now + DAY) / SECOND)).toBeLessThanOrEqual(1);
  });

  it("a name that is unknown or gets no answer is looked up again", () => {
    settings.time = { ...settings.time, server: "time.example" };
    settingsChanged();
    pass(100 * SECOND);
    expect(asked).toEqual([]);
    expect(sntp.problem).toBe("unknown-host");
    board.names.set("time.example", SERVER);
    pass(100 * SECOND);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, (request: Uint8Array) => ReturnType<typeof server>]>([
    ["another address", (request) => ({ bytes: timeServerAnswer(request, UTC)!, address: "192.0.2.1" })],
    ["another port", (request) => ({ bytes: timeServerAnswer(request, UTC)!, port: 124 })],
    ["another number", (request) => ({ bytes: timeServerAnswer(request.with(47, request[47]! ^ 1), UTC)! })],
    ["too short", (request) => ({ bytes: timeServerAnswer(request, UTC)!.subarray(0, 47) })],
    ["another mode", (request) => ({ bytes: timeServerAnswer(request, UTC)!.with(0, 0x25) })],
    ["not synchronised", (request) => ({ bytes: timeServerAnswer(request, UTC)!.with(0, 0xe4) })],
    ["a stratum too high", (request) => ({ bytes: timeServerAnswer(request, UTC)!.with(1, 16) })],
    ["no time", (request) => ({ bytes: timeServerAnswer(request, UTC)!.fill(0, 40) })],
  ])("ignores an answer of %s", (_name, answer) => {
    server = answer;
    pass(10 * SECOND);
    expect(asked).toHaveLength(1);
    expect(clock.valid).toBe(false);
  });

  it("respects a kiss-o'-death", () => {
    server = (request) => ({ bytes: timeServerAnswer(request, UTC)!.with(1, 0) });
    pass(MAX_TIME_BACK_OFF - SECOND);
    expect(asked).toHaveLength(1);
    expect(sntp.problem).toBe("refused");
    pass(10 * SECOND);
    expect(asked).toHaveLength(2);
    // A person may ask at once.
    sntp.restart();
    expect(sntp.problem).toBe("");
    pass(2 * SECOND);
    expect(asked).toHaveLength(3);
  });

  it("retries when the platform can neither send nor resolve, and leaks no socket", () => {
    server = () => {
      throw new Error("UDP send failed");
    };
    pass(20 * SECOND);
    expect([asked.length, sockets, clock.valid]).toEqual([2, 0, false]);
    board.refusals.sockets = true;
    pass(100 * SECOND);
    expect(asked).toHaveLength(2);
    board.refusals.sockets = false;
    server = (request) => ({ bytes: timeServerAnswer(request, UTC)! });
    pass(300 * SECOND);
    expect([sockets, clock.valid]).toEqual([0, true]);
  });

  it("asks when the network comes up, and uses the configured server", () => {
    network.online = false;
    networkChanged();
    pass(10 * SECOND);
    expect(asked).toEqual([]);
    network.online = true;
    networkChanged();
    pass(2 * SECOND);
    networkChanged();
    pass(2 * SECOND);
    expect(asked).toHaveLength(1);
    settings.time = { server: "", offset: 0, zone: "", server2: "" };
    settingsChanged();
    pass(2 * TIME_INTERVAL);
    expect(asked).toHaveLength(1);
    expect(clock.valid).toBe(true);
  });

  it.each([
    ["the network goes", () => ((network.online = false), networkChanged())],
    [
      "the server is removed",
      () => ((settings.time = { server: "", offset: 0, zone: "", server2: "" }), settingsChanged()),
    ],
    ["it is closed", () => sntp.close()],
    ["it takes too long", () => pass(TIME_TIMEOUT + SECOND)],
  ])("an answer of the name server that comes after %s is dropped", (_, end) => {
    start();
    let answer: ((address: string) => void) | undefined;
    board.names.resolve = (_host, done) => (answer = done);
    pass(2 * SECOND);
    end();
    answer?.(SERVER);
    pass(SECOND);
    expect([answer === undefined, asked, sockets]).toEqual([false, [], 0]);
  });

  it("another server has not answered yet, though the clock is known", () => {
    pass(3 * SECOND);
    expect(sntp.age).toBeGreaterThanOrEqual(0);
    server = () => undefined;
    settingsChanged();
    pass(SECOND);
    expect([sntp.age, sntp.problem, clock.valid]).toEqual([undefined, "", true]);
    pass(TIME_TIMEOUT + 2 * SECOND);
    expect([sntp.age, sntp.problem]).toEqual([undefined, "no-answer"]);
  });

  it("the clock runs on without a network and across the tick wrap", () => {
    pass(3 * SECOND);
    network.online = false;
    networkChanged();
    pass(2 * DAY);
    expect(Math.abs(clock.now()! - (UTC + board.clock.now) / SECOND)).toBeLessThanOrEqual(1);

    board = poweredBoard({ ticks: 2 ** 31 - 5 * SECOND });
    clock.set(UTC);
    for (let n = 0; n < 12; n++) {
      pass(10 * DAY);
      clock.keep();
    }
    expect(clock.now()).toBe((UTC + 120 * DAY) / SECOND);
  });

  it("is right after 2036, to the millisecond", () => {
    const request = new Uint8Array(48);
    writeRequest(request, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    for (const utc of [
      UTC + 123,
      Date.UTC(2036, 1, 7, 6, 28, 15, 999),
      Date.UTC(2036, 1, 7, 6, 28, 17),
      Date.UTC(2090, 0),
    ])
      expect(Math.abs((readReply(timeServerAnswer(request, utc)!, request) as number) - utc)).toBeLessThanOrEqual(1);
  });
});

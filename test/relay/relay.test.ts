import fc from "../support/property";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { STORE_INTERVAL } from "../../src/relay/limits";
import { BoardRelay } from "../../src/relay/relay";
import type { RelayTelemetry } from "../../src/relay/rule";
import type { RelaySettings } from "../../src/settings/types";
import type { StoredSettings } from "../../src/settings/settings";
import type { Level } from "../../host-sim/pins";
import { claimedPins, watchedDigital } from "../support/fakes/pins";
import { startSettings } from "../support/fakes/settings";
import { poweredBoard } from "../support/system/simulated-board";
import { FaultyStorage } from "../support/fakes/storage";

const PIN = 4;
const alarm = { online: true, alarmCode: 1, soc: 50, voltage: 52 };
const quiet = { online: true, alarmCode: 0, soc: 50, voltage: 52 };
const offline = { online: false, alarmCode: 0, soc: 0, voltage: 0 };

let storage: FaultyStorage;
let settings: StoredSettings;
/** Every level that the firmware put on the pin since the power came on. */
let levels: Level[];
const trace = vi.fn();

beforeEach(() => {
  storage = new FaultyStorage(poweredBoard({ console: trace }));
  trace.mockClear();
});

/** The power was off and is on again. */
function restart(): void {
  storage.board.powerOff();
  storage.board.powerOn();
  settings = startSettings(storage);
}

function newRelay(restrained = false): BoardRelay {
  const { io, levels: written } = watchedDigital();
  levels = written;
  return new BoardRelay({ settings, output: { io, pin: PIN }, storage, ...(restrained && { restrained }) });
}

/** Without least times, unless the test is about them. */
function start(change: Partial<RelaySettings> = {}, restrained = false): BoardRelay {
  restart();
  expect(settings.update("relay", { minimumOn: 0, minimumOff: 0, ...change })).toBeUndefined();
  return newRelay(restrained);
}

const tell = (relay: BoardRelay, telemetry: RelayTelemetry): void =>
  relay.evaluate({ relayTelemetry: () => telemetry });
const runFor = (duration: number): void => storage.board.clock.runFor(duration);
const storedState = (): unknown => storage.get("state", "relay");

describe("without memory for a timer", () => {
  const fail = (nth = 1): void => storage.board.refusals.failAllocation(nth);
  const SILENT = { mode: 1, start: "on", failSafe: "off", failSafeAfter: 10, minimumOn: 0, minimumOff: 0 } as const;
  /** The first allocation opens the storage. */
  const failSecond = (): void => fail(2);

  it("the pin is driven, and the fail-safe state follows once there is memory", () => {
    restart();
    expect(settings.update("relay", SILENT)).toBeUndefined();
    failSecond();
    const relay = newRelay();
    expect([levels, relay.lacks]).toEqual([[1], true]);
    runFor(60_000);
    expect(relay.value).toBe(1);
    fail();
    expect(() => relay.start()).toThrow("add failed");
    relay.start();
    expect(relay.lacks).toBe(false);
    runFor(10_000);
    expect([relay.value, levels]).toEqual([0, [1, 0]]);
  });

  it("when the BMS falls silent, it says so", () => {
    const relay = start({ mode: 1, failSafe: "on", failSafeAfter: 10 });
    tell(relay, quiet);
    fail();
    tell(relay, offline);
    expect(relay.lacks).toBe(true);
    relay.start();
    runFor(10_000);
    expect(relay.value).toBe(1);
  });

  it("least times are kept from when there is", () => {
    restart();
    expect(settings.update("relay", { mode: 1, minimumOff: 30 })).toBeUndefined();
    // After the storage, the timer of the silence and the pin.
    fail(4);
    const relay = newRelay();
    expect([relay.lacks, levels]).toEqual([true, [0]]);
    relay.start();
    tell(relay, alarm);
    expect(relay.lacks).toBe(false);
    runFor(29_999);
    expect(levels).toEqual([0]);
    runFor(1);
    expect(levels).toEqual([0, 1]);
  });

  it("a relay that was switched meanwhile stays so when it tries again", () => {
    const relay = start({ mode: 0, start: "off", minimumOn: 30 });
    fail();
    relay.switch(true);
    expect(relay.lacks).toBe(true);
    relay.start();
    expect([relay.lacks, relay.value, levels]).toEqual([false, 1, [0, 1]]);
  });

  it("a state to be restored is stored all the same", () => {
    const relay = start({ mode: 0, start: "restore" });
    runFor(STORE_INTERVAL);
    failSecond();
    relay.switch(true);
    expect([storedState(), relay.lacks]).toEqual(["1", false]);
    expect(trace.mock.calls).toEqual([["relay: no timer: the next state is stored at once\n"]]);
  });
});

describe("at start", () => {
  it.each([
    ["off", 1, 0],
    ["off", 0, 1],
    ["on", 1, 1],
    ["on", 0, 0],
  ] as const)(
    "%s with active level %i: the pin is claimed at %i and not touched again",
    (state, activeLevel, level) => {
      for (const mode of [0, 1] as const) {
        const relay = start({ start: state, activeLevel, mode });
        expect(relay.value).toBe(state === "on" ? 1 : 0);
        runFor(59_999);
        tell(relay, offline);
        expect(levels).toEqual([level]);
      }
    },
  );

  it("restores a manual relay, from the first level of the pin", () => {
    expect(start({ start: "restore" }).switch(true)).toBe(true);
    runFor(60_000);
    expect(start().value).toBe(1);
    expect(levels).toEqual([1]);
    start().switch(false);
    runFor(60_000);
    expect(start().value).toBe(0);
  });

  it("restores to off when nothing valid is stored", () => {
    expect(start({ start: "restore" }).value).toBe(0);
    for (const wrong of ["on", "", 7, "11"]) {
      storage.put("state", "relay", wrong);
      expect(start().value).toBe(0);
    }
  });

  it("starts an automatic relay with `restore` off, and the first telemetry decides", () => {
    start({ start: "restore" }).switch(true);
    runFor(60_000);
    const relay = start({ mode: 1 });
    expect(relay.value).toBe(0);
    tell(relay, alarm);
    expect(levels).toEqual([0, 1]);
  });

  it("stays off when disabled, whatever `start` says", () => {
    expect(start({ mode: 2, start: "on" }).value).toBe(0);
    expect(levels).toEqual([0]);
  });

  it("claims no pin when the relay is not fitted", () => {
    const relay = start({ fitted: false, start: "on" });
    expect(claimedPins(storage.board)).toEqual([]);
    expect(relay.value).toBe(0);
    expect(relay.switch(true)).toBe(false);
    tell(relay, alarm);
    expect(levels).toEqual([]);
  });

  it.each(["corrupt", "unreadable"])("claims no pin when its settings are %s: the relay may be active low", (how) => {
    start({ activeLevel: 0 });
    if (how === "corrupt") storage.put("settings", "relay", "{");
    else storage.failsToRead = ["relay"];
    restart();
    newRelay();
    expect(claimedPins(storage.board)).toEqual([]);
    expect(settings.update("relay", { fitted: true, activeLevel: 0 })).toBeUndefined();
    expect(levels).toEqual([1]);
  });

  it("works with a pin that cannot be claimed, says why, and claims it once it can", () => {
    restart();
    storage.board.pins.use(PIN);
    settings.update("relay", { start: "on" });
    const relay = newRelay();
    expect(relay.value).toBe(0);
    expect(relay.switch(true)).toBe(false);
    expect(() => relay.start()).toThrow(`pin ${PIN} in use`);
    storage.board.pins.free(PIN);
    relay.start();
    expect([relay.value, storage.board.pin(PIN).output]).toEqual([1, 1]);
    relay.start();
  });

  it.each(["failsToOpen", "failsToRead"] as const)("works with a storage that %s", (failure) => {
    restart();
    settings.update("relay", { start: "restore" });
    if (failure === "failsToOpen") storage.failsToOpen = true;
    else storage.failsToRead = ["relay"];
    const relay = newRelay();
    expect(relay.switch(true)).toBe(true);
    expect(levels).toEqual([0, 1]);
    expect(trace.mock.calls[0]).toEqual(["relay: cannot read the stored state\n"]);
  });

  it("starts off when configured so, whatever is stored", () => {
    const relay = start({ start: "restore" });
    runFor(STORE_INTERVAL);
    relay.switch(true);
    expect(storedState()).toBe("1");
    expect(start({ start: "off" }).value).toBe(0);
  });
});

describe("manual", () => {
  it("switches, reports its state and writes the pin only on a change", () => {
    const relay = start();
    for (const on of [true, true, false, false, true]) expect(relay.switch(on)).toBe(true);
    expect(levels).toEqual([0, 1, 0, 1]);
    expect(relay.value).toBe(1);
    expect(relay.name).toBe("Relay");
    expect(relay.mode).toBe(0);
  });

  it("does not follow telemetry", () => {
    const relay = start();
    tell(relay, alarm);
    expect(levels).toEqual([0]);
  });

  it.each([1, 2] as const)("is the only mode that can be switched (mode %i)", (mode) => {
    const relay = start({ mode });
    expect(relay.switch(true)).toBe(false);
    expect(relay.value).toBe(0);
    expect(levels).toEqual([0]);
  });
});

describe("automatic", () => {
  it("follows each telemetry and holds while the BMS is offline", () => {
    const relay = start({ mode: 1 });
    tell(relay, alarm);
    expect(relay.value).toBe(1);
    tell(relay, offline);
    expect(relay.value).toBe(1);
    tell(relay, quiet);
    expect(relay.value).toBe(0);
    expect(levels).toEqual([0, 1, 0]);
  });

  it("uses the latest value of its source", () => {
    const relay = start({ mode: 1 });
    const telemetry = { ...quiet };
    tell(relay, telemetry);
    expect(relay.value).toBe(0);
    telemetry.alarmCode = 1;
    settings.update("relay", { name: "Fan" });
    expect(relay.value).toBe(1);
    expect(relay.name).toBe("Fan");
  });
});

describe("without the BMS", () => {
  it.each([
    ["off", 1, 0],
    ["on", 0, 1],
  ] as const)("goes %s after the whole time offline, not a moment earlier", (failSafe, at, then) => {
    const relay = start({ mode: 1, failSafe, failSafeAfter: 60 });
    tell(relay, at ? alarm : quiet);
    tell(relay, offline);
    runFor(59_999);
    expect(relay.value).toBe(at);
    runFor(1);
    expect(relay.value).toBe(then);
    expect(levels.at(-1)).toBe(then);
    tell(relay, at ? alarm : quiet);
    expect(relay.value).toBe(at);
  });

  it("holds forever if configured so", () => {
    const relay = start({ mode: 1, failSafe: "hold", failSafeAfter: 5 });
    tell(relay, alarm);
    tell(relay, offline);
    runFor(3_600_000);
    expect(relay.value).toBe(1);
  });

  it("times each silence separately, from the start if there never was a BMS", () => {
    const relay = start({ mode: 1, start: "on", failSafeAfter: 60 });
    runFor(59_000);
    tell(relay, alarm);
    tell(relay, offline);
    runFor(59_000);
    tell(relay, alarm);
    tell(relay, offline);
    runFor(59_000);
    expect(relay.value).toBe(1);
    runFor(1_000);
    expect(relay.value).toBe(0);
    start({ mode: 1, start: "on", failSafeAfter: 60 });
    runFor(60_000);
    expect(levels).toEqual([1, 0]);
  });

  it("keeps the fail-safe state across a change of settings, and applies a new one at once", () => {
    const relay = start({ mode: 1, failSafeAfter: 60 });
    tell(relay, alarm);
    tell(relay, offline);
    runFor(60_000);
    settings.update("relay", { name: "Fan" });
    expect(relay.value).toBe(0);
    settings.update("relay", { failSafe: "on" });
    expect(relay.value).toBe(1);
  });

  it("continues timing the silence when other settings change", () => {
    const relay = start({ mode: 1, failSafeAfter: 60 });
    tell(relay, alarm);
    tell(relay, offline);
    runFor(59_000);
    settings.update("device", { name: "Garage" });
    runFor(1_000);
    expect(relay.value).toBe(0);
  });

  it("leaves a manual relay alone", () => {
    const relay = start({ mode: 0, failSafeAfter: 5 });
    relay.switch(true);
    tell(relay, offline);
    runFor(600_000);
    expect(relay.value).toBe(1);
  });
});

describe("minimum times", () => {
  it("keep an automatic relay on and off for at least that long, then the rule decides", () => {
    const relay = start({ mode: 1, minimumOn: 10, minimumOff: 20 });
    tell(relay, alarm);
    runFor(19_999);
    expect(relay.value).toBe(0);
    runFor(1);
    expect(relay.value).toBe(1);
    tell(relay, quiet);
    runFor(9_999);
    expect(relay.value).toBe(1);
    runFor(1);
    expect(relay.value).toBe(0);
  });

  it.each([
    ["shortened to more than has passed", 20, 20_000],
    ["shortened to less than has passed", 5, 10_000],
    ["cleared", 0, 10_000],
    ["prolonged", 200, 200_000],
    ["unchanged", 100, 100_000],
  ])("when %s while they run, count from the last switch", (_, minimumOff, at) => {
    const relay = start({ mode: 1, minimumOff: 100 });
    tell(relay, alarm);
    runFor(10_000);
    settings.update("relay", { name: "Fan", minimumOff });
    if (at > 10_000) {
      runFor(at - 10_000 - 1);
      expect(relay.value).toBe(0);
      runFor(1);
    }
    expect(relay.value).toBe(1);
  });

  it("that have passed are not begun again by a change of the settings", () => {
    const relay = start({ mode: 1, minimumOff: 10 });
    tell(relay, quiet);
    runFor(10_000);
    settings.update("relay", { minimumOff: 100 });
    tell(relay, alarm);
    expect(relay.value).toBe(1);
  });

  it("do not apply a change that is no longer wanted", () => {
    const relay = start({ mode: 1, minimumOff: 20 });
    tell(relay, alarm);
    tell(relay, quiet);
    runFor(60_000);
    expect(levels).toEqual([0]);
  });

  it("delay the fail-safe state, but neither manual switching nor disabling", () => {
    const relay = start({ mode: 1, minimumOn: 100, minimumOff: 0, failSafeAfter: 60 });
    tell(relay, alarm);
    tell(relay, offline);
    runFor(99_999);
    expect(relay.value).toBe(1);
    runFor(1);
    expect(relay.value).toBe(0);
    tell(relay, alarm);
    settings.update("relay", { mode: 2 });
    expect(relay.value).toBe(0);
    settings.update("relay", { mode: 0 });
    expect([true, false, true].map((on) => (relay.switch(on), relay.value))).toEqual([1, 0, 1]);
  });
});

describe("a device that keeps restarting", () => {
  it.each([
    { start: "on", mode: 0 },
    { start: "on", mode: 1 },
    { failSafe: "on", failSafeAfter: 5, mode: 1 },
  ] as const)("keeps the relay off until it is stable: %j", (change) => {
    const relay = start(change, true);
    tell(relay, alarm);
    runFor(60_000);
    expect(levels).toEqual([0]);
    relay.release();
    expect(levels).toEqual([0, 1]);
    relay.release();
    expect(relay.value).toBe(1);
  });

  it.each([
    ["the rule", quiet, 0],
    ["the fail-safe state", undefined, 0],
    ["the BMS", alarm, 1],
    ["hold", undefined, 1],
  ] as const)("starts as set, unless %s says otherwise, while a minimum time runs", (what, telemetry, value) => {
    const failSafe = what === "hold" ? "hold" : "off";
    const relay = start({ mode: 1, start: "on", minimumOff: 100, failSafe, failSafeAfter: 60 }, true);
    if (telemetry) tell(relay, telemetry);
    runFor(60_000);
    relay.release();
    expect(relay.value).toBe(value);
    runFor(40_000);
    expect(relay.value).toBe(value);
  });

  it("does not subject a manual relay to the rule", () => {
    const relay = start({ start: "on" }, true);
    tell(relay, quiet);
    relay.release();
    expect(relay.value).toBe(1);
  });

  it("keeps a state to be restored", () => {
    start({ start: "restore" }).switch(true);
    runFor(60_000);
    const relay = start({}, true);
    runFor(60_000);
    expect([relay.value, storedState()]).toEqual([0, "1"]);
    relay.release();
    expect(relay.value).toBe(1);
  });

  it("still obeys a manual switch", () => {
    const relay = start({ start: "on" }, true);
    expect(relay.switch(true)).toBe(true);
    expect(levels).toEqual([0, 1]);
    relay.switch(false);
    relay.release();
    expect(relay.value).toBe(0);
  });
});

describe("a change of the settings", () => {
  it("of the mode applies at once, with the current telemetry", () => {
    const relay = start();
    tell(relay, alarm);
    settings.update("relay", { mode: 1 });
    expect(relay.value).toBe(1);
    settings.update("relay", { source: "soc", onAt: 40, offAt: 50 });
    expect(relay.value).toBe(0);
    settings.update("relay", { onAt: 60, offAt: 70 });
    expect(relay.value).toBe(1);
    settings.update("relay", { mode: 0 });
    expect(relay.value).toBe(1);
    settings.update("relay", { mode: 2 });
    expect(relay.value).toBe(0);
    settings.update("relay", { mode: 0 });
    expect(relay.value).toBe(0);
    expect(levels).toEqual([0, 1, 0, 1, 0]);
  });

  it("to automatic holds the state when there is no telemetry", () => {
    const relay = start();
    relay.switch(true);
    settings.update("relay", { mode: 1 });
    expect(levels).toEqual([0, 1]);
    tell(relay, quiet);
    expect(relay.value).toBe(0);
  });

  it("of the active level inverts the pin once and keeps the state", () => {
    const relay = start();
    relay.switch(true);
    settings.update("relay", { activeLevel: 0 });
    expect(relay.value).toBe(1);
    relay.switch(false);
    expect(levels).toEqual([0, 1, 0, 1]);
  });

  it("of state and active level together leaves the pin alone when its level is the same", () => {
    const relay = start();
    relay.switch(true);
    settings.update("relay", { mode: 2, activeLevel: 0 });
    expect(relay.value).toBe(0);
    expect(levels).toEqual([0, 1]);
  });

  it("of anything else does not touch the pin", () => {
    const relay = start();
    relay.switch(true);
    settings.update("relay", { name: "Heater", start: "on", source: "soc", onAt: 1, offAt: 2 });
    expect(levels).toEqual([0, 1]);
  });

  it("that removes the relay switches it off and keeps the pin driven; fitted again it can be switched", () => {
    const relay = start();
    relay.switch(true);
    settings.update("relay", { fitted: false });
    expect(relay.value).toBe(0);
    expect(relay.switch(true)).toBe(false);
    expect(claimedPins(storage.board)).toEqual([PIN]);
    settings.update("relay", { fitted: true });
    expect(relay.switch(true)).toBe(true);
    expect(levels).toEqual([0, 1, 0, 1]);
  });

  it("that adds the relay claims the pin at its off level", () => {
    const relay = start({ fitted: false, activeLevel: 0 });
    settings.update("relay", { fitted: true });
    expect(levels).toEqual([1]);
    expect(relay.switch(true)).toBe(true);
  });
});

describe("the stored state", () => {
  const writesOf = (work: () => void): number => {
    const before = storage.writes;
    work();
    return storage.writes - before;
  };

  it("is written only on a change, only with `restore`, only in manual mode", () => {
    const relay = start({ start: "restore" });
    runFor(STORE_INTERVAL);
    expect(writesOf(() => relay.switch(false))).toBe(0);
    expect(writesOf(() => relay.switch(true))).toBe(1);
    runFor(STORE_INTERVAL);
    settings.update("relay", { mode: 1 });
    expect(
      writesOf(() => {
        for (const telemetry of [quiet, alarm, quiet]) {
          tell(relay, telemetry);
          runFor(STORE_INTERVAL);
        }
      }),
    ).toBe(0);
    settings.update("relay", { mode: 0, start: "on" });
    expect(writesOf(() => relay.switch(true))).toBe(0);
    expect(storedState()).toBe("1");
    relay.switch(false);
    settings.update("relay", { start: "restore" });
    expect(storedState()).toBe("0");
  });

  it("is known from the start, so that the same one is not written again", () => {
    for (const on of [true, false]) {
      start({ start: "restore" }).switch(on);
      runFor(STORE_INTERVAL);
      expect(writesOf(() => start().switch(on))).toBe(0);
    }
  });

  it("waits for the end of the interval, and is then the latest", () => {
    const relay = start({ start: "restore" });
    runFor(STORE_INTERVAL);
    relay.switch(true);
    expect(storedState()).toBe("1");
    runFor(1);
    relay.switch(false);
    runFor(STORE_INTERVAL - 2);
    expect(storedState()).toBe("1");
    runFor(1);
    expect(storedState()).toBe("0");
  });

  it("is flushed before a planned restart, if it is to be restored and differs", () => {
    const relay = start({ start: "restore" });
    runFor(STORE_INTERVAL);
    relay.switch(true);
    relay.switch(false);
    expect(storedState()).toBe("1");
    expect(writesOf(() => relay.flush())).toBe(1);
    expect(storedState()).toBe("0");
    expect(writesOf(() => relay.flush())).toBe(0);

    const other = start();
    expect(other.value).toBe(0);
    other.switch(true);
    other.switch(false);
    settings.update("relay", { mode: 2 });
    expect(writesOf(() => other.flush())).toBe(0);
    expect(storedState()).toBe("1");
  });

  it("is not written when the relay returned to it in time", () => {
    const relay = start({ start: "restore" });
    runFor(STORE_INTERVAL);
    relay.switch(true);
    const writes = writesOf(() => {
      relay.switch(false);
      relay.switch(true);
      runFor(10 * STORE_INTERVAL);
    });
    expect(writes).toBe(0);
    expect(storedState()).toBe("1");
  });

  it("is not written when the relay left manual mode meanwhile", () => {
    const relay = start({ start: "restore" });
    runFor(STORE_INTERVAL);
    relay.switch(true);
    relay.switch(false);
    settings.update("relay", { mode: 2 });
    const writes = writesOf(() => runFor(10 * STORE_INTERVAL));
    expect(writes).toBe(0);
  });

  it("is retried once per interval when it could not be written", () => {
    const relay = start({ start: "restore" });
    runFor(STORE_INTERVAL);
    storage.writesLeft = 0;
    relay.switch(true);
    runFor(3 * STORE_INTERVAL);
    expect(trace).toHaveBeenCalledTimes(4);
    expect(trace).toHaveBeenLastCalledWith("relay: cannot store the state\n");
    expect(settings.problems).toEqual(["unwritable-relay"]);
    storage.writesLeft = 1;
    runFor(STORE_INTERVAL);
    expect(settings.problems).toEqual([]);
    expect(storedState()).toBe("1");
    runFor(10 * STORE_INTERVAL);
    expect(trace).toHaveBeenCalledTimes(4);
  });

  it("matches the relay in the end, with at most one write per interval", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 8_000 })), { maxLength: 60 }), (steps) => {
        storage = new FaultyStorage();
        const relay = start({ start: "restore" });
        const writes = writesOf(() => {
          for (const [on, pause] of steps) {
            relay.switch(on);
            runFor(pause);
          }
        });
        expect(writes).toBeLessThanOrEqual(Math.ceil(storage.board.uptime / STORE_INTERVAL));
        runFor(STORE_INTERVAL);
        const last = relay.value;
        expect(storedState()).toBe(String(last));
        expect(start().value).toBe(last);
      }),
    );
  });
});

it("the pin always has the level of the state, in any order of events", () => {
  const step = fc.oneof(
    fc.record({ switch: fc.boolean() }),
    fc.record({ telemetry: fc.constantFrom(alarm, quiet, offline) }),
    fc.record({
      change: fc.record(
        {
          mode: fc.constantFrom(0, 1, 2),
          activeLevel: fc.constantFrom(0, 1),
          fitted: fc.boolean(),
          source: fc.constantFrom("alarm", "soc", "voltage", "fault"),
        },
        { requiredKeys: [] },
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      storage = new FaultyStorage();
      const relay = start();
      for (const one of steps) {
        const before = { value: relay.value, level: levels.at(-1), count: levels.length };
        if ("switch" in one) relay.switch(one.switch);
        else if ("telemetry" in one) tell(relay, one.telemetry);
        else settings.update("relay", one.change);
        const level = relay.value ? settings.relay.activeLevel : 1 - settings.relay.activeLevel;
        expect(levels.at(-1)).toBe(level);
        // At most one write a step, and none that changes nothing.
        expect(levels.length - before.count).toBe(level === before.level ? 0 : 1);
      }
    }),
  );
});

describe("observers", () => {
  it("are notified of each switch, whatever caused it, and of nothing else", () => {
    const relay = start({ mode: 0 });
    const told: boolean[] = [];
    relay.observe({ relaySwitched: (on) => void told.push(on) });
    relay.switch(true);
    relay.switch(true);
    settings.update("relay", { name: "Other" });
    expect(told).toEqual([true]);
    settings.update("relay", { mode: 1, source: "alarm" });
    tell(relay, alarm);
    tell(relay, quiet);
    tell(relay, quiet);
    settings.update("relay", { mode: 2 });
    expect(told[0]).toBe(true);
    for (let index = 1; index < told.length; index++) expect(told[index]).toBe(!told[index - 1]);
    expect(told.at(-1)).toBe(false);
    expect(told.length).toBeGreaterThan(1);
  });
});

describe("in safe mode", () => {
  it.each([
    { start: "on", mode: 0 },
    { start: "on", mode: 1 },
    { failSafe: "on", failSafeAfter: 5, mode: 1 },
  ] as const)("nobody switches the relay on: %j", (change) => {
    restart();
    settings.update("relay", { minimumOn: 0, minimumOff: 0, ...change });
    const { io, levels: written } = watchedDigital();
    const relay = new BoardRelay({ settings, output: { io, pin: PIN }, storage, locked: true });
    tell(relay, alarm);
    runFor(60_000);
    relay.release();
    settings.update("relay", { mode: 0, start: "on" });
    expect(relay.switch(true)).toBe(false);
    expect([relay.value, written]).toEqual([0, [0]]);
  });
});

it.each(["alarm", "soc", "voltage"] as const)(
  "what contradicts itself moves nothing by %s, and after its delay brings the fail-safe state",
  (source) => {
    const relay = start({ mode: 1, source, onAt: 30, offAt: 90, failSafe: "on", failSafeAfter: 10 });
    tell(relay, { ...quiet, soc: 95, voltage: 95 });
    const contrary = { online: true, alarmCode: NaN, soc: NaN, voltage: NaN };
    for (let second = 0; second < 10; second++) {
      tell(relay, contrary);
      expect(relay.value).toBe(0);
      runFor(1_000);
    }
    expect(relay.value).toBe(1);
    tell(relay, { ...quiet, soc: 95, voltage: 95 });
    expect(relay.value).toBe(0);
  },
);

describe("of several packs", () => {
  const incomplete = { online: true, alarmCode: 0, soc: NaN, voltage: NaN };

  it.each(["soc", "voltage"] as const)("an incomplete bank counts as offline for a rule by %s", (source) => {
    const relay = start({ mode: 1, source, onAt: 90, offAt: 10, failSafe: "off", failSafeAfter: 10 });
    tell(relay, { ...quiet, soc: 95, voltage: 95 });
    expect(relay.value).toBe(1);
    tell(relay, incomplete);
    runFor(9_999);
    // Each reply of those that are left starts nothing anew.
    tell(relay, incomplete);
    expect(relay.value).toBe(1);
    runFor(1);
    expect(relay.value).toBe(0);
    tell(relay, { ...quiet, soc: 95, voltage: 95 });
    expect(relay.value).toBe(1);
  });

  it("an incomplete bank does not count as offline for a rule by alarm", () => {
    const relay = start({ mode: 1, source: "alarm", failSafe: "on", failSafeAfter: 10 });
    tell(relay, incomplete);
    runFor(60_000);
    expect(relay.value).toBe(0);
    tell(relay, { ...incomplete, alarmCode: 1 });
    expect(relay.value).toBe(1);
  });
});

it("on a board without a relay claims no pin and cannot be switched, whatever is stored", () => {
  restart();
  const { io } = watchedDigital();
  expect(settings.update("relay", { fitted: true, mode: 0, start: "on" })).toBeUndefined();
  const relay = new BoardRelay({ settings, output: { io, pin: undefined }, storage });
  relay.start();
  expect([relay.lacks, relay.value, relay.switch(true), relay.value]).toEqual([false, 0, false, 0]);
  expect(claimedPins(storage.board)).toEqual([]);
});

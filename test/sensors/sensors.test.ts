import { beforeEach, describe, expect, it, vi } from "vitest";
import { FLOOR, FULL_SCALE, MAX_FAULTS, SAMPLE_INTERVAL, SAMPLES } from "../../src/sensors/limits";
import { BoardSensors } from "../../src/sensors/sensors";
import type { MonitoringSettings } from "../../src/settings/types";
import type { StoredSettings } from "../../src/settings/settings";
import type { BoardOptions, SimulatedBoard } from "../../host-sim/board";
import Digital from "../../host-sim/io/digital";
import type { Level } from "../../host-sim/pins";
import { claimedPins, faultyAnalog } from "../support/fakes/pins";
import { startSettings } from "../support/fakes/settings";
import { poweredBoard } from "../support/system/simulated-board";
import { FaultyStorage } from "../support/fakes/storage";

const TEMPERATURE = 36;
const VOLTAGES = [39, 35, 32] as const;
const INPUTS = [4, 14] as const;

let board: SimulatedBoard;
let analog: ReturnType<typeof faultyAnalog>;
let settings: StoredSettings;
const trace = vi.fn();

beforeEach(() => {
  trace.mockClear();
  powerOn();
});

/** A new board: first start, everything connected. */
function powerOn(options: BoardOptions = {}): void {
  board = poweredBoard({ console: trace, ...options });
  analog = faultyAnalog();
  settings = startSettings(new FaultyStorage(board));
  put(TEMPERATURE, 1031);
  for (const pin of VOLTAGES) put(pin, 1000);
}

/** The converter tells whole millivolts: half a one more keeps rounding out of it. */
function put(pin: number, millivolts: number): void {
  analog.answers.delete(pin);
  board.setAnalog(pin, (millivolts + 0.5) / 1000);
}

const runFor = (duration: number): void => board.clock.runFor(duration);
const samples = (count: number): void => runFor(count * SAMPLE_INTERVAL);

/** Puts one level after the other on an input, and then the script hears of it. */
function drive(pin: number, ...levels: Level[]): void {
  for (const level of levels) board.pin(pin).drive(level);
  runFor(0);
}

function start(change: Partial<MonitoringSettings> = {}, digital = Digital): BoardSensors {
  expect(settings.update("monitoring", change)).toBeUndefined();
  const sensors = new BoardSensors({
    settings,
    analog,
    digital: { io: digital },
    pins: { temperature: TEMPERATURE, voltages: VOLTAGES, inputs: INPUTS },
  });
  sensors.start();
  return sensors;
}

describe("voltages", () => {
  it("are known from the start, scaled by their settings, in millivolts", () => {
    const [one, two, three] = settings.monitoring.voltages;
    const sensors = start({
      voltages: [
        { ...one, ratio: 1 },
        { ...two, ratio: 25.5, offset: 0.6 },
        { ...three, ratio: 0.5, offset: -1 },
      ],
    });
    expect([0, 1, 2].map((channel) => sensors.voltage(channel))).toEqual([1000, 26_100, -500]);
    expect(sensors.voltage(3)).toBeUndefined();
    expect(sensors.voltage(-1)).toBeUndefined();
  });

  it("resolve every millivolt of the converter", () => {
    const [one, two, three] = settings.monitoring.voltages;
    for (let millivolts = FLOOR + 1; millivolts <= FULL_SCALE; millivolts++) {
      powerOn();
      put(VOLTAGES[0], millivolts);
      expect(start({ voltages: [{ ...one, ratio: 1 }, two, three] }).voltage(0)).toBe(millivolts);
    }
  });

  it.each([
    [0, 0],
    [142, 0],
    [FLOOR - 1, 0],
    [FLOOR, 0],
    [FLOOR + 1, (FLOOR + 1) * 25 + 600],
    [FULL_SCALE - 1, (FULL_SCALE - 1) * 25 + 600],
    [FULL_SCALE, FULL_SCALE * 25 + 600],
    [3_300, FULL_SCALE * 25 + 600],
  ])("of %i mV at the pin: none below the floor, the highest above full scale", (pin, millivolts) => {
    const [one, two, three] = settings.monitoring.voltages;
    put(VOLTAGES[0], pin);
    expect(start({ voltages: [{ ...one, offset: 0.6 }, two, three] }).voltage(0)).toBe(millivolts);
  });

  it("work with a 13-bit converter (ESP32-S2)", () => {
    analog = faultyAnalog(13);
    analog.answers.set(VOLTAGES[0], Math.floor((2000 * 8191) / FULL_SCALE));
    expect(start().voltage(0)).toBe(50_000);
  });

  it("are averages of the last samples without the extremes", () => {
    const sensors = start();
    for (const millivolts of [1010, 1010, 1010, 990, 990, 990, 2000]) {
      put(VOLTAGES[0], millivolts);
      samples(1);
    }
    // 1000, 1010 × 3, 990 × 3, 2000: without one 990 and the 2000.
    expect(sensors.voltage(0)).toBe(Math.round(((1000 + 3 * 1010 + 2 * 990) / 6) * 25));
  });

  it("follow a step within the window", () => {
    const sensors = start();
    samples(SAMPLES);
    put(VOLTAGES[0], 2000);
    samples(SAMPLES - 2);
    expect(sensors.voltage(0)).toBeLessThan(50_000);
    samples(1);
    expect(sensors.voltage(0)).toBe(50_000);
    expect(sensors.voltage(1)).toBe(25_000);
  });

  it("are the mean of the first two samples, and the median of three", () => {
    const sensors = start();
    put(VOLTAGES[0], 1100);
    samples(1);
    expect(sensors.voltage(0)).toBe(1050 * 25);
    put(VOLTAGES[0], 2000);
    samples(1);
    expect(sensors.voltage(0)).toBe(1100 * 25);
  });

  it("count as unmeasured after several failed conversions in a row, and return with the next good one", () => {
    const sensors = start();
    analog.answers.set(VOLTAGES[0], undefined);
    samples(MAX_FAULTS - 1);
    expect(sensors.voltage(0)).toBe(25_000);
    put(VOLTAGES[0], 1000);
    samples(1);
    analog.answers.set(VOLTAGES[0], undefined);
    samples(MAX_FAULTS - 1);
    expect(sensors.voltage(0)).toBe(25_000);
    samples(1);
    expect(sensors.voltage(0)).toBeUndefined();
    samples(100);
    put(VOLTAGES[0], 2000);
    samples(1);
    expect(sensors.voltage(0)).toBe(50_000);
  });

  it("are no average of one moment, and no fault by one glitch, when the SDK makes up for missed ticks after a stall", () => {
    const sensors = start();
    samples(SAMPLES);
    board.script.busyFor(SAMPLES * SAMPLE_INTERVAL);
    analog.answers.set(VOLTAGES[0], undefined);
    put(VOLTAGES[1], 2000);
    samples(SAMPLES);
    expect([sensors.voltage(0), sensors.voltage(1)]).toEqual([25_000, 25_000]);
  });

  it("are unmeasured when no conversion ever worked", () => {
    analog.answers.set(VOLTAGES[2], undefined);
    expect(start().voltage(2)).toBeUndefined();
  });
});

describe("the temperature", () => {
  it("is known from the start", () => {
    expect(start().temperature).toBe(250);
  });

  it.each([0, 142, FLOOR, FULL_SCALE, 3_300])("is unknown with the sensor shorted or open (%i mV)", (millivolts) => {
    put(TEMPERATURE, millivolts);
    const sensors = start();
    samples(SAMPLES);
    expect(sensors.temperature).toBeUndefined();
  });

  it.each([
    [FLOOR + 1, 860],
    [FULL_SCALE - 1, -115],
  ])("is known one millivolt inside the range (%i mV)", (millivolts, tenths) => {
    put(TEMPERATURE, millivolts);
    expect(start().temperature).toBe(tenths);
  });

  it("never passes through values in between when the sensor is unplugged or shorted", () => {
    for (const broken of [0, 3_300]) {
      powerOn();
      const sensors = start();
      samples(SAMPLES);
      put(TEMPERATURE, broken);
      const seen = new Set<number | undefined>();
      for (let sample = 0; sample < 2 * SAMPLES; sample++) {
        samples(1);
        seen.add(sensors.temperature);
      }
      expect([...seen]).toEqual([250, undefined]);
    }
  });

  it("does not jump with one bad reading", () => {
    const sensors = start();
    samples(SAMPLES);
    for (const millivolts of [400, 3_300, 0]) {
      put(TEMPERATURE, millivolts);
      samples(1);
      put(TEMPERATURE, 1031);
      samples(1);
      expect(sensors.temperature).toBe(250);
    }
  });
});

describe("inputs", () => {
  const debounce = 50;

  it("are active at start at their active level", () => {
    drive(INPUTS[0], 0);
    drive(INPUTS[1], 0);
    const [one, two] = settings.monitoring.inputs;
    const sensors = start({
      inputs: [
        { ...one, activeLevel: 0 },
        { ...two, activeLevel: 1 },
      ],
    });
    expect([sensors.input(0), sensors.input(1), sensors.input(2)]).toEqual([1, 0, 0]);
  });

  it("are pulled up: unconnected means inactive by default", () => {
    const sensors = start();
    expect([sensors.input(0), sensors.input(1)]).toEqual([0, 0]);
    for (const pin of INPUTS) expect(board.pin(pin).level).toBe(1);
  });

  it.each([0, 2 ** 31 - 20, 2 ** 31 - 50, -25])("count once held for the debounce time, ticks from %i", (ticks) => {
    powerOn({ ticks });
    const sensors = start();
    drive(INPUTS[0], 0);
    runFor(debounce - 1);
    expect(sensors.input(0)).toBe(0);
    runFor(1);
    expect(sensors.input(0)).toBe(1);
    drive(INPUTS[0], 1);
    runFor(debounce - 1);
    expect(sensors.input(0)).toBe(1);
    runFor(1);
    expect(sensors.input(0)).toBe(0);
  });

  it("ignore a level that lasts one millisecond less", () => {
    const sensors = start();
    drive(INPUTS[0], 0);
    runFor(debounce - 1);
    drive(INPUTS[0], 1);
    runFor(10 * debounce);
    expect(sensors.input(0)).toBe(0);
  });

  it("restart the debounce time with each bounce, even one the script notices late", () => {
    const sensors = start();
    drive(INPUTS[0], 0);
    for (let bounce = 0; bounce < 20; bounce++) {
      runFor(debounce - 1);
      if (bounce % 2) drive(INPUTS[0], 1, 0);
      else {
        drive(INPUTS[0], 1);
        drive(INPUTS[0], 0);
      }
      expect(sensors.input(0)).toBe(0);
    }
    runFor(debounce - 1);
    expect(sensors.input(0)).toBe(0);
    runFor(1);
    expect(sensors.input(0)).toBe(1);
  });

  it("count at once without a debounce time", () => {
    const [one, two] = settings.monitoring.inputs;
    const sensors = start({ inputs: [{ ...one, debounce: 0 }, two] });
    drive(INPUTS[0], 0);
    expect(sensors.input(0)).toBe(1);
  });

  it("are independent of each other", () => {
    const sensors = start();
    drive(INPUTS[1], 0);
    runFor(debounce);
    expect([sensors.input(0), sensors.input(1)]).toEqual([0, 1]);
  });

  it("are sampled where the class has no edges", () => {
    class WithoutEdges extends Digital {
      static override readonly Rising = undefined as never;
      static override readonly Falling = undefined as never;
    }
    const sensors = start({}, WithoutEdges);
    drive(INPUTS[0], 0);
    runFor(SAMPLE_INTERVAL + debounce - 1);
    expect(sensors.input(0)).toBe(0);
    runFor(1);
    expect(sensors.input(0)).toBe(1);
    // A level that is gone again by the next look does not count.
    drive(INPUTS[0], 1);
    runFor(SAMPLE_INTERVAL - debounce);
    drive(INPUTS[0], 0);
    runFor(2 * SAMPLE_INTERVAL);
    expect(sensors.input(0)).toBe(1);
  });
});

describe("a change of the settings", () => {
  it("of the scaling applies at once", () => {
    const sensors = start();
    const { temperature, voltages, inputs } = settings.monitoring;
    settings.update("monitoring", {
      temperature: { ...temperature, offset: 1 },
      voltages: [{ ...voltages[0], ratio: 2 }, voltages[1], voltages[2]],
      inputs: [{ ...inputs[0], activeLevel: 1 }, inputs[1]],
    });
    expect([sensors.temperature, sensors.voltage(0), sensors.voltage(1), sensors.input(0)]).toEqual([
      260, 2000, 25_000, 1,
    ]);
  });

  it("of the debounce time applies to a level that is being held", () => {
    const [one, two] = settings.monitoring.inputs;
    const sensors = start({ inputs: [{ ...one, debounce: 10_000 }, two] });
    drive(INPUTS[0], 0);
    runFor(100);
    settings.update("monitoring", { inputs: [{ ...one, debounce: 101 }, two] });
    expect(sensors.input(0)).toBe(0);
    runFor(1);
    expect(sensors.input(0)).toBe(1);
    settings.update("monitoring", { inputs: [{ ...one, debounce: 10_000 }, two] });
    drive(INPUTS[0], 1);
    runFor(100);
    settings.update("monitoring", { inputs: [{ ...one, debounce: 100 }, two] });
    expect(sensors.input(0)).toBe(0);
    drive(INPUTS[0], 0);
    runFor(99);
    expect(sensors.input(0)).toBe(0);
    runFor(1);
    expect(sensors.input(0)).toBe(1);
  });

  it("that removes the inputs frees the pins and measures nothing; that adds them measures at once", () => {
    const sensors = start();
    drive(INPUTS[0], 0);
    settings.update("monitoring", { fitted: false });
    expect(claimedPins(board)).toEqual([]);
    samples(10);
    expect([sensors.temperature, sensors.voltage(0), sensors.input(0)]).toEqual([undefined, undefined, 0]);
    board.released.clear();
    settings.update("monitoring", { fitted: true });
    expect(claimedPins(board)).toHaveLength(6);
    expect([...board.released]).toEqual(INPUTS);
    expect([sensors.temperature, sensors.voltage(0), sensors.input(0)]).toEqual([250, 25_000, 1]);
    put(VOLTAGES[0], 2000);
    samples(SAMPLES);
    expect(sensors.voltage(0)).toBe(50_000);
  });
});

describe("a board", () => {
  it("without the inputs touches no pin", () => {
    const sensors = start({ fitted: false });
    samples(10);
    expect([claimedPins(board), [...board.released]]).toEqual([[], []]);
    expect([sensors.temperature, sensors.voltage(0), sensors.input(0)]).toEqual([undefined, undefined, 0]);
  });

  it("with a pin that cannot be claimed uses the others, says why, and claims it once it can", () => {
    const taken = [TEMPERATURE, VOLTAGES[1], INPUTS[0]];
    for (const pin of taken) board.pins.use(pin);
    drive(INPUTS[1], 0);
    const sensors = start({ fitted: false });
    settings.update("monitoring", { fitted: true });
    expect(() => sensors.start()).toThrow("in use");
    samples(1);
    expect(sensors.temperature).toBeUndefined();
    expect([0, 1, 2].map((channel) => sensors.voltage(channel))).toEqual([25_000, undefined, 25_000]);
    expect([sensors.input(0), sensors.input(1)]).toEqual([0, 1]);
    for (const pin of taken) board.pins.free(pin);
    drive(INPUTS[0], 0);
    sensors.start();
    samples(1);
    expect([sensors.temperature, sensors.voltage(1), sensors.input(0)]).toEqual([expect.any(Number), 25_000, 1]);
  });
});

it("on a board without sensors no pin is claimed and nothing is known, whatever is stored", () => {
  expect(settings.update("monitoring", { fitted: true })).toBeUndefined();
  const sensors = new BoardSensors({ settings, analog, digital: { io: Digital }, pins: undefined });
  sensors.start();
  samples(SAMPLES);
  expect(settings.update("monitoring", { fitted: false })).toBeUndefined();
  expect(settings.update("monitoring", { fitted: true })).toBeUndefined();
  samples(SAMPLES);
  expect([sensors.temperature, sensors.voltage(0), sensors.input(0)]).toEqual([undefined, undefined, 0]);
  expect(claimedPins(board)).toEqual([]);
});

import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { MAX_TEMPERATURE, MIN_TEMPERATURE, SUPPLY } from "../../src/sensors/limits";
import { temperatureOf } from "../../src/sensors/temperature";
import type { TemperatureChannel } from "../../src/settings/types";
import { DEFAULTS } from "../support/fakes/settings";

const channel = (change: Partial<TemperatureChannel> = {}): TemperatureChannel => ({
  ...DEFAULTS.monitoring.temperature,
  ...change,
});

/**
 * An NTC of 10 kΩ with B25/50 = 3950 K: degrees, ohms (from R = R25 · exp(B · (1/T − 1/T25)), computed apart from the firmware; 3,588 Ω
 * at 50 degrees is what data sheets of this type print), millivolts under 22 kΩ from 3.3 V.
 */
const NTC = [
  [-10, 58245.7, 2395.28],
  [-5, 44026.0, 2200.43],
  [0, 33620.6, 1994.73],
  [10, 20174.6, 1578.58],
  [20, 12535.3, 1197.8],
  [25, 10000.0, 1031.25],
  [30, 8037.1, 882.99],
  [40, 5301.5, 640.8],
  [50, 3588.2, 462.75],
  [60, 2486.2, 335.06],
  [70, 1759.8, 244.42],
  [80, 1270.3, 180.15],
  [85, 1086.7, 155.33],
] as const;

describe("an NTC of 10 kΩ, B 3950", () => {
  it.each(NTC)("at %i degrees has %f ohm and gives %f mV", (degrees, ohm, millivolts) => {
    expect(temperatureOf(channel(), millivolts)).toBe(degrees * 10);
    // Under another series resistor the voltage follows from the resistance.
    const under10k = (SUPPLY * ohm) / (ohm + 10_000);
    expect(temperatureOf(channel({ seriesResistance: 10_000 }), under10k)).toBe(degrees * 10);
  });

  it("has 5 kΩ or 100 kΩ at 25 degrees by its setting", () => {
    for (const resistance25 of [5_000, 100_000])
      expect(temperatureOf(channel({ resistance25, seriesResistance: resistance25 }), SUPPLY / 2)).toBe(250);
  });

  it("takes B and offset from the settings", () => {
    // B 3435, 10 kΩ: 4,102.8 Ω at 50 degrees.
    expect(temperatureOf(channel({ beta: 3435 }), (SUPPLY * 4102.8) / 26102.8)).toBe(500);
    expect(temperatureOf(channel({ offset: -1.5 }), 1031.25)).toBe(235);
  });

  it("falls with the voltage", () => {
    const millivolts = fc.integer({ min: 151, max: 2448 });
    fc.assert(
      fc.property(millivolts, (low) => {
        expect(temperatureOf(channel(), low)).toBeGreaterThanOrEqual(temperatureOf(channel(), low + 1) as number);
      }),
    );
  });

  it.each([-1, 0, SUPPLY, SUPPLY + 1, 0.001, SUPPLY - 0.001])("is unknown at %f mV", (millivolts) => {
    expect(temperatureOf(channel(), millivolts)).toBeUndefined();
  });
});

describe("a linear sensor", () => {
  const tmp36 = channel({ kind: "linear", slope: 100, offset: -50 });

  it.each([
    [750, 250],
    [500, 0],
    [100, -400],
    [1750, 1250],
    [749.4, 249],
    [749.6, 250],
  ])("TMP36 (10 mV a degree, 500 mV at 0) at %f mV", (millivolts, tenths) => {
    expect(temperatureOf(tmp36, millivolts)).toBe(tenths);
  });

  it("may have a negative slope", () => {
    expect(temperatureOf(channel({ kind: "linear", slope: -80, offset: 140 }), 1500)).toBe(200);
  });

  it.each([
    [MIN_TEMPERATURE, MIN_TEMPERATURE],
    [MIN_TEMPERATURE - 1, undefined],
    [MAX_TEMPERATURE, MAX_TEMPERATURE],
    [MAX_TEMPERATURE + 1, undefined],
  ])("at %i tenths of a degree", (tenths, expected) => {
    const offset = tenths < 0 ? -200 : 0;
    expect(temperatureOf(channel({ kind: "linear", slope: 100, offset }), tenths - offset * 10)).toBe(expected);
  });
});

it("is a whole number of tenths or unknown, for any settings and voltage", () => {
  const settings = fc.record({
    kind: fc.constantFrom("ntc" as const, "linear" as const),
    resistance25: fc.double({ min: 100, max: 1e6, noNaN: true }),
    beta: fc.double({ min: 1000, max: 10000, noNaN: true }),
    seriesResistance: fc.double({ min: 100, max: 1e6, noNaN: true }),
    slope: fc.double({ min: -1000, max: 1000, noNaN: true }),
    offset: fc.double({ min: -300, max: 300, noNaN: true }),
  });
  fc.assert(
    fc.property(settings, fc.double({ min: 0, max: SUPPLY, noNaN: true }), (change, millivolts) => {
      const tenths = temperatureOf(channel(change), millivolts);
      if (tenths === undefined) return;
      expect(Number.isInteger(tenths) && !Object.is(tenths, -0)).toBe(true);
      expect(tenths).toBeGreaterThanOrEqual(MIN_TEMPERATURE);
      expect(tenths).toBeLessThanOrEqual(MAX_TEMPERATURE);
    }),
  );
});

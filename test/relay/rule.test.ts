import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { automatic } from "../../src/relay/rule";
import type { RelaySettings } from "../../src/settings/types";
import { DEFAULTS } from "../support/fakes/settings";

const rule = (change: Partial<RelaySettings>): RelaySettings => ({ ...DEFAULTS.relay, mode: 1, ...change });
const quiet = { online: true, alarmCode: 0, soc: 50, voltage: 52 };

describe.each(["alarm", "fault"] as const)("following the %s", (source) => {
  const alarm = rule({ source });

  it.each([
    [0, false],
    [1, true],
    [0x8000, true],
    [0x80000000, true],
    [-1, true],
  ])("code %i", (alarmCode, on) => {
    expect(automatic(alarm, false, { ...quiet, alarmCode })).toBe(on);
    expect(automatic(alarm, true, { ...quiet, alarmCode })).toBe(on);
  });
});

describe.each([
  ["soc", "soc", 20, 30],
  ["voltage", "voltage", 48.5, 51.2],
] as const)("following %s", (_, source, low, high) => {
  const outcome = (settings: RelaySettings, on: boolean, value: number): boolean =>
    automatic(settings, on, { ...quiet, soc: NaN, voltage: NaN, [source]: value });

  it("on when low: on at onAt and below, off at offAt and above, unchanged between", () => {
    const settings = rule({ source, onAt: low, offAt: high });
    for (const on of [false, true]) {
      expect(outcome(settings, on, low - 0.001)).toBe(true);
      expect(outcome(settings, on, low)).toBe(true);
      expect(outcome(settings, on, low + 0.001)).toBe(on);
      expect(outcome(settings, on, high - 0.001)).toBe(on);
      expect(outcome(settings, on, high)).toBe(false);
      expect(outcome(settings, on, high + 0.001)).toBe(false);
    }
  });

  it("on when high: on at onAt and above, off at offAt and below, unchanged between", () => {
    const settings = rule({ source, onAt: high, offAt: low });
    for (const on of [false, true]) {
      expect(outcome(settings, on, high + 0.001)).toBe(true);
      expect(outcome(settings, on, high)).toBe(true);
      expect(outcome(settings, on, high - 0.001)).toBe(on);
      expect(outcome(settings, on, low + 0.001)).toBe(on);
      expect(outcome(settings, on, low)).toBe(false);
      expect(outcome(settings, on, low - 0.001)).toBe(false);
    }
  });

  it("holds when there is no value", () => {
    for (const on of [false, true]) expect(outcome(rule({ source, onAt: low, offAt: high }), on, NaN)).toBe(on);
  });

  it("switches at most once while the value stays within the hysteresis", () => {
    const settings = rule({ source, onAt: low, offAt: high });
    const within = fc.double({ min: low + 0.001, max: high, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.boolean(), fc.array(within), (start, values) => {
        expect(values.reduce((on, value) => outcome(settings, on, value), start)).toBe(start);
      }),
    );
  });
});

it.each(["alarm", "soc", "voltage", "fault"] as const)(
  "holds while the BMS is offline, whatever %s was last",
  (source) => {
    for (const on of [false, true])
      for (const alarmCode of [0, 1])
        for (const value of [0, 100])
          expect(automatic(rule({ source }), on, { online: false, alarmCode, soc: value, voltage: value })).toBe(on);
  },
);

import { beforeAll, afterAll, describe, expect, it } from "vitest";
import type { Concern } from "../../web/verdict.ts";
import { alarmsOf } from "../../web/alarms.ts";
import { sentence, SOON, spanText, type Sentence } from "../../web/sentence.ts";
import { en } from "../../web/texts/en.ts";
import { pt } from "../../web/texts/pt.ts";
import { status } from "../support/web/web-mock-data.ts";

const NOON = Date.UTC(2026, 4, 4, 12);
const HOUR = 3_600_000;
const CELL_UNDERVOLTAGE = 1 << 11;
const FULLY_CHARGED = 1 << 4;

// A time of day is the browser's: here UTC and British.
const zone = process.env["TZ"];
beforeAll(() => {
  process.env["TZ"] = "UTC";
});
afterAll(() => {
  process.env["TZ"] = zone;
});

type Status = ReturnType<typeof status>;

interface Case {
  readonly change?: Partial<Status>;
  readonly alarms?: number;
  readonly concerns?: readonly Concern[];
  readonly stale?: boolean;
  readonly silent?: boolean;
  readonly well?: boolean;
  readonly outlook?: string;
  /** ms. */
  readonly age?: number | undefined;
}

function say(one: Case, t = en): Sentence {
  const { change, alarms = 0, concerns = [], stale = false, silent = stale, age = 0, outlook = "" } = one;
  const well = one.well ?? (!stale && !alarms && !concerns.length);
  return sentence(
    {
      status: { ...status(), ...change },
      verdict: { never: false, stale, alarms: alarmsOf(alarms), concerns, well },
      silent,
      outlook,
      seenAt: "age" in one && one.age === undefined ? undefined : NOON - age,
      now: NOON,
    },
    t === en ? "en" : "pt",
    t,
  );
}

const flow = (current: number | null) => ({ pack: { ...status().pack, current: current as number } });
const cellsWith = (voltage: number) => ({
  cells: status().cells.map((cell) => (cell.number === 7 ? { ...cell, voltage } : cell)),
});

it("in Portuguese the day stands behind the time", () => {
  const { text } = say({ change: flow(7) }, pt);
  expect(text).toBe("Carregando, cheia entre 22:15 e 02:30 de ter com esta potência");
});

describe("the sentence on top", () => {
  it.each<[string, Case, RegExp, Sentence["tone"]]>([
    // 72.8 Ah are missing, of which 28 may take twice as long.
    [
      "charging",
      { change: flow(23.4) },
      /^Charging, full between (15:00|03:00 PM) and (16:30|04:30 PM) at this power$/,
      "good",
    ],
    [
      "charging past midnight",
      { change: flow(7) },
      /^Charging, full between (22:15|10:15 PM) and Tue,? (02:30|02:30 AM) at this power$/,
      "good",
    ],
    ["charging, full at once", { change: { ...flow(5), remainingCapacityAh: 280 } }, /^Charging$/, "good"],
    ["discharging", { change: flow(-23.4) }, /^Discharging, empty about (20:51|08:51 PM) at this power$/, "good"],
    ["idle", { change: flow(0) }, /^Idle$/, "good"],
    ["idle and full", { change: flow(0), alarms: FULLY_CHARGED, well: true }, /^Fully charged$/, "good"],
    ["a current that is unknown", { change: flow(null) }, /^unknown$/, "plain"],
    ["nothing wrong, but not all known", { change: flow(0), well: false }, /^Idle$/, "plain"],
    ["old values", { stale: true, age: 0.2 * HOUR }, /^Last known: the BMS went silent 12.min ago$/, "old"],
    ["a lost monitor", { stale: true, silent: false, age: HOUR }, /^Last known: values from 1.h ago$/, "old"],
    ["old values of unknown age", { stale: true, age: undefined }, /^Last known: values from unknown$/, "old"],
    ["an alarm", { alarms: CELL_UNDERVOLTAGE }, /^Cell voltage too low: 3\.309.V at Cell 7$/, "bad"],
    ["an alarm without a value", { alarms: 1 << 3 }, /^Current sensor abnormal$/, "bad"],
    ["a switch", { concerns: ["discharging-off"] }, /^Discharging is off\.$/, "warn"],
    ["a low cell", { concerns: ["spread"], change: cellsWith(2.959) }, /^Cell 7 is 353.mV low$/, "warn"],
    ["a high cell", { concerns: ["spread"], change: cellsWith(3.6) }, /^Cell 7 is 288.mV high$/, "warn"],
    ["no cells", { concerns: ["spread"], change: { cells: [] } }, /differ too much/, "warn"],
    ["a cell near its limit", { concerns: ["cell-low"] }, /^Cell 7 is down to 3\.309.V$/, "warn"],
    ["a cell near the other", { concerns: ["cell-high"] }, /^Cell 12 is up to 3\.318.V$/, "warn"],
    ["an empty battery", { concerns: ["low-charge"], change: { soc: 0 } }, /^The battery is empty$/, "bad"],
    [
      "a battery that is soon empty",
      { concerns: ["low-charge"], change: { ...flow(-30), soc: 9, remainingCapacityAh: 25 } },
      /^Empty in about 50.min$/,
      "warn",
    ],
    ["a low battery that is charged", { concerns: ["low-charge"], change: flow(30) }, /almost empty/, "warn"],
  ])("tells of %s", (_what, one, text, tone) => {
    const said = say(one);
    expect(said.text).toMatch(text);
    expect(said.tone).toBe(tone);
  });

  it("tells the worst: old values before an alarm, an alarm before a concern, concerns in the device's order", () => {
    const all: Case = { stale: true, age: 60_000, alarms: CELL_UNDERVOLTAGE, concerns: ["emergency", "low-charge"] };
    expect(say(all).tone).toBe("old");
    expect(say({ ...all, stale: false }).text).toContain(en.alarms.cell_undervoltage.title);
    expect(say({ ...all, stale: false, alarms: 0 }).text).toBe(en.concerns.emergency);
  });

  it(`is coloured from less than ${SOON} s to empty`, () => {
    // At 10 A and 10 Ah per hour.
    const left = (seconds: number) => say({ change: { ...flow(-10), remainingCapacityAh: seconds / 360 } });
    expect(left(SOON - 1)).toEqual({ tone: "warn", text: "Empty in about 59\u202fmin" });
    expect(left(SOON).tone).toBe("good");
    expect(left(SOON + 1).tone).toBe("good");
  });

  it("has ranges in words", () => {
    expect(spanText([3_600, 3_600], en)).toBe("about 1\u202fh");
    expect(spanText([3_600, 7_300], en)).toBe("1\u202fh to 2\u202fh 15\u202fmin at this power");
    expect(spanText([50, 200], en)).toBe("at most 4\u202fmin");
    expect(spanText([3_600, 7_300], pt)).toBe("1\u202fh a 2\u202fh 15\u202fmin com esta potência");
    expect(say({ change: flow(23.4) }, pt).text).toMatch(
      /^Carregando, cheia entre (15:00|03:00 PM) e (16:30|04:30 PM) com esta potência$/,
    );
    expect(say({ change: flow(-23.4) }, pt).text).toMatch(/^Descarregando, vazia por volta de /);
  });

  it.each([
    [SOON - 60, ""],
    [SOON, ""],
    [SOON + 60, " at this power"],
  ])("promises an end without condition up to an hour ahead: of %i s", (seconds, condition) => {
    // At 10 A and 10 Ah per hour.
    const end = say({ change: { ...flow(10), capacityAh: 280, remainingCapacityAh: 280 - seconds / 720 } });
    expect(end.text).toMatch(new RegExp(`^Charging, full between \\S+( PM)? and \\S+( PM)?${condition}$`));
    expect(spanText([seconds - 1, seconds], en).endsWith(condition)).toBe(true);
    expect(spanText([seconds - 1, seconds], en).includes("power")).toBe(condition !== "");
  });

  it("has the outlook in place of an end that is an hour or more away", () => {
    const outlook = "Lasts the night: 45 % at 01:00.";
    // At 10 A and 10 Ah per hour.
    const left = (seconds: number) =>
      say({ outlook, change: { ...flow(-10), remainingCapacityAh: seconds / 360 } }).text.replaceAll("\u202f", " ");
    expect(left(SOON - 1)).toBe("Empty in about 59 min");
    expect(left(SOON)).toBe(`Discharging. ${outlook}`);
    expect(left(SOON + 1)).toBe(`Discharging. ${outlook}`);
    expect(say({ outlook, change: flow(23.4) }).text).toBe(`Charging. ${outlook}`);
    expect(say({ outlook, change: flow(0) }).text).toBe(`Idle. ${outlook}`);
    expect(say({ outlook, change: flow(0), alarms: FULLY_CHARGED, well: true }).text).toBe(`Fully charged. ${outlook}`);
    expect(say({ outlook, change: flow(10), concerns: ["discharging-off"] }).text).toBe("Discharging is off.");
    expect(say({ outlook, stale: true }).text).toMatch(/^Last known/);
  });

  it("exists in Portuguese", () => {
    expect(say({ stale: true, age: 0.2 * HOUR }, pt).text).toBe("Última leitura: o BMS não responde há 12\u202fmin");
    expect(say({ concerns: ["low-charge"], change: { soc: 0 } }, pt).text).toBe("A bateria está vazia");
  });
});

/** An alarm stays until it is released: what is said of it must be true of the alarm, and the value with it of now. */
import { expect, it } from "vitest";
import { causeText, type Measured } from "../../web/causes.ts";
import type { AlarmName } from "../../web/tables.ts";
import { en, type Texts } from "../../web/texts/en.ts";
import { pt } from "../../web/texts/pt.ts";
import { table } from "../support/table.ts";
import { config, status } from "../support/web/web-mock-data.ts";

interface Case {
  readonly name: AlarmName;
  /** A, into the battery. */
  readonly current?: number | null;
  /** °C at Sensor 2, and V of the lowest and the highest cell. */
  readonly probe?: number;
  readonly cell?: number;
  readonly said: string;
}

function seen({ current = 0, probe = 20, cell = 3.3 }: Case): Measured {
  const now = status();
  return {
    status: {
      ...now,
      pack: { ...now.pack, current: current },
      temperatures: { mosfet: probe, battery1: 20, battery2: probe },
      cellsSummary: { ...now.cellsSummary, minVoltage: cell, maxVoltage: cell },
    },
    bms: { concerns: ["alarm", "charging-blocked"] },
    config: config(),
  };
}

const plain = (text: string): string => text.replaceAll("\u202f", " ");
const textOf = (one: Case): string => plain(causeText(one.name, seen(one), "en", en));

/** Mock data: 100 A in, 200 A out, cells 2.6 to 3.65 V, 60 °C charging, 65 °C discharging, 90 °C MOSFETs. */
table<Case>([
  { name: "charge_overcurrent", current: 0, said: "charging stopped, limit 100 A" },
  { name: "charge_overcurrent", current: null, said: "charging stopped, limit 100 A" },
  { name: "charge_overcurrent", current: -120, said: "charging stopped, limit 100 A" },
  { name: "charge_overcurrent", current: 99, said: "charging stopped, limit 100 A" },
  { name: "charge_overcurrent", current: 100, said: "100 A, charging stopped, limit 100 A" },
  { name: "charge_overcurrent", current: 101, said: "101 A, charging stopped, limit 100 A" },
  { name: "discharge_overcurrent", current: 201, said: "charging stopped, limit 200 A" },
  { name: "discharge_overcurrent", current: -199, said: "charging stopped, limit 200 A" },
  { name: "discharge_overcurrent", current: -201, said: "201 A, charging stopped, limit 200 A" },
  { name: "charge_overtemperature", probe: 59, said: "charging stopped, limit 60 °C" },
  { name: "charge_overtemperature", probe: 61, said: "61 °C at Sensor 2, charging stopped, limit 60 °C" },
  { name: "discharge_overtemperature", probe: 64, said: "charging stopped, limit 65 °C" },
  { name: "discharge_overtemperature", probe: 66, said: "66 °C at Sensor 2, charging stopped, limit 65 °C" },
  { name: "mosfet_overtemperature", probe: 89, said: "charging stopped, limit 90 °C" },
  { name: "mosfet_overtemperature", probe: 91, said: "91 °C at MOSFETs, charging stopped, limit 90 °C" },
  { name: "cell_undervoltage", cell: 2.601, said: "charging stopped, limit 2.600 V" },
  { name: "cell_undervoltage", cell: 2.599, said: "2.599 V at Cell 7, charging stopped, limit 2.600 V" },
  { name: "battery_overvoltage", cell: 3.649, said: "charging stopped, limit 3.650 V" },
  { name: "battery_overvoltage", cell: 3.651, said: "3.651 V at Cell 12, charging stopped, limit 3.650 V" },
  // Of a limit that the pack does not report.
  { name: "discharge_overcurrent_2", current: -300, said: "300 A, charging stopped" },
  { name: "current_sensor", said: "charging stopped" },
])("a value is said only while it is beyond the limit, in that direction", (one) => {
  expect(textOf(one)).toBe(`${en.alarms[one.name].title}: ${one.said}`);
});

it("a countdown to the release is said, of this alarm alone", () => {
  const measured = seen({ name: "charge_overcurrent", said: "" });
  const bms = { ...measured.bms, releases: { charge_overcurrent: 28, cell_undervoltage: 90 } };
  const said = (name: AlarmName, language: "en" | "pt", texts: Texts): string =>
    plain(causeText(name, { ...measured, bms }, language, texts));
  expect(said("charge_overcurrent", "en", en)).toMatch(/, limit 100 A, released in 28 s$/);
  expect(said("charge_overcurrent", "pt", pt)).toMatch(/, liberação em 28 s$/);
  expect(said("discharge_overcurrent", "en", en)).toMatch(/, limit 200 A$/);
});

it("nothing is stopped that the pack does not block, and unknown settings have no limit", () => {
  const known = seen({ name: "charge_overtemperature", said: "" });
  const said = (more: Partial<Measured>): string =>
    plain(causeText("charge_overtemperature", { ...known, ...more }, "en", en));
  expect(said({ bms: {} })).toBe("Too hot to charge: limit 60 °C");
  expect(said({ bms: undefined, config: undefined })).toBe("Too hot to charge: 20 °C at Sensor 1");
  expect(said({ bms: { concerns: ["discharging-blocked", "charging-blocked"] } })).toBe(
    "Too hot to charge: charging and discharging stopped, limit 60 °C",
  );
  expect(plain(causeText("charge_overtemperature", known, "pt", pt))).toBe(
    `${pt.alarms.charge_overtemperature.title}: carregamento interrompido, limite 60 °C`,
  );
});

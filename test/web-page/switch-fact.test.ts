import { describe, expect, it } from "vitest";
import { hasOutput, switchFact } from "../../web/switch-fact.ts";
import { ALARMS, COMMANDS, type AlarmName } from "../../web/tables.ts";
import { bms as mockBms, status } from "../support/web/web-mock-data.ts";

const bms = () => ({ ...mockBms(), concerns: [] });

type Seen = ReturnType<typeof status>;

const doing = (seen: Seen, pack: Partial<Seen["pack"]>): Seen => ({ ...seen, pack: { ...seen.pack, ...pack } });

const raised = (...names: AlarmName[]) => ({
  ...status(),
  alarmCode: ALARMS.reduce((code, { name }, bit) => (names.includes(name) ? code | (1 << bit) : code), 0),
});

describe("a switch beside its output", () => {
  it("has one for both MOSFETs and balancing", () => {
    expect(COMMANDS.filter(hasOutput)).toEqual(["charge_mos", "discharge_mos", "balance"]);
  });

  it("agrees with it, whatever alarms there are", () => {
    const seen = raised("charge_overtemperature");
    expect(switchFact("charge_mos", bms(), seen)).toEqual({ wish: true, fact: true, differs: false, reasons: [] });
    const off = { ...bms(), switches: { charge_mos: false } };
    expect(switchFact("charge_mos", off, doing(seen, { chargeMosfet: false }))).toEqual({
      wish: false,
      fact: false,
      differs: false,
      reasons: [],
    });
  });

  it("is blocked for the alarms that open this MOSFET, faults first", () => {
    const names = ["fully_charged", "charge_overtemperature", "cell_undervoltage", "battery_overtemperature"] as const;
    const all = doing(raised(...names), { chargeMosfet: false, dischargeMosfet: false });
    expect(switchFact("charge_mos", bms(), all).reasons).toEqual([
      "charge_overtemperature",
      "battery_overtemperature",
      "fully_charged",
    ]);
    expect(switchFact("discharge_mos", bms(), all).reasons).toEqual(["cell_undervoltage", "battery_overtemperature"]);
  });

  it("is blocked without a reason if no alarm explains it", () => {
    const blocked = { chargeMosfet: false };
    const without = { wish: true, fact: false, differs: true, reasons: [] };
    expect(switchFact("charge_mos", bms(), doing(raised(), blocked))).toEqual(without);
    expect(
      switchFact("charge_mos", bms(), doing(raised("discharge_overcurrent", "gps_disconnected"), blocked)),
    ).toEqual(without);
    expect(switchFact("charge_mos", bms(), { ...doing(status(), blocked), alarmCode: null })).toEqual(without);
  });

  it("that is switched off while its output is on has no alarm to explain it", () => {
    const on = { ...bms(), switches: { ...bms().switches, discharge_mos: false } };
    const seen = raised("battery_overtemperature");
    expect(switchFact("discharge_mos", on, seen)).toEqual({ wish: false, fact: true, differs: true, reasons: [] });
  });

  it("is unknown while either is, which is no difference", () => {
    expect(switchFact("charge_mos", undefined, undefined)).toEqual({
      wish: null,
      fact: null,
      differs: false,
      reasons: [],
    });
    const off = doing(status(), { chargeMosfet: false });
    expect(switchFact("charge_mos", {}, off)).toMatchObject({ wish: null, differs: false });
    const unknown = doing(status(), { chargeMosfet: null });
    expect(switchFact("charge_mos", { switches: { charge_mos: true } }, unknown)).toMatchObject({
      fact: null,
      differs: false,
    });
  });

  it("of balancing differs from nothing: there may be nothing to balance", () => {
    const idle = doing(raised("battery_overtemperature"), { balancing: false });
    expect(switchFact("balance", bms(), idle)).toMatchObject({
      differs: false,
      reasons: [],
    });
  });
});

/** The map: the firmware's tables against the published models, and docs/modbus.md. */
import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { eventsOf } from "../../src/modbus/events";
import { AT, BANK, BANK_CHAIN, EACH, PACK_CHAIN } from "../../src/modbus/models";
import { eventOf, filled, modbusPage, publishedOf } from "../support/modbus/modbus-page";
import { definitionOf } from "../support/modbus/sunspec";

it("docs/modbus.md is generated from the tables: node scripts/modbus-docs.mjs writes it", async () => {
  const page = readFileSync("docs/modbus.md", "utf8");
  expect(page).toBe(await modbusPage(page));
});

const models = [...new Set([...BANK_CHAIN, ...PACK_CHAIN])].filter(({ id }) => id < 1_000);

test.each(models.map((model) => [model.id, model] as const))("every point of %i that must be there is", (_, model) => {
  const missing = filled(publishedOf(model), model.points)
    .filter(
      ({ point: { isMandatory, offset, type }, contents }) => isMandatory && offset > 1 && type !== "pad" && !contents,
    )
    .map(({ point: { name } }) => name);
  // Nobody tells the device what an inverter does.
  expect(missing).toEqual(model.id === 802 ? ["SetInvState"] : []);
  expect([...model.points].map((entry) => entry >> AT)).toEqual(
    [...model.points].map((entry) => entry >> AT).toSorted((one, other) => one - other),
  );
});

it("and of each string of 803", () => {
  const missing = filled(definitionOf(BANK.id).repeated, EACH).filter(
    ({ point, contents }) => point.isMandatory && point.type !== "pad" && !contents,
  );
  expect(missing).toEqual([]);
});

describe("alarms", () => {
  // Written out once more: a client may act on them.
  const EXPECTED: Readonly<Record<string, string>> = {
    wire_resistance: "26 `OTHER_WARNING`",
    mosfet_overtemperature: "1 `OVER_TEMP_ALARM`",
    cell_count: "28 `CONFIGURATION_ALARM`",
    current_sensor: "25 `OTHER_ALARM`",
    fully_charged: "–",
    battery_overvoltage: "9 `OVER_VOLT_ALARM`",
    charge_overcurrent: "5 `OVER_CHARGE_CURRENT_ALARM`",
    charge_short_circuit: "5 `OVER_CHARGE_CURRENT_ALARM`",
    charge_overtemperature: "1 `OVER_TEMP_ALARM`",
    charge_undertemperature: "3 `UNDER_TEMP_ALARM`",
    internal_communication: "0 `COMMUNICATION_ERROR`",
    cell_undervoltage: "11 `UNDER_VOLT_ALARM`",
    battery_undervoltage: "11 `UNDER_VOLT_ALARM`",
    discharge_overcurrent: "7 `OVER_DISCHARGE_CURRENT_ALARM`",
    discharge_short_circuit: "7 `OVER_DISCHARGE_CURRENT_ALARM`",
    discharge_overtemperature: "1 `OVER_TEMP_ALARM`",
    charge_mosfet: "20 `CONTACTOR_ERROR`",
    discharge_mosfet: "20 `CONTACTOR_ERROR`",
    gps_disconnected: "26 `OTHER_WARNING`",
    change_password: "–",
    discharge_on_failed: "20 `CONTACTOR_ERROR`",
    battery_overtemperature: "1 `OVER_TEMP_ALARM`",
    temperature_sensor: "25 `OTHER_ALARM`",
    parallel_module: "25 `OTHER_ALARM`",
    short_circuit_release: "25 `OTHER_ALARM`",
    discharge_overcurrent_2: "7 `OVER_DISCHARGE_CURRENT_ALARM`",
    discharge_overcurrent_3: "7 `OVER_DISCHARGE_CURRENT_ALARM`",
    discharge_undertemperature: "3 `UNDER_TEMP_ALARM`",
    gps_lock: "25 `OTHER_ALARM`",
    cell_overvoltage: "9 `OVER_VOLT_ALARM`",
  };

  it.each(ALARMS_TABLE.map(({ name }, bit) => [name, bit] as const))("%s is its event", (name, bit) => {
    expect(eventOf(bit)).toBe(EXPECTED[name]);
  });

  it("a bit without a row is another alarm, and several are all theirs", () => {
    expect([30, 31].map((bit) => eventsOf((1 << bit) >>> 0))).toEqual([1 << 25, 1 << 25]);
    expect(eventsOf((1 << 5) | (1 << 4) | (1 << 11))).toBe((1 << 9) | (1 << 11));
    expect(eventsOf(0)).toBe(0);
  });
});

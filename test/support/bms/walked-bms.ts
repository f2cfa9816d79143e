import type { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { NUMERIC_PARAMETERS } from "../../api/documents";
import type { SystemUnderTest } from "../../api/walk";

/** The simulated BMS's names of the registers behind commands and settings. */
const REGISTERS: Readonly<Record<string, string>> = {
  charge_mos: "BatChargeEN",
  discharge_mos: "BatDisChargeEN",
  balance: "BalanEN",
  balance_enabled: "BalanEN",
  ...Object.fromEntries(NUMERIC_PARAMETERS.map(({ name, register }) => [name, register])),
};
const SWITCH_BITS: Readonly<Record<string, number>> = { temperature_sensors_disabled: 1, display_always_on: 4 };

const FC03 = 0x03;
const FC16 = 0x10;
const SETUP_TRIGGER = 0x161e;
const SETUP_START = 0x1000;

/** The BMS side of the REST contract walk, with the simulated BMS. */
export function walkedBms(bms: SimulatedBms): SystemUnderTest["bms"] {
  const holds: Partial<Record<"writes" | "setup", () => void>> = {};
  const hold = (what: "writes" | "setup", on: boolean, order: Parameters<typeof bms.faults.add>[0]): void => {
    holds[what]?.();
    delete holds[what];
    if (on) holds[what] = bms.faults.add(order);
  };
  return {
    setOnline: (online) => bms.setOnline(online),
    holdWrites: (on) =>
      hold("writes", on, { kind: "no-answer", matching: (request) => request.function === FC16 && !request.trigger }),
    holdSetup: (on) =>
      hold("setup", on, {
        kind: "no-answer",
        matching: ({ function: code, register = 0 }) =>
          register === SETUP_TRIGGER || (code === FC03 && register === SETUP_START),
      }),
    register(name) {
      if (name === "bluetooth_name") return bms.registers.text("BluetoothName");
      if (name === "emergency") return bms.registers.read("TimeEmergency") ? 1 : 0;
      const bit = SWITCH_BITS[name];
      if (bit !== undefined) return (bms.registers.read("Switches") >> bit) & 1;
      return bms.registers.read(REGISTERS[name] ?? name);
    },
  };
}

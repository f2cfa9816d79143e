/** What a switch of the BMS is set to beside what its output does, and why the two differ. */
import type { BmsState, Status } from "./documents";
import { alarmsOf } from "./alarms";
import type { AlarmName, CommandName } from "./tables";

/** The switches whose output the BMS reports, and its member in `pack` of the status. */
const OUTPUTS = { charge_mos: "chargeMosfet", discharge_mos: "dischargeMosfet", balance: "balancing" } as const;

export type SwitchWithOutput = keyof typeof OUTPUTS;

export const hasOutput = (name: CommandName): name is SwitchWithOutput => Object.hasOwn(OUTPUTS, name);

const EITHER: readonly AlarmName[] = [
  "mosfet_overtemperature",
  "cell_count",
  "current_sensor",
  "internal_communication",
  "battery_overtemperature",
  "temperature_sensor",
  "gps_lock",
];
/** The alarms on which the BMS opens a MOSFET, as JK's manuals describe its protections. An alarm named in neither explains nothing. */
const OPENING: Readonly<Partial<Record<SwitchWithOutput, readonly AlarmName[]>>> = {
  charge_mos: [
    "fully_charged",
    "battery_overvoltage",
    "cell_overvoltage",
    "charge_overcurrent",
    "charge_short_circuit",
    "charge_overtemperature",
    "charge_undertemperature",
    "charge_mosfet",
    ...EITHER,
  ],
  discharge_mos: [
    "cell_undervoltage",
    "battery_undervoltage",
    "discharge_overcurrent",
    "discharge_overcurrent_2",
    "discharge_overcurrent_3",
    "discharge_short_circuit",
    "short_circuit_release",
    "discharge_overtemperature",
    "discharge_undertemperature",
    "discharge_on_failed",
    "discharge_mosfet",
    ...EITHER,
  ],
};

export interface SwitchFact {
  /** Null: unknown. */
  readonly wish: boolean | null;
  readonly fact: boolean | null;
  /** A MOSFET that is on although it is switched off, or the other way round; a BMS that has nothing to balance differs from nothing. */
  readonly differs: boolean;
  /** Alarms that explain why the output is off although it is switched on; empty: none does. */
  readonly reasons: readonly AlarmName[];
}

export function switchFact(name: SwitchWithOutput, bms: BmsState | undefined, status: Status | undefined): SwitchFact {
  const wish = bms?.switches?.[name] ?? null;
  const fact = status?.pack[OUTPUTS[name]] ?? null;
  const opening = OPENING[name];
  const differs = opening !== undefined && wish !== null && fact !== null && wish !== fact;
  const reasons = differs && wish ? alarmsOf(status?.alarmCode ?? 0).map((alarm) => alarm.name) : [];
  return { wish, fact, differs, reasons: reasons.filter((alarm) => opening?.includes(alarm)) };
}

import type { WriteName } from "jk-bms/writes";

/** A switch of the BMS. */
export interface CommandRow {
  /** The `command` of POST /api/bms/commands. */
  readonly name: string;
  /** What the link calls its register or bit. Raw value 1: state true. */
  readonly write: WriteName;
  /** For people. */
  readonly title: string;
  readonly hint: string;
}

/** The 6 commands (bms-monitor-api: POST /api/bms/commands). */
export const COMMANDS_TABLE: readonly CommandRow[] = Object.freeze(
  [
    {
      name: "charge_mos",
      write: "charge_mos",
      title: "Charge MOSFET",
      hint: "Lets current into the pack.",
    },
    {
      name: "discharge_mos",
      write: "discharge_mos",
      title: "Discharge MOSFET",
      hint: "Lets current out of the pack.",
    },
    {
      name: "balance",
      write: "balance",
      title: "Balancing",
      hint: "Lets the BMS balance the cells.",
    },
    {
      name: "emergency",
      write: "emergency",
      title: "Emergency mode",
      hint: "Emergency mode; the BMS ends it by itself after the time set in it.",
    },
    {
      name: "display_always_on",
      write: "display_always_on",
      title: "Display always on",
      hint: "Keeps the display of the BMS lit.",
    },
    {
      name: "temperature_sensors_disabled",
      write: "temperature_sensors_disabled",
      title: "Temperature sensors disabled",
      hint: "The BMS ignores its temperature sensors: their protections do not act.",
    },
  ],
  true,
);

/** The row of a command name, case and surrounding blanks ignored. */
export function findCommand(name: string): CommandRow | undefined {
  const wanted = name.trim().toLowerCase();
  for (const row of COMMANDS_TABLE) if (row.name === wanted) return row;
  return undefined;
}

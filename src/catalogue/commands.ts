import { readRaw } from "jk-bms/fields";
import { writableByName, type Writable, type WriteName } from "jk-bms/writes";
import { imageOf, type Pack } from "./pack";

/** A switch of the BMS. */
export interface CommandRow {
  /** The `command` of POST /api/bms/commands. */
  readonly name: WriteName;
  /** For people. */
  readonly title: string;
  /** Its register or bit, and the field that holds it. Raw value 1: state true. */
  readonly writable: Writable;
}

const command = (name: WriteName, title: string): CommandRow => ({ name, title, writable: writableByName(name) });

/** The 6 commands (docs/openapi.yaml). */
export const COMMANDS_TABLE: readonly CommandRow[] = Object.freeze(
  [
    command("charge_mos", "Charge MOSFET"),
    command("discharge_mos", "Discharge MOSFET"),
    command("balance", "Balancing"),
    command("emergency", "Emergency mode"),
    command("display_always_on", "Display always on"),
    command("temperature_sensors_disabled", "Temperature sensors disabled"),
  ],
  true,
);

/** The row of a command name, case and surrounding blanks ignored. */
export function findCommand(name: string): CommandRow | undefined {
  const wanted = name.trim().toLowerCase();
  for (const row of COMMANDS_TABLE) if (row.name === wanted) return row;
  return undefined;
}

/** Whether a command's switch is on; undefined while the BMS is offline or the switch was not read. */
export const readSwitch = (row: CommandRow, pack: Pack): boolean | undefined =>
  pack.online ? readLastSwitch(row, pack) : undefined;

/** The same as it was last told, however old. */
export function readLastSwitch({ writable: { field, mask } }: CommandRow, pack: Pack): boolean | undefined {
  const image = imageOf(pack, field);
  if (!image.valid) return undefined;
  const raw = readRaw(image, field);
  // A bit of a word, a switch, or (emergency mode) a countdown.
  return (mask ? raw & mask : raw) !== 0;
}

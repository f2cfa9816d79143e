import { lowerCase } from "ascii/case";
import { blockOf, readRaw } from "jk-bms/fields";
import { writableByName, type Writable, type WriteName } from "jk-bms/writes";
import type { Pack } from "./pack";
import { lastBlock } from "./read";

/** A switch of the BMS. */
export interface CommandRow {
  /** The `command` of POST /api/bms/commands. */
  readonly name: WriteName;
  /** Display name. */
  readonly title: string;
  /** The register or bit, and the field that reads it back. Raw value 1 means on. */
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

/** Finds a row by command name; case and surrounding whitespace are ignored. */
export function findCommand(name: string): CommandRow | undefined {
  const wanted = lowerCase(name.trim());
  for (const row of COMMANDS_TABLE) if (row.name === wanted) return row;
  return undefined;
}

/** State of the command's switch; undefined while the BMS is offline or if the switch has not been read. */
export const readSwitch = (row: CommandRow, pack: Pack): boolean | undefined =>
  pack.online ? readLastSwitch(row, pack) : undefined;

/** The last known state, however old. */
export function readLastSwitch({ writable: { field, mask } }: CommandRow, pack: Pack): boolean | undefined {
  const image = lastBlock(pack, blockOf(field));
  if (!image) return undefined;
  const raw = readRaw(image, field);
  // One bit of a word, a switch, or (emergency mode) a countdown.
  return (mask ? raw & mask : raw) !== 0;
}

import { writableByName } from "jk-bms/writes";
import type { CommandRow } from "./commands-table";
import { fieldNumber } from "./telemetry-table";
import type { Monitor } from "./types";

/** Whether a command's switch is on, as the BMS said last; false before the block that holds it has been read. */
export function commandState(monitor: Monitor, { write }: CommandRow): boolean {
  const { field, mask } = writableByName(write);
  const raw = fieldNumber(monitor, field);
  // A bit of a word, a switch, or (emergency mode) a countdown.
  return (mask ? raw & mask : raw) !== 0;
}

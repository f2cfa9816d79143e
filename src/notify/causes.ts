/** Causes of a message: numbers, which the retained memory has too (append only). */
import { MOST_DEVICE_ROWS } from "../conditions/limits";
import * as sets from "../conditions/set";
import { CONCERNS, DEVICE_CONDITIONS, FAULTS } from "../conditions/table";

/** 0 to 29: the alarm of that row of ALARMS_TABLE. */
export const ALARMS = 32;
/** 32 to 35: what the owner has set a threshold for (OWNED of src/conditions/table.ts). */
export const OFFLINE = 32;
export const SOC = 33;
export const TEMPERATURE = 34;
export const SPREAD = 35;
export const MASTER = 36;
/** What happens once, and is not over: */
export const RESTART = 37;
export const SAFE_MODE = 38;
export const UPDATE = 39;
/** 40 to 71: the condition of that row (src/conditions/table.ts). */
export const CONDITIONS = 40;
/** From 72 on: the condition of that row of the device. */
export const DEVICE = 72;
/** It happens once, to a pack. */
export const SETTING = DEVICE + MOST_DEVICE_ROWS;
/** Behind it: the condition of the row 32 and those behind that. */
const FURTHER = SETTING + 1;
const FIRST_FURTHER = DEVICE - CONDITIONS;
export const CAUSES = FURTHER + Math.max(CONCERNS.length - FIRST_FURTHER, 0);
/** As many as there may ever be. */
export const MOST_CAUSES = FURTHER + sets.MOST_ROWS - FIRST_FURTHER;
/** The test message: sent on request, never queued. */
export const TEST = CAUSES;

export const isAlarm = (cause: number): boolean => cause < ALARMS;
export const isValue = (cause: number): boolean => cause >= SOC && cause <= SPREAD;
export const isOnce = (cause: number): boolean =>
  (cause >= RESTART && cause < CONDITIONS) || cause === SETTING || cause === TEST;
export const isCondition = (cause: number): boolean =>
  (cause >= CONDITIONS && cause < DEVICE) || (cause >= FURTHER && cause < CAUSES);
export const isOfDevice = (cause: number): boolean => cause >= DEVICE && cause < SETTING;
/** Each pack has it for itself. */
export const isOfPack = (cause: number): boolean => cause <= SPREAD || isCondition(cause) || cause === SETTING;
/** Something is wrong for sure, and with one pack: silence is mostly that of the whole bus. */
export const isFault = (cause: number): boolean =>
  isAlarm(cause) || (isCondition(cause) && sets.has(FAULTS, rowOf(cause)));

/** Of a condition of a pack, and back. */
export const rowOf = (cause: number): number =>
  cause < FURTHER ? cause - CONDITIONS : cause - FURTHER + FIRST_FURTHER;
export const causeOf = (row: number): number =>
  row < FIRST_FURTHER ? row + CONDITIONS : row - FIRST_FURTHER + FURTHER;

/** The code of a condition, of a pack or the device; undefined: it is something else. */
export function conditionOf(cause: number): string | undefined {
  if (isOfDevice(cause)) return DEVICE_CONDITIONS[cause - DEVICE];
  return isCondition(cause) ? CONCERNS[rowOf(cause)] : undefined;
}

/** Values of UPDATE. */
export const UPDATED = 0;
export const REJECTED = 1;
export const ROLLED_BACK = 2;

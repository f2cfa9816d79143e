/** Causes of a message: numbers, which the retained memory has too (append only). */
import { isRaised } from "../catalogue/alarms";
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
/** 72 to 79: the condition of that row of the device. */
export const DEVICE = 72;
/** From here on nothing lasts: it happens once, to a pack. */
export const ONCE = 80;
export const SETTING = 80;
export const CAUSES = 81;
/** The test message: sent on request, never queued. */
export const TEST = CAUSES;

export const isAlarm = (cause: number): boolean => cause < ALARMS;
export const isValue = (cause: number): boolean => cause >= SOC && cause <= SPREAD;
export const isOnce = (cause: number): boolean => (cause >= RESTART && cause < CONDITIONS) || cause >= ONCE;
export const isCondition = (cause: number): boolean => cause >= CONDITIONS && cause < DEVICE;
export const isOfDevice = (cause: number): boolean => cause >= DEVICE && cause < ONCE;
/** Each pack has it for itself. */
export const isOfPack = (cause: number): boolean => cause <= SPREAD || isCondition(cause) || cause === SETTING;
/** Something is wrong for sure, and with one pack: silence is mostly that of the whole bus. */
export const isFault = (cause: number): boolean =>
  isAlarm(cause) || (isCondition(cause) && isRaised(FAULTS, cause - CONDITIONS));

/** The code of a condition, of a pack or the device; undefined: it is something else. */
export function conditionOf(cause: number): string | undefined {
  if (isOfDevice(cause)) return DEVICE_CONDITIONS[cause - DEVICE];
  return CONCERNS[cause - CONDITIONS];
}

/** Values of UPDATE. */
export const UPDATED = 0;
export const REJECTED = 1;
export const ROLLED_BACK = 2;

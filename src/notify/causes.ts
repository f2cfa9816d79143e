/** What can be told: numbers, which the retained memory has too (append only). */

/** 0 to 29: the alarm of that row of ALARMS_TABLE. */
export const ALARMS = 32;
export const OFFLINE = 32;
export const SOC = 33;
export const TEMPERATURE = 34;
export const SPREAD = 35;
export const MASTER = 36;
/** What happens once, and is not over: */
export const RESTART = 37;
export const SAFE_MODE = 38;
export const UPDATE = 39;
export const CAUSES = 40;
/** The test message: sent on request, never queued. */
export const TEST = CAUSES;

export const isAlarm = (cause: number): boolean => cause < ALARMS;
export const isValue = (cause: number): boolean => cause >= SOC && cause <= SPREAD;
export const isOnce = (cause: number): boolean => cause >= RESTART && cause < CAUSES;
/** Each pack has it for itself. */
export const isOfPack = (cause: number): boolean => cause <= SPREAD;

/** Values of UPDATE. */
export const UPDATED = 0;
export const REJECTED = 1;
export const ROLLED_BACK = 2;

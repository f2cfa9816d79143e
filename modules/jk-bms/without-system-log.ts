/** In place of system-log.ts on a board that does not read the BMS's own log. */

export const LOG_BYTES = 0;

export const logTotal = (): number => 0;

export const logHolds = (): boolean => false;

export const visitLog = (): void => undefined;

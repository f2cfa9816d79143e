/** In place of bms-log.ts on a board that does not read the BMS's own log. */

export const READS_LOG = false;

export const logEvent = (_code: number): string => "";

export const writeLog = (): void => undefined;

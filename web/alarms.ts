import { ALARMS, type AlarmRow } from "./tables";

/** The alarms of an alarm word: faults first, then notices, each in the order of its bits. */
export function alarmsOf(code: number): AlarmRow[] {
  const present = ALARMS.filter(({ bit }) => (code >>> bit) & 1);
  return [...present.filter(({ fault }) => fault), ...present.filter(({ fault }) => !fault)];
}

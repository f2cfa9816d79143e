import { ALARMS, type AlarmRow } from "./tables";

/** Decodes an alarm word: faults first, then notices, each in bit order. */
export function alarmsOf(code: number): AlarmRow[] {
  const present = ALARMS.filter((_, bit) => (code >>> bit) & 1);
  return [...present.filter(({ fault }) => fault), ...present.filter(({ fault }) => !fault)];
}

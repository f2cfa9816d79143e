import { dayAt, type Zone } from "./calendar";
import { FINE } from "./layout";
import { UNKNOWN_BYTE } from "./limits";
import { absorb } from "./rebuilt-day";
import type { RecordStore } from "./record-store";
import { DAY_RECORD, FINE_RECORD } from "./records";

/** A day of which this run has ten minutes without a time. */
export interface UndatedDay {
  /** By the owner's time since 1970. */
  readonly day: number;
  readonly record: Uint8Array;
}

/**
 * The days of this run until now, the oldest first, from its ten minutes.
 * @param started when the device started, seconds since 1970
 * @param resting mA
 * @param address of the one pack; undefined: there are several
 */
export function undatedDays(
  store: RecordStore,
  zone: Zone,
  started: number,
  resting: number,
  address: number | undefined,
): readonly UndatedDay[] {
  const days: UndatedDay[] = [];
  const fine = new Uint8Array(FINE_RECORD.bytes);
  for (let nth = 0; nth < store.countUntimed(FINE); nth++) {
    const uptime = store.readUntimed(FINE, nth, fine);
    if (uptime === undefined) continue;
    const day = dayAt(started + uptime, zone);
    let last = days[days.length - 1];
    if (last?.day !== day) days.push((last = { day, record: new Uint8Array(DAY_RECORD.bytes).fill(UNKNOWN_BYTE) }));
    absorb(last.record, fine, resting, address);
  }
  return days;
}

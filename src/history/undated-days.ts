import { valueOf } from "flash-log/field";
import { dayAt, type Zone } from "./calendar";
import { FINE } from "./layout";
import { POWER_UNIT, UNKNOWN_BYTE } from "./limits";
import { absorb } from "./rebuilt-day";
import type { RecordStore } from "./record-store";
import { DAY_RECORD, FINE_FIELDS } from "./records";

/** Ten minutes with replies throughout, and joules of a watt in a minute. */
const TEN = 10;
const MINUTE = 60;

/** A day of which this run has ten minutes without a time. */
export interface UndatedDay {
  /** By the owner's time since 1970. */
  readonly day: number;
  readonly record: Uint8Array;
  /** Joules charged and discharged, by the mean power of the ten minutes. */
  readonly mean: [number, number];
}

/** The days of this run until now, the oldest first, from its ten minutes. */
export class UndatedDays {
  readonly days: UndatedDay[] = [];
  /** Joules of all days by the mean power, and the most that they can have been. */
  private readonly mean = [0, 0];
  private readonly most = [0, 0];

  /**
   * @param started when the device started, seconds since 1970
   * @param resting mA
   * @param address of the one pack; undefined: there are several
   */
  constructor(store: RecordStore, zone: Zone, started: number, resting: number, address: number | undefined) {
    const { days, mean, most } = this;
    store.eachUntimed(FINE, (fine, uptime) => {
      const day = dayAt(started + uptime, zone);
      let last = days[days.length - 1];
      if (last?.day !== day)
        days.push((last = { day, record: new Uint8Array(DAY_RECORD.bytes).fill(UNKNOWN_BYTE), mean: [0, 0] }));
      absorb(last.record, fine, resting, address);
      const seconds = MINUTE * (valueOf(fine, FINE_FIELDS.minutes) ?? TEN);
      const power = valueOf(fine, FINE_FIELDS.power) ?? 0;
      const ends = [valueOf(fine, FINE_FIELDS.maxPower) ?? 0, -(valueOf(fine, FINE_FIELDS.minPower) ?? 0)];
      for (let way = 0; way < 2; way++) {
        const joules = seconds * Math.max(0, way ? -power : power);
        (last.mean[way] as number) += joules;
        (mean[way] as number) += joules;
        (most[way] as number) += seconds * (Math.max(0, ends[way] as number) + POWER_UNIT / 2);
      }
    });
  }

  /**
   * Joules of a day out of what the counters have counted: its part by the mean power, and together no more than the ten minutes can have had.
   * @param way 0: charged, 1: discharged
   * @param counted NaN: unknown
   */
  shareOf({ mean }: UndatedDay, way: 0 | 1, counted: number): number {
    const all = this.mean[way] as number;
    return all ? (Math.min(counted, this.most[way] as number) * mean[way]) / all : 0 * counted;
  }
}

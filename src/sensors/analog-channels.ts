import type Analog from "embedded:io/analog";
import { FLOOR, FULL_SCALE, MAX_FAULTS, SAMPLES } from "./limits";

/** Layout of a channel's row: a ring of readings (mV), their count, the next index, consecutive faults. */
const COUNT = SAMPLES;
const NEXT = SAMPLES + 1;
const FAULTS = SAMPLES + 2;
const ROW = SAMPLES + 3;

/** ADC pins, each with a moving average without the highest and lowest reading. */
export class AnalogChannels {
  private readonly converters: readonly (Analog | undefined)[];
  private readonly rows: Uint16Array;

  /** A channel without an ADC is not measured; it may be added to `converters` later. */
  constructor(converters: readonly (Analog | undefined)[], channels: number) {
    this.converters = converters;
    this.rows = new Uint16Array(channels * ROW);
  }

  /**
   * Reads the pin of `channel` once. With `railsAreFaults` a reading at either end of the converter's range is a fault (sensor open or
   * shorted) instead of a low or high voltage.
   */
  sample(channel: number, railsAreFaults: boolean): void {
    const converter = this.converters[channel];
    if (!converter) return;
    const highest = (1 << converter.resolution) - 1;
    // Despite the type, the ESP32 class returns undefined when the conversion fails.
    const reading = converter.read() as number | undefined;
    // The class converted whole millivolts to counts, rounding down: rounding up restores them exactly.
    const millivolts = reading === undefined ? 0 : Math.ceil((reading * FULL_SCALE) / highest);
    const isAtRail = millivolts <= FLOOR || millivolts >= FULL_SCALE;
    if (reading === undefined || (isAtRail && railsAreFaults)) this.missed(channel);
    else this.measured(channel, millivolts);
  }

  /** The average of `channel`, mV at the pin; 0 at and below the converter's floor; undefined: not measured. */
  millivolts(channel: number): number | undefined {
    const rows = this.rows;
    const row = channel * ROW;
    const count = rows[row + COUNT];
    if (!count) return undefined;
    // A ring that is not full yet has its readings at the start. Sorted natively: XS takes four times as long to compare each of them.
    const sorted = rows.slice(row, row + count).sort();
    // Without the lowest and the highest one, if there are more.
    const omitted = count > 2 ? 1 : 0;
    const end = count - omitted;
    let sum = 0;
    // Not a `for` with its own variable: XS recreates it in each iteration.
    let index = omitted;
    while (index < end) {
      sum += sorted[index] as number;
      index++;
    }
    const average = sum / (end - omitted);
    // Below its floor the ADC reads the floor: a dead input would show a phantom voltage.
    return average <= FLOOR ? 0 : average;
  }

  close(): void {
    // `close` is missing from the typings.
    for (const converter of this.converters) (converter as (Analog & { close(): void }) | undefined)?.close();
  }

  private measured(channel: number, millivolts: number): void {
    const rows = this.rows;
    const row = channel * ROW;
    const next = rows[row + NEXT] as number;
    rows[row + next] = millivolts;
    rows[row + NEXT] = (next + 1) % SAMPLES;
    rows[row + COUNT] = Math.min((rows[row + COUNT] as number) + 1, SAMPLES);
    rows[row + FAULTS] = 0;
  }

  private missed(channel: number): void {
    const rows = this.rows;
    const row = channel * ROW;
    const faults = Math.min((rows[row + FAULTS] as number) + 1, MAX_FAULTS);
    rows[row + FAULTS] = faults;
    if (faults === MAX_FAULTS) rows[row + COUNT] = rows[row + NEXT] = 0;
  }
}

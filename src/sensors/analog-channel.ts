import type Analog from "embedded:io/analog";
import { FLOOR, FULL_SCALE, MAX_FAULTS, SAMPLES } from "./limits";

/** One pin of the converter: a sliding average without the outliers. */
export class AnalogChannel {
  readonly #analog: Analog;
  readonly #highest: number;
  readonly #railsAreFaults: boolean;
  /** The last readings, mV, as a ring. */
  readonly #samples = new Uint16Array(SAMPLES);
  #count = 0;
  #next = 0;
  #faults = 0;

  /**
   * Throws when the pin is in use or has no converter. With `railsAreFaults` a reading at an end of the converter's range is no
   * measurement (a sensor that is open or shorted) instead of a low or high voltage.
   */
  constructor({ io, pin, railsAreFaults }: { io: typeof Analog; pin: number; railsAreFaults: boolean }) {
    this.#analog = new io({ pin });
    this.#highest = (1 << this.#analog.resolution) - 1;
    this.#railsAreFaults = railsAreFaults;
  }

  /** Reads the pin once. */
  sample(): void {
    // The type does not say so, but the ESP32 class answers undefined when the conversion fails.
    const count = this.#analog.read() as number | undefined;
    // The class turned whole millivolts into counts, rounding down: rounding up gives them back exactly.
    const millivolts = count === undefined ? 0 : Math.ceil((count * FULL_SCALE) / this.#highest);
    const isAtRail = millivolts <= FLOOR || millivolts >= FULL_SCALE;
    if (count === undefined || (isAtRail && this.#railsAreFaults)) {
      if (this.#faults < MAX_FAULTS) this.#faults++;
      if (this.#faults === MAX_FAULTS) this.#count = 0;
      return;
    }
    this.#faults = 0;
    this.#samples[this.#next] = millivolts;
    this.#next = (this.#next + 1) % SAMPLES;
    if (this.#count < SAMPLES) this.#count++;
  }

  /** The average, mV at the pin; 0 at and below the converter's floor; undefined: not measured. */
  get millivolts(): number | undefined {
    const count = this.#count;
    if (!count) return undefined;
    let sum = 0;
    let lowest = FULL_SCALE;
    let highest = 0;
    for (let back = 1; back <= count; back++) {
      const sample = this.#samples[(this.#next + SAMPLES - back) % SAMPLES] as number;
      sum += sample;
      lowest = Math.min(lowest, sample);
      highest = Math.max(highest, sample);
    }
    const average = count > 2 ? (sum - lowest - highest) / (count - 2) : sum / count;
    // What is below the floor reads as the floor: a dead input would show a voltage that is not there.
    return average <= FLOOR ? 0 : average;
  }

  close(): void {
    // The typings lack it.
    (this.#analog as Analog & { close(): void }).close();
  }
}

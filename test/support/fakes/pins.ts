import Analog from "../../../host-sim/io/analog";
import Digital from "../../../host-sim/io/digital";
import type { SimulatedBoard } from "../../../host-sim/board";
import type { Level } from "../../../host-sim/pins";

const PINS = 40;

/** The platform's digital class, recording every level written to a pin, unchanged ones included. */
export function watchedDigital(): { io: typeof Digital; levels: Level[] } {
  const levels: Level[] = [];
  class Watched extends Digital {
    constructor(options: ConstructorParameters<typeof Digital>[0]) {
      super(options);
      if (options.mode === Digital.Output) levels.push(options.initialValue as Level);
    }

    override write(value: Level): void {
      super.write(value);
      levels.push(value);
    }
  }
  return { io: Watched, levels };
}

/** Pins claimed by the firmware. */
export function claimedPins({ pins }: SimulatedBoard): number[] {
  return [...Array(PINS).keys()].filter((number) => {
    try {
      pins.use(number);
    } catch (error) {
      // RangeError: the pin does not exist.
      return !(error instanceof RangeError);
    }
    pins.free(number);
    return false;
  });
}

/** The platform's analog class with injected results by pin, in place of measurements (undefined: the conversion failed). */
export function faultyAnalog(resolution = 12): { io: typeof Analog; answers: Map<number, number | undefined> } {
  const answers = new Map<number, number | undefined>();
  class Faulty extends Analog {
    readonly #number: number;

    constructor(options: ConstructorParameters<typeof Analog>[0]) {
      super(options);
      this.#number = options.pin;
    }

    override get resolution(): number {
      return resolution;
    }

    override read(): number {
      const measured = super.read();
      return answers.has(this.#number) ? (answers.get(this.#number) as number) : measured;
    }
  }
  return { io: Faulty, answers };
}

/** The pads of the ESP32. */

const LAST_PIN = 39;
const MISSING = [20, 24, 28, 29, 30, 31];
const FIRST_INPUT_ONLY = 34;

export type Level = 0 | 1;

/** One pad: what the firmware makes of it, and what the world outside does with it. */
export class Pin {
  readonly number: number;
  /** The level the firmware drives, or undefined: not an output (or an open drain that lets go). */
  #output: Level | undefined;
  #pull: Level | undefined;
  #driven: Level | undefined;
  #level: Level = 0;
  /** For the firmware's class: the level on the pad has changed. */
  onEdge: ((level: Level) => void) | undefined;
  /** For tests and the command line: the firmware drives another level, or stopped driving (undefined). */
  onOutput: ((output: Level | undefined) => void) | undefined;

  constructor(number: number) {
    this.number = number;
  }

  get output(): Level | undefined {
    return this.#output;
  }

  /** The level on the pad: the firmware's own, else what is connected, else the pull resistor's, else 0. */
  get level(): Level {
    return this.#level;
  }

  /** What is connected outside drives the pad; undefined: nothing is connected. */
  drive(level: Level | undefined): void {
    this.#driven = level;
    this.#settle();
  }

  /** The firmware's side. */
  configure(output: Level | undefined, pull?: Level): void {
    const changed = output !== this.#output;
    this.#output = output;
    this.#pull = pull;
    this.#settle();
    if (changed) this.onOutput?.(output);
  }

  #settle(): void {
    const level = this.#output ?? this.#driven ?? this.#pull ?? 0;
    if (level === this.#level) return;
    this.#level = level;
    this.onEdge?.(level);
  }
}

/** All pads, and who uses them: one owner each, as the SDK demands. */
export class Pins {
  readonly #pins = new Map<number, Pin>();
  readonly #used = new Set<number>();
  readonly #volts = new Map<number, number>();

  /** Throws a RangeError when the ESP32 has no such pad. */
  pin(number: number): Pin {
    if (!Number.isInteger(number) || number < 0 || number > LAST_PIN || MISSING.includes(number))
      throw new RangeError(`no pin ${number}`);
    let pin = this.#pins.get(number);
    if (!pin) this.#pins.set(number, (pin = new Pin(number)));
    return pin;
  }

  /** Takes a pad for one owner. Throws when it has one already, or cannot be an output. */
  use(number: number, { output = false } = {}): Pin {
    const pin = this.pin(number);
    if (this.#used.has(number)) throw new Error(`pin ${number} in use`);
    if (output && number >= FIRST_INPUT_ONLY) throw new RangeError(`pin ${number} is input only`);
    this.#used.add(number);
    return pin;
  }

  /** The pad as after a reset: nobody drives it. */
  free(number: number): void {
    const pin = this.pin(number);
    this.#used.delete(number);
    pin.onEdge = undefined;
    pin.configure(undefined);
  }

  volts(number: number): number {
    return this.#volts.get(number) ?? 0;
  }

  setVolts(number: number, volts: number): void {
    this.pin(number);
    this.#volts.set(number, volts);
  }

  /** Power-off: no pad is driven any more; what is connected outside stays connected. */
  reset(): void {
    for (const number of [...this.#used]) this.free(number);
  }
}

/** The pads of the ESP32. */

const LAST_PIN = 39;
const MISSING = [20, 24, 28, 29, 30, 31];
const FIRST_INPUT_ONLY = 34;

export type Level = 0 | 1;

/** A pad: the firmware's configuration and the external signal. */
export class Pin {
  readonly number: number;
  /** Level driven by the firmware; undefined: not an output, or an open drain that is released. */
  #output: Level | undefined;
  #pull: Level | undefined;
  #driven: Level | undefined;
  #level: Level = 0;
  /** For the firmware's class: called when the level on the pad changes. */
  onEdge: ((level: Level) => void) | undefined;
  /** For tests and the command line: called when the firmware drives another level or stops driving (undefined). */
  onOutput: ((output: Level | undefined) => void) | undefined;

  constructor(number: number) {
    this.number = number;
  }

  get output(): Level | undefined {
    return this.#output;
  }

  /** The level on the pad: the firmware's if driven, else the external one, else the pull resistor's, else 0. */
  get level(): Level {
    return this.#level;
  }

  /** Drives the pad externally; undefined: disconnected. */
  drive(level: Level | undefined): void {
    this.#driven = level;
    this.#settle();
  }

  /** Set by the firmware. */
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

/** All pads and their owners: one owner per pad, as the SDK requires. */
export class Pins {
  readonly #refused: ReadonlySet<number>;
  readonly #pins = new Map<number, Pin>();
  readonly #used = new Set<number>();
  readonly #volts = new Map<number, number>();

  /** `refused`: pads that cannot be claimed. */
  constructor(refused: ReadonlySet<number> = new Set()) {
    this.#refused = refused;
  }

  /** Throws a RangeError if the ESP32 has no such pad. */
  pin(number: number): Pin {
    if (!Number.isInteger(number) || number < 0 || number > LAST_PIN || MISSING.includes(number))
      throw new RangeError(`no pin ${number}`);
    let pin = this.#pins.get(number);
    if (!pin) this.#pins.set(number, (pin = new Pin(number)));
    return pin;
  }

  /** Claims a pad. Throws if it already has an owner, cannot be an output, or is refused. */
  use(number: number, { output = false } = {}): Pin {
    const pin = this.pin(number);
    if (this.#used.has(number) || this.#refused.has(number)) throw new Error(`pin ${number} in use`);
    if (output && number >= FIRST_INPUT_ONLY) throw new RangeError(`pin ${number} is input only`);
    this.#used.add(number);
    return pin;
  }

  /** Releases the pad to its reset state: not driven. */
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

  /** Power-off: the firmware drives no pad; external connections remain. */
  reset(): void {
    for (const number of [...this.#used]) this.free(number);
  }
}

/** The pads of the chips, by esp_chip_id_t: ESP32, ESP32-C3, ESP32-S3. */

interface Pads {
  readonly last: number;
  readonly missing: readonly number[];
  readonly firstInputOnly: number;
  /** Those of ADC1 and ADC2. */
  readonly analog: readonly number[];
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

const PADS: Readonly<Record<number, Pads>> = {
  0: {
    last: 39,
    missing: [20, 24, 28, 29, 30, 31],
    firstInputOnly: 34,
    analog: [...range(32, 39), 0, 2, 4, ...range(12, 15), ...range(25, 27)],
  },
  5: { last: 21, missing: [], firstInputOnly: Infinity, analog: range(0, 5) },
  9: { last: 48, missing: range(22, 25), firstInputOnly: Infinity, analog: range(1, 20) },
};

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
  readonly #pads: Pads;
  readonly #pins = new Map<number, Pin>();
  readonly #used = new Set<number>();
  readonly #volts = new Map<number, number>();

  /** `refused`: pads that cannot be claimed. `chip`: esp_chip_id_t. */
  constructor(refused: ReadonlySet<number>, chip: number) {
    this.#refused = refused;
    const pads = PADS[chip];
    if (!pads) throw new RangeError(`no chip ${chip}`);
    this.#pads = pads;
  }

  /** Throws a RangeError if the chip has no such pad. */
  pin(number: number): Pin {
    const { last, missing } = this.#pads;
    if (!Number.isInteger(number) || number < 0 || number > last || missing.includes(number))
      throw new RangeError(`no pin ${number}`);
    let pin = this.#pins.get(number);
    if (!pin) this.#pins.set(number, (pin = new Pin(number)));
    return pin;
  }

  /** Claims a pad. Throws if it already has an owner, cannot be an output, or is refused. */
  use(number: number, { output = false } = {}): Pin {
    const pin = this.pin(number);
    if (this.#used.has(number) || this.#refused.has(number)) throw new Error(`pin ${number} in use`);
    if (output && number >= this.#pads.firstInputOnly) throw new RangeError(`pin ${number} is input only`);
    this.#used.add(number);
    return pin;
  }

  hasConverter(number: number): boolean {
    return this.#pads.analog.includes(number);
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

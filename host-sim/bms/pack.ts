import { dayProfile, type Profile } from "./profile";
import { random, spread } from "./random";

/** Open-circuit voltage of a LiFePO4 cell at 25 degrees, volts by state of charge; steep at both ends. */
const OPEN_CIRCUIT: readonly (readonly [soc: number, volts: number])[] = [
  [0, 2.0],
  [0.01, 2.55],
  [0.02, 2.75],
  [0.04, 2.95],
  [0.08, 3.13],
  [0.14, 3.2],
  [0.22, 3.24],
  [0.32, 3.27],
  [0.42, 3.285],
  [0.55, 3.2935],
  [0.62, 3.298],
  [0.7, 3.325],
  [0.9, 3.331],
  [0.95, 3.335],
  [0.975, 3.345],
  [0.99, 3.4],
  [1, 3.5],
  [1.01, 3.65],
  [1.02, 3.9],
];
const FULLEST = 1.02;

const CAPACITY_DEVIATION = 0.008;
const CHARGE_DEVIATION = 0.004;
const RESISTANCE_DEVIATION = 0.08;
/** Internal resistance of a 280 Ah cell with its share of the bus bars, ohm; smaller cells have more. */
const RESISTANCE = 0.00035;
const REFERENCE_CAPACITY = 280;

/** Seconds for a difference to the final temperature to fall to 37 %, and degrees per ampere squared that current adds in the end. */
const BATTERY_HEAT = { seconds: 3600, perSquareAmpere: 0.0002 };
const MOS_HEAT = { seconds: 300, perSquareAmpere: 0.0012 };

export interface PackOptions {
  cells: number;
  seed: number;
  /** State of charge at the start, 0 to 1. */
  soc: number;
  /** Capacity as new, Ah. */
  capacity: number;
  /** Degrees Celsius at the start; battery: the five probes. */
  temperatures: { mos: number; battery: number[] };
  /** Seconds since midnight at the start. */
  timeOfDay: number;
  /** Measured lead resistance of each cell, milliohm. */
  wireResistance: number[];
  /** Charge and discharge over the day, as shares of the capacity. */
  profile?: Profile;
}

export class Cell {
  /** Ah; tests may set it. */
  charge: number;

  constructor(
    /** Ah. */
    readonly capacity: number,
    /** Ohm. */
    readonly resistance: number,
    /** Milliohm, of the balance lead. */
    public wireResistance: number,
    soc: number,
  ) {
    this.charge = soc * capacity;
  }

  /** 0 to 1.02; tests may set it. */
  get soc(): number {
    return this.charge / this.capacity;
  }

  set soc(soc: number) {
    this.add(soc * this.capacity - this.charge);
  }

  /** Volts with `current` amperes flowing into the cell. */
  voltage(current: number): number {
    return Math.max(0, openCircuitVoltage(this.soc) + current * this.resistance);
  }

  /** Adds ampere-hours, within what the cell can hold. */
  add(charge: number): void {
    this.charge = Math.min(Math.max(this.charge + charge, 0), this.capacity * FULLEST);
  }
}

/** The curve at every thousandth, on which all its points lie: it is asked for very often. */
const GRID = 1000;
const CURVE = Float64Array.from({ length: FULLEST * GRID + 1 }, (_, index) => {
  const upper = Math.max(
    1,
    OPEN_CIRCUIT.findIndex(([soc]) => soc * GRID >= index - 1e-9),
  );
  const [soc0, volts0] = OPEN_CIRCUIT[upper - 1] as readonly [number, number];
  const [soc1, volts1] = OPEN_CIRCUIT[upper] as readonly [number, number];
  return volts0 + ((index / GRID - soc0) / (soc1 - soc0)) * (volts1 - volts0);
});

/** Volts at rest; beyond the ends of the curve, those at its end. */
export function openCircuitVoltage(soc: number): number {
  const at = Math.min(Math.max(soc * GRID, 0), CURVE.length - 1);
  const below = Math.floor(at);
  const volts = CURVE[below] as number;
  return volts + ((CURVE[below + 1] ?? volts) - volts) * (at - below);
}

/** The battery itself: cells, temperatures and the current that charger, load and the BMS's two switches let flow. */
export class Pack {
  /** The connected cells; tests may take one away or drain it. */
  readonly cells: Cell[];
  /** Degrees Celsius; tests may set them, they then drift back to the ambient temperature. */
  readonly temperatures: { mos: number; battery: number[] };
  /** Degrees Celsius around the pack. */
  ambient: number;
  /** Bits of the probes that are connected: 0 MOS, 1 to 5 battery. */
  sensors = 0xff;
  /** The BMS's outputs: whether charge and discharge current can flow. */
  chargePath = false;
  dischargePath = false;
  /** The charger's voltage limit, V per cell; the profile's charger tapers at it. */
  chargeVoltage = 3.45;
  /** Ampere-hours that have gone in and out since the start. */
  charged = 0;
  discharged = 0;
  /** Seconds since the start. */
  time = 0;

  readonly #profile: Profile;
  readonly #capacity: number;
  #override: number | undefined;

  constructor(options: PackOptions) {
    const { cells, seed, soc, capacity, temperatures, timeOfDay, wireResistance } = options;
    const next = random(seed);
    const resistance = RESISTANCE * (REFERENCE_CAPACITY / capacity);
    this.cells = Array.from({ length: cells }, (_, index) => {
      const own = capacity * (1 + CAPACITY_DEVIATION * spread(next));
      const ohms = resistance * (1 + RESISTANCE_DEVIATION * spread(next));
      const start = Math.min(Math.max(soc + CHARGE_DEVIATION * spread(next), 0), 1);
      return new Cell(own, ohms, wireResistance[index] ?? Math.round(50 + 60 * next()), start);
    });
    this.temperatures = temperatures;
    this.ambient = temperatures.battery.reduce((sum, one) => sum + one, 0) / temperatures.battery.length;
    this.#capacity = capacity;
    this.#profile = options.profile ?? dayProfile(seed, timeOfDay);
  }

  /** Amperes that flow, + charging. Setting it overrides the day's profile from then on (undefined: back to the profile). */
  get current(): number {
    const wanted = this.demand;
    return (wanted > 0 ? this.chargePath : this.dischargePath) ? wanted : 0;
  }

  set current(amperes: number | undefined) {
    this.#override = amperes;
  }

  /** Amperes that charger and loads would have flow if the BMS lets them. */
  get demand(): number {
    if (this.#override !== undefined) return this.#override;
    const { charge, discharge } = this.#profile(this.time);
    if (charge === 0) return -discharge * this.#capacity;
    return (
      Math.min(charge * this.#capacity, this.#chargerLimit() + discharge * this.#capacity) - discharge * this.#capacity
    );
  }

  /** Volts across the pack. */
  get voltage(): number {
    const { current } = this;
    return this.cells.reduce((sum, cell) => sum + cell.voltage(current), 0);
  }

  /** Moves charge from one cell to another, as an active balancer does. */
  balance(from: Cell, to: Cell, ampereHours: number): void {
    const moved = Math.min(ampereHours, from.charge);
    from.add(-moved);
    to.add(moved);
  }

  /** Lets `seconds` pass (at most a few, for the temperatures' sake). */
  step(seconds: number): void {
    const { current, temperatures } = this;
    const ampereHours = (current * seconds) / 3600;
    for (const cell of this.cells) cell.add(ampereHours);
    if (current > 0) this.charged += ampereHours;
    else this.discharged -= ampereHours;
    const warm = (now: number, { seconds: slowness, perSquareAmpere }: typeof MOS_HEAT): number => {
      const final = this.ambient + perSquareAmpere * current * current;
      return now + (final - now) * Math.min(1, seconds / slowness);
    };
    temperatures.mos = warm(temperatures.mos, MOS_HEAT);
    temperatures.battery.forEach((now, index) => {
      temperatures.battery[index] = warm(now, BATTERY_HEAT);
    });
    this.time += seconds;
  }

  /** A constant-voltage charger: the current that brings the pack to its limit. */
  #chargerLimit(): number {
    let volts = 0;
    let ohms = 0;
    for (const cell of this.cells) {
      volts += this.chargeVoltage - openCircuitVoltage(cell.soc);
      ohms += cell.resistance;
    }
    return ohms ? Math.max(0, volts / ohms) : 0;
  }
}

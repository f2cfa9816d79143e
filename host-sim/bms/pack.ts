import { dayProfile, type Profile } from "./profile";
import { random, spread } from "./random";

/** Open-circuit voltage of a LiFePO4 cell at 25 °C, volts by state of charge; steep at both ends. */
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
/** Internal resistance of a 280 Ah cell including its share of the bus bars, ohm; higher for smaller cells. */
const RESISTANCE = 0.00035;
const REFERENCE_CAPACITY = 280;

/** Thermal time constant in seconds, and final temperature rise in degrees per ampere squared. */
const BATTERY_HEAT = { seconds: 3600, perSquareAmpere: 0.0002 };
const MOS_HEAT = { seconds: 300, perSquareAmpere: 0.0012 };

export interface PackOptions {
  cells: number;
  seed: number;
  /** Initial state of charge, 0 to 1. */
  soc: number;
  /** Capacity when new, Ah. */
  capacity: number;
  /** Initial temperatures, °C; battery: the five probes. */
  temperatures: { mos: number; battery: number[] };
  /** Initial time of day, seconds since midnight. */
  timeOfDay: number;
  /** Measured balance-lead resistance of each cell, milliohm. */
  wireResistance: number[];
  /** Daily profile of charge and discharge, as fractions of the capacity. */
  profile?: Profile;
}

export class Cell {
  /** Ah; settable by tests. */
  charge: number;

  constructor(
    /** Ah. */
    readonly capacity: number,
    /** Ohm. */
    readonly resistance: number,
    /** Balance lead, milliohm. */
    public wireResistance: number,
    soc: number,
  ) {
    this.charge = soc * capacity;
  }

  /** 0 to 1.02; settable by tests. */
  get soc(): number {
    return this.charge / this.capacity;
  }

  set soc(soc: number) {
    this.add(soc * this.capacity - this.charge);
  }

  /** Terminal voltage at `current` amperes into the cell. */
  voltage(current: number): number {
    return Math.max(0, openCircuitVoltage(this.soc) + current * this.resistance);
  }

  /** Adds ampere-hours, within the cell's limits. */
  add(charge: number): void {
    this.charge = Math.min(Math.max(this.charge + charge, 0), this.capacity * FULLEST);
  }
}

/**
 * The curve sampled at every thousandth, which includes all its points: a look-up table, since it is read very often.
 */
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

/** Open-circuit voltage, clamped at the ends of the curve. */
export function openCircuitVoltage(soc: number): number {
  const at = Math.min(Math.max(soc * GRID, 0), CURVE.length - 1);
  const below = Math.floor(at);
  const volts = CURVE[below] as number;
  return volts + ((CURVE[below + 1] ?? volts) - volts) * (at - below);
}

/** The battery itself: cells, temperatures, and the current permitted by charger, loads and the BMS's two switches. */
export class Pack {
  /** The connected cells; tests may remove or drain one. */
  readonly cells: Cell[];
  /** °C; tests may set them, after which they drift back to ambient. */
  readonly temperatures: { mos: number; battery: number[] };
  /** Ambient temperature, °C. */
  ambient: number;
  /** Connected probes as bits: 0 MOS, 1 to 5 battery. */
  sensors = 0xff;
  /** Outputs of the BMS: whether charge and discharge current may flow. */
  chargePath = false;
  dischargePath = false;
  /** The charger's voltage limit, V per cell, at which the profile's charger tapers. */
  chargeVoltage = 3.45;
  /** Ampere-hours charged and discharged since the start. */
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

  /**
   * Current in amperes, positive when charging. Setting it overrides the daily profile; undefined restores the profile.
   */
  get current(): number {
    const wanted = this.demand;
    return (wanted > 0 ? this.chargePath : this.dischargePath) ? wanted : 0;
  }

  set current(amperes: number | undefined) {
    this.#override = amperes;
  }

  /** Current in amperes that charger and loads would draw if the BMS permits. */
  get demand(): number {
    if (this.#override !== undefined) return this.#override;
    const { charge, discharge } = this.#profile(this.time);
    if (charge === 0) return -discharge * this.#capacity;
    return (
      Math.min(charge * this.#capacity, this.#chargerLimit() + discharge * this.#capacity) - discharge * this.#capacity
    );
  }

  /** Pack voltage, V. */
  get voltage(): number {
    const { current } = this;
    return this.cells.reduce((sum, cell) => sum + cell.voltage(current), 0);
  }

  /** Moves charge between cells, as an active balancer does. */
  balance(from: Cell, to: Cell, ampereHours: number): void {
    const moved = Math.min(ampereHours, from.charge);
    from.add(-moved);
    to.add(moved);
  }

  /** Advances by `seconds` (a few at most, for accurate temperatures). */
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

  /** Constant-voltage charger: the current that brings the pack to its voltage limit. */
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

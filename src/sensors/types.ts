export interface SensorPins {
  readonly temperature: number;
  readonly voltages: readonly number[];
  readonly inputs: readonly number[];
}

/** The board's own inputs, scaled. Undefined: not measured yet, or the sensor is faulty or absent. */
export interface Sensors {
  /** Tenths of a degree Celsius. */
  readonly temperature: number | undefined;
  /** Millivolts, channel 0 to 2. */
  voltage(channel: number): number | undefined;
  /** 1 if the input is active; channel 0 or 1. */
  input(channel: number): 0 | 1;
}

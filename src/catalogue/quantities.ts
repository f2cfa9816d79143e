/** Kinds of values, shared by the rows: an object in flash takes 16 bytes per member. */

export type Kind = "number" | "integer" | "boolean" | "text";
/** Home Assistant's sensor device class; empty: none. */
export type DeviceClass = "" | "battery" | "voltage" | "current" | "power" | "temperature" | "duration";
/** Home Assistant's state class: momentary value, monotonic counter, or none. */
export type StateClass = "" | "measurement" | "total_increasing";

export interface Quantity {
  readonly kind: Kind;
  /** Published decimals of a number: its value is an integer in units of 10 ** -decimals of `unit`. */
  readonly decimals: number;
  readonly unit: string;
  readonly deviceClass: DeviceClass;
  readonly stateClass: StateClass;
  /**
   * In the same units. Interfaces that publish on change repeat a number only once it differs from the last published
   * value by at least this much, or is 0.
   */
  readonly deadBand: number;
}

const quantity = (
  kind: Kind,
  decimals = 0,
  unit = "",
  deviceClass: DeviceClass = "",
  stateClass: StateClass = "",
  deadBand = 1,
): Quantity => Object.freeze({ kind, decimals, unit, deviceClass, stateClass, deadBand }, true);

export const SWITCH = quantity("boolean");
export const TEXT = quantity("text");
/** An identifier, such as a cell number. */
export const CODE = quantity("integer");
export const COUNT = quantity("integer", 0, "", "", "measurement");
export const TOTAL = quantity("integer", 0, "", "", "total_increasing");
export const SECONDS = quantity("integer", 0, "s", "duration", "measurement", 60);
export const TOTAL_SECONDS = quantity("integer", 0, "s", "duration", "total_increasing", 600);
export const CHARGE = quantity("number", 0, "%", "battery", "measurement");
export const PERCENT = quantity("number", 0, "%", "", "measurement");
export const AMPERE_HOURS = quantity("number", 3, "Ah", "", "measurement", 100);
export const TOTAL_AMPERE_HOURS = quantity("number", 3, "Ah", "", "total_increasing", 100);
export const VOLTS = quantity("number", 3, "V", "voltage", "measurement", 50);
export const CELL_VOLTS = quantity("number", 3, "V", "voltage", "measurement", 3);
export const AMPERES = quantity("number", 3, "A", "current", "measurement", 100);
export const WATTS = quantity("number", 2, "W", "power", "measurement", 500);
export const DEGREES = quantity("number", 1, "°C", "temperature", "measurement", 3);
/** Of a probe that few packs have: where it is absent documents leave its member out, as they did before it was known. */
export const FURTHER_DEGREES = quantity("number", 1, "°C", "temperature", "measurement", 3);

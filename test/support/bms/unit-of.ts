import * as FIELDS from "jk-bms/fields";
import type { Field } from "jk-bms/fields";

/** Of a number's value by its scale (modules/jk-bms/fields.ts). */
const UNITS = new Map([
  [FIELDS.MILLIVOLTS, "V"],
  [FIELDS.MILLIAMPERES, "A"],
  [FIELDS.MILLIAMPERE_HOURS, "Ah"],
  [FIELDS.MILLIWATTS, "W"],
  [FIELDS.TENTHS_OF_DEGREE, "°C"],
  [FIELDS.SECONDS, "s"],
  [FIELDS.HOURS, "h"],
  [FIELDS.MICROSECONDS, "µs"],
  [FIELDS.DEGREES, "°C"],
  [FIELDS.TENTHS_OF_SECOND, "s"],
  [FIELDS.CELLS, "cells"],
  [FIELDS.PERCENT, "%"],
]);
const SCALE = 15 << 19;

/** Empty for a text, and a number without a scale. */
export const unitOf = (field: Field): string =>
  FIELDS.getterOf(field) === undefined ? "" : (UNITS.get(field & SCALE) ?? "");

/** Protections in their order, as a ladder: which belong together, and where each stands on the common scale. */
import { batteryProbes } from "./probes";
import type { Config, Status } from "./documents";
import { usualCellVoltages } from "./protection";
import { PARAMETERS, type ParameterName, type ParameterRow } from "./tables";

export type LadderName = "cells" | "charge" | "discharge" | "mosfet";

/** From top to bottom, while the values are unknown or equal. */
export const LADDERS: Readonly<Record<LadderName, readonly ParameterName[]>> = {
  cells: [
    "cell_ovp_voltage",
    "cell_ovpr_voltage",
    "cell_rcv_voltage",
    "cell_uvpr_voltage",
    "cell_uvp_voltage",
    "power_off_voltage",
  ],
  charge: ["charge_otp", "charge_otpr", "charge_utpr", "charge_utp"],
  discharge: ["discharge_otp", "discharge_otpr"],
  mosfet: ["mos_otp", "mos_otpr"],
};

/** From lowest to highest. */
export type Span = readonly [low: number, high: number];

/** A protection, or where the pack is today. */
export interface Rung {
  readonly row?: ParameterRow;
  /** Undefined: unknown. */
  readonly span?: Span;
}

const rowOf = (name: ParameterName): ParameterRow => PARAMETERS.find((row) => row.name === name) as ParameterRow;

/** The rungs from the highest to the lowest, today's values between them. */
export function rungs(name: LadderName, config: Config | undefined, today: Span | undefined): Rung[] {
  const all: Rung[] = LADDERS[name].map((parameter) => {
    const row = rowOf(parameter);
    const value = config?.[row.object][row.member];
    return typeof value === "number" ? { row, span: [value, value] } : { row };
  });
  if (all.some(({ span }) => !span)) return all;
  if (today) all.push({ span: today });
  const middle = ({ span: [low, high] = [0, 0] }: Rung): number => (low + high) / 2;
  return all.sort((one, other) => middle(other) - middle(one));
}

/** What stands beside the ladder: today's cells or probes; undefined while unknown. */
export function todayOf(name: LadderName, { cellsSummary, temperatures }: Status): Span | undefined {
  const { minVoltage, maxVoltage } = cellsSummary;
  if (name === "cells") return minVoltage === null || maxVoltage === null ? undefined : [minVoltage, maxVoltage];
  const probes = name === "mosfet" ? [temperatures.mosfet] : batteryProbes({ temperatures });
  const known = probes.filter((value) => value !== null);
  return known.length ? [Math.min(...known), Math.max(...known)] : undefined;
}

/** What the chemistry allows; undefined: unknown, or no matter of it. Cells but those of LTO are not charged below 0 °C. */
export function allowedOf(name: LadderName, batteryType: string | null | undefined): Span | undefined {
  if (name === "cells") return usualCellVoltages(batteryType);
  return name === "charge" && batteryType && batteryType !== "LTO" ? [0, Infinity] : undefined;
}

export interface Drawing {
  /** Height of each rung on the scale, from 0 (top) to 1 (bottom), by rung. */
  readonly marks: readonly Span[];
  readonly allowed: Span | undefined;
}

/** Places on a common scale, on which the highest rung is at the top and the lowest at the bottom; undefined: a value is unknown. */
export function drawing(all: readonly Rung[], allowed: Span | undefined): Drawing | undefined {
  const spans = all.flatMap(({ span }) => (span ? [span] : []));
  if (spans.length < all.length) return undefined;
  const low = Math.min(...spans.map(([one]) => one));
  const high = Math.max(...spans.map(([, one]) => one));
  const height = high - low || 1;
  const place = (value: number): number => Math.min(1, Math.max(0, (high - value) / height));
  const placed = ([from, to]: Span): Span => [place(to), place(from)];
  return { marks: spans.map(placed), allowed: allowed && placed(allowed) };
}

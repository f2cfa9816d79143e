import type { Drawing } from "./drawing.mjs";

export const PINS: readonly (readonly [pin: number, wire: string, signal: string])[];
export const WIRES: readonly string[];
export function drawCable(drawing: Drawing, at: readonly number[], top: number, bottom: number): void;

import type { Slot } from "./slots.mjs";
export function arrange(slots: Slot[], kept: Set<number>, colours: number[]): number[];

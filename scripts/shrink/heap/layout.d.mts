import type { Slot } from "./slots.mjs";
export function arrange(slots: Slot[], kept: Set<number>, colours: number[]): number[];
export function checkLookups(slots: Slot[], colours: number[]): void;

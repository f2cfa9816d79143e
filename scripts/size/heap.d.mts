export interface Slot {
  readonly next: number;
  readonly id: string;
  readonly kind: string;
  readonly value: string;
}
export interface Found {
  readonly count: number;
  readonly slots: number;
}
/** A slot of XS's heap, bytes. */
export const SLOT_BYTES: 16;
export function readHeap(source: string): Slot[];
export function causes(heap: readonly Slot[]): Map<string, Found>;
export function partsOf(source: string): { slots: number; causes: Map<string, Found>; bytes: Record<string, number> };

/** A slot of the preloaded heap. */
export interface Slot {
  /** Its C code, with `@` in place of the index of each slot that it refers to. */
  text: string;
  /** These indexes; the first is the next slot's if `hasNext`. */
  references: number[];
  hasNext: boolean;
  /** 0: none. */
  id: number;
  flag: number;
  /** Without `XS_` and `_KIND`. */
  kind: string;
}

export interface File {
  slots: Slot[];
  /** The rest of the file, with its references. */
  before: string;
  after: string;
}

/** Throws for a file that is not as xsl writes it. */
export function readSlots(source: string): File;
/** `place`: the new index of a slot by its old one. */
export function writeSlots(file: File, place: number[]): string;
export function isProperty(slot: Slot): boolean;
/** 0: none. */
export function nextOf(slot: Slot): number;

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
/** The tables whose entries move, with the new number by the old one; without: gone. */
export interface Moved {
  gxHeap: (number | undefined)[];
  gxBuilders: (number | undefined)[];
}
/** The numbers of a table's entries that a text refers to. */
export function numbersIn(text: string, table: keyof Moved): number[];
/** Throws if something refers to an entry that is gone. */
export function writeSlots(file: File, moved: Moved): string;
export function isProperty(slot: Slot): boolean;
/** 0: none. */
export function nextOf(slot: Slot): number;

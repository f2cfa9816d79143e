import { closeSync, copyFileSync, openSync, readSync, renameSync, writeSync } from "node:fs";

/** Bytes and slots that a start from an image has beside the image's own. */
const ROOM_BYTES = 2 * 1024 * 1024;
const ROOM_SLOTS = 64 * 1024;

/** Bytes per slot in the worker, a 64-bit program. */
export const SLOT_BYTES = 32;
/** A snapshot consists of nested atoms: total length (u32, big-endian), four letters, content. */
const ATOM_HEADER = 8;
/** Of the atom CREA, the parameters of the engine (txCreation): where those are that are changed. */
const INITIAL_CHUNK_SIZE = 0;
const INCREMENTAL_CHUNK_SIZE = 4;
const INITIAL_HEAP_COUNT = 8;
const INCREMENTAL_HEAP_COUNT = 12;

/** A part of a snapshot's file, in bytes: its content. */
interface Atom {
  readonly at: number;
  readonly size: number;
}

/** The parts of a snapshot of XS 13.3, by name. Reads their headers only: the file is large. Throws an Error if it is no such snapshot. */
export function atomsOf(snapshot: string): Record<"CREA" | "BLOC" | "HEAP", Atom> {
  const atoms: Record<string, Atom> = {};
  const header = Buffer.alloc(ATOM_HEADER);
  const file = openSync(snapshot, "r");
  // The first encloses all others.
  for (let at = ATOM_HEADER; readSync(file, header, 0, ATOM_HEADER, at) === ATOM_HEADER;) {
    const size = header.readUInt32BE(0);
    if (size < ATOM_HEADER) break;
    atoms[header.toString("latin1", 4)] = { at: at + ATOM_HEADER, size: size - ATOM_HEADER };
    at += size;
  }
  closeSync(file);
  const { CREA, BLOC, HEAP } = atoms;
  if (!CREA || !BLOC || !HEAP) throw new Error(`not a snapshot of XS: ${snapshot}`);
  return { CREA, BLOC, HEAP };
}

/**
 * Moves a snapshot to `image`, for which less memory is set aside. The engine clears at each start all that the one before had: 40 MB,
 * which takes longer than everything else. More is added as it is needed. Throws an Error if it is no snapshot.
 */
export function trimSnapshot(snapshot: string, image: string): void {
  setCreation(snapshot, ({ chunks, slots }) => [
    [INITIAL_CHUNK_SIZE, chunks + ROOM_BYTES],
    [INITIAL_HEAP_COUNT, slots + ROOM_SLOTS],
  ]);
  renameSync(snapshot, image);
}

/** XS's memory, as a board's manifest gives it. */
export interface XsMemory {
  readonly slots: number;
  /** Bytes of chunks. */
  readonly chunks: number;
  /** Bytes and slots by which they may grow; 0 or undefined: the sizes are fixed. */
  readonly moreChunks?: number;
  readonly moreSlots?: number;
}

/** Copies an image for which just this is set aside beside the image's own, as on a device, where the latter is in flash. */
export function boundImage(image: string, bound: string, memory: XsMemory): void {
  copyFileSync(image, bound);
  setCreation(bound, ({ chunks, slots }) => [
    [INITIAL_CHUNK_SIZE, chunks + memory.chunks],
    [INCREMENTAL_CHUNK_SIZE, memory.moreChunks ?? 0],
    [INITIAL_HEAP_COUNT, slots + memory.slots],
    [INCREMENTAL_HEAP_COUNT, memory.moreSlots ?? 0],
  ]);
}

/** Sets parameters of the engine, which depend on what the snapshot itself takes. */
function setCreation(
  snapshot: string,
  parameters: (own: { readonly chunks: number; readonly slots: number }) => (readonly [at: number, value: number])[],
): void {
  const { CREA, BLOC, HEAP } = atomsOf(snapshot);
  const file = openSync(snapshot, "r+");
  for (const [at, value] of parameters({ chunks: BLOC.size, slots: HEAP.size / SLOT_BYTES })) {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    writeSync(file, bytes, 0, bytes.length, CREA.at + at);
  }
  closeSync(file);
}

import { closeSync, openSync, readSync, renameSync, writeSync } from "node:fs";

/** Bytes and slots that a start from an image has beside the image's own. */
const ROOM_BYTES = 2 * 1024 * 1024;
const ROOM_SLOTS = 64 * 1024;

/** Bytes per slot in the worker, a 64-bit program. */
export const SLOT_BYTES = 32;
/** A snapshot consists of nested atoms: total length (u32, big-endian), four letters, content. */
const ATOM_HEADER = 8;
/** Of the atom CREA, the parameters of the engine (txCreation): where those are that are changed. */
const INITIAL_CHUNK_SIZE = 0;
const INITIAL_HEAP_COUNT = 8;

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
  const { CREA, BLOC, HEAP } = atomsOf(snapshot);
  const file = openSync(snapshot, "r+");
  const set = (parameter: number, value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    writeSync(file, bytes, 0, bytes.length, CREA.at + parameter);
  };
  set(INITIAL_CHUNK_SIZE, BLOC.size + ROOM_BYTES);
  set(INITIAL_HEAP_COUNT, HEAP.size / SLOT_BYTES + ROOM_SLOTS);
  closeSync(file);
  renameSync(snapshot, image);
}

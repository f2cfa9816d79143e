/** Where a run of the tests keeps its temporary files. */
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** Linux: a file system in memory. */
const SHARED_MEMORY = "/dev/shm";
/** Room for temporary files, bytes: a whole run had up to 92 MB at a time. */
const ROOM = 256 * 1024 * 1024;
/** The tests' programs use memory, too: so much of it must be left, bytes. */
const MEMORY_LEFT = 1024 * 1024 * 1024;

/** A run's folder: its process, then what mkdtemp adds. */
const OF_A_RUN = /^bms-test-(\d+)-/;
const PREFIX = `bms-test-${process.pid}-`;

/** Programs that were compiled in `folder` can be run there: containers often mount shared memory as noexec. */
function isExecutable(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "", { mode: 0o700 });
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}

/** Folders of runs that were killed would take memory until the next start of the machine. Those of other users stay. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const run = OF_A_RUN.exec(name)?.[1];
    if (run === undefined || existsSync(`/proc/${run}`)) continue;
    const folder = join(parent, name);
    if (statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true });
  }
}

/** A new folder in `parent`, if that has `room` bytes and programs can run there. */
function scratchIn(parent: string, room: number): string | undefined {
  try {
    removeLeftovers(parent);
    const { bavail, bsize } = statfsSync(parent);
    if (Math.min(bavail * bsize, freemem() - MEMORY_LEFT) < room) return undefined;
    const folder = mkdtempSync(join(parent, PREFIX));
    if (isExecutable(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // Not Linux, or not writable.
  }
  return undefined;
}

/**
 * A new folder, in memory if possible: the tests write thousands of small files, and a disk's file system costs a tenth of the run's
 * processor time. TMPDIR, if set, is where the user wants it.
 */
export function newScratch(memory = SHARED_MEMORY, room = ROOM): string {
  const fast = process.env["TMPDIR"] === undefined ? scratchIn(memory, room) : undefined;
  return fast ?? mkdtempSync(join(tmpdir(), PREFIX));
}

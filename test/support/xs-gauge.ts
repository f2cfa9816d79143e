import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { XsMachine } from "../../host-sim/xs/machine";

/** What is alive on XS. A slot takes 16 bytes on the ESP32; chunks are counted with their headers, which are larger here than there. */
export interface Memory {
  readonly slots: number;
  /** Bytes. */
  readonly chunks: number;
}

/** Bytes of a slot of the worker, a 64-bit program. */
const SLOT_BYTES = 32;
/** A snapshot is atoms in an atom: length (u32, big-endian, of all of it) and four letters, then the content. */
const ATOM_HEADER = 8;

/** What was alive when the snapshot was taken, which is after a collection. */
function memoryIn(snapshot: Buffer): Memory {
  const sizes: Record<string, number> = {};
  for (let at = ATOM_HEADER; at < snapshot.length;) {
    const length = snapshot.readUInt32BE(at);
    sizes[snapshot.toString("latin1", at + 4, at + ATOM_HEADER)] = length - ATOM_HEADER;
    at += length;
  }
  const { HEAP, BLOC } = sizes;
  if (HEAP === undefined || BLOC === undefined) throw new Error("no snapshot of XS");
  return { slots: HEAP / SLOT_BYTES, chunks: BLOC };
}

const larger = (a: Memory, b: Memory): Memory => ({
  slots: Math.max(a.slots, b.slots),
  chunks: Math.max(a.chunks, b.chunks),
});

/**
 * The memory and the work of the firmware on XS. Memory is told as the growth since the gauge was made: made once the program is loaded
 * and before its main runs, that is what the device needs of RAM, for there code, classes and tables are in flash.
 */
export class Gauge {
  readonly #machine: XsMachine;
  readonly #folder = mkdtempSync(join(tmpdir(), "xs-"));
  readonly #deliver: (message: Uint8Array) => Buffer;
  readonly #before: Memory;
  /** Meter units of the firmware, the simulator's own work left out. */
  units = 0;
  /** Callbacks delivered. */
  deliveries = 0;
  #every = 0;
  #peak: Memory = { slots: 0, chunks: 0 };

  constructor(machine: XsMachine) {
    this.#machine = machine;
    const { worker } = machine;
    this.#deliver = worker.deliver.bind(worker);
    this.#before = this.#alive();
    worker.deliver = (message) => this.#delivered(message);
  }

  /** What is alive now. */
  get memory(): Memory {
    // The pipe's one buffer is as long as the last call was; this one is short.
    this.#machine.ask("port");
    const { slots, chunks } = this.#alive();
    return { slots: slots - this.#before.slots, chunks: chunks - this.#before.chunks };
  }

  /** Leaves nothing but what is alive. */
  collect(): void {
    this.#alive();
  }

  /** Looks at every so many callbacks from now on; 0: at none. */
  watch(every: number): void {
    this.#every = every;
    this.#peak = { slots: 0, chunks: 0 };
  }

  /** The most that was alive before or after a callback that was looked at. */
  get peak(): Memory {
    return this.#peak;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #delivered(message: Uint8Array): Buffer {
    const { worker } = this.#machine;
    const looks = this.#every > 0 && this.deliveries++ % this.#every === 0;
    // The machine has one buffer for all messages, and looking takes one.
    const own = looks ? Uint8Array.from(message) : message;
    if (looks) this.#look();
    const reply = this.#deliver(own);
    this.units += worker.figures.compute;
    if (looks) this.#look();
    return reply;
  }

  #look(): void {
    const { worker } = this.#machine;
    worker.deliver = this.#deliver;
    try {
      this.#peak = larger(this.#peak, this.memory);
    } finally {
      worker.deliver = (message) => this.#delivered(message);
    }
  }

  #alive(): Memory {
    const file = join(this.#folder, "heap");
    this.#machine.worker.snapshot(file);
    return memoryIn(readFileSync(file));
  }
}

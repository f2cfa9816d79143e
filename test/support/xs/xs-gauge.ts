import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomsOf, SLOT_BYTES } from "../../../host-sim/xs/image";
import type { XsMachine } from "../../../host-sim/xs/machine";

/** Live memory on XS. A slot takes 16 bytes on the ESP32; chunks include their headers, which are larger here than on the ESP32. */
export interface Memory {
  readonly slots: number;
  /** Bytes. */
  readonly chunks: number;
}

/** Live memory in the snapshot, which is taken after a collection. */
function memoryIn(snapshot: string): Memory {
  const { HEAP, BLOC } = atomsOf(snapshot);
  return { slots: HEAP.size / SLOT_BYTES, chunks: BLOC.size };
}

const larger = (a: Memory, b: Memory): Memory => ({
  slots: Math.max(a.slots, b.slots),
  chunks: Math.max(a.chunks, b.chunks),
});

/**
 * Measures memory and work of the firmware on XS. Memory is the growth since the gauge was created: if created after loading and before
 * main runs, that is the RAM needed on the device, where code, classes and tables are in flash.
 */
export class Gauge {
  readonly #machine: XsMachine;
  readonly #folder = mkdtempSync(join(tmpdir(), "xs-"));
  readonly #deliver: (message: Uint8Array) => Buffer;
  readonly #before: Memory;
  /** Meter units of the firmware, without the simulator's own work. */
  units = 0;
  /** Callbacks delivered. */
  deliveries = 0;
  #every = 0;
  #peak: Memory = { slots: 0, chunks: 0 };

  constructor(machine: XsMachine) {
    this.#machine = machine;
    const { worker } = machine;
    this.#deliver = worker.deliver.bind(worker);
    machine.timers.together = false;
    this.#before = this.#alive();
    worker.deliver = (message) => this.#delivered(message);
  }

  /** Live memory now. */
  get memory(): Memory {
    // The pipe's buffer is as long as the last call: make a short one first.
    this.#machine.ask("port");
    const { slots, chunks } = this.#alive();
    return { slots: slots - this.#before.slots, chunks: chunks - this.#before.chunks };
  }

  /** Collects garbage. */
  collect(): void {
    this.#alive();
  }

  /** Samples memory around every `every`-th callback from now on; 0: never. */
  watch(every: number): void {
    this.#every = every;
    this.#peak = { slots: 0, chunks: 0 };
  }

  /** Peak of live memory before or after a sampled callback. */
  get peak(): Memory {
    return this.#peak;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #delivered(message: Uint8Array): Buffer {
    const { worker } = this.#machine;
    const looks = this.#every > 0 && this.deliveries++ % this.#every === 0;
    // The machine has one buffer for all messages, and sampling uses it.
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
    return memoryIn(file);
  }
}

import Instrumentation from "instrumentation";

/**
 * What the machine tells of its memory, bytes. The Moddable SDK counts it in instrumented builds alone (mcconfig -i, mcconfig -d): in a
 * release build everything here is undefined.
 */
export class FirmwareMemory {
  readonly #slots = Instrumentation.map("XS Slot Heap Used");
  readonly #chunks = Instrumentation.map("XS Chunk Heap Used");
  readonly #free = Instrumentation.map("System Free Memory");
  readonly #collections = Instrumentation.map("XS Garbage Collection Count");

  /** In use for slots, garbage included. */
  get slots(): number | undefined {
    return valueOf(this.#slots);
  }

  /** In use for chunks, garbage included. */
  get chunks(): number | undefined {
    return valueOf(this.#chunks);
  }

  /** Free of what the operating system has, which the machine's own memory has been taken from. */
  get free(): number | undefined {
    return valueOf(this.#free);
  }

  /** Garbage collections since the start. */
  get collections(): number | undefined {
    return valueOf(this.#collections);
  }
}

const valueOf = (index: number | undefined): number | undefined =>
  index === undefined ? undefined : Instrumentation.get(index);

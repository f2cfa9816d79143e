import Instrumentation from "instrumentation";

/**
 * What the machine tells of its memory, bytes. The Moddable SDK counts it in instrumented builds alone (mcconfig -i, mcconfig -d): in a
 * release build everything here is undefined.
 */
export interface FirmwareMemory {
  /** In use for slots, garbage included. */
  readonly slots: number | undefined;
  /** In use for chunks, garbage included. */
  readonly chunks: number | undefined;
  /** Free of what the operating system has, which the machine's own memory has been taken from. */
  readonly free: number | undefined;
  /** Garbage collections since the start. */
  readonly collections: number | undefined;
}

export const firmwareMemory: FirmwareMemory = Object.freeze(
  {
    get slots(): number | undefined {
      return counted("XS Slot Heap Used");
    },
    get chunks(): number | undefined {
      return counted("XS Chunk Heap Used");
    },
    get free(): number | undefined {
      return counted("System Free Memory");
    },
    get collections(): number | undefined {
      return counted("XS Garbage Collection Count");
    },
  },
  true,
);

function counted(name: Parameters<typeof Instrumentation.map>[0]): number | undefined {
  const index = Instrumentation.map(name);
  return index === undefined ? undefined : Instrumentation.get(index);
}

import { heap } from "application";
import Instrumentation from "instrumentation";

/**
 * What is told of the memory, bytes: the system's heap always, on the chip; the machine's own is counted by the Moddable SDK in
 * instrumented builds alone (mcconfig -i, mcconfig -d) and undefined in a release build.
 */
export interface FirmwareMemory {
  /** In use for slots, garbage included. */
  readonly slots: number | undefined;
  /** In use for chunks, garbage included. */
  readonly chunks: number | undefined;
  /** Free of what the operating system has, which the machine's own memory has been taken from: now, at the worst moment since the start … */
  readonly free: number | undefined;
  readonly leastFree: number | undefined;
  /** … and in one piece. */
  readonly largestBlock: number | undefined;
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
      return heap(0);
    },
    get leastFree(): number | undefined {
      return heap(1);
    },
    get largestBlock(): number | undefined {
      return heap(2);
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

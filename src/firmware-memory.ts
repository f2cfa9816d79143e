import { heap } from "application";
import Instrumentation from "instrumentation";

/**
 * Memory figures, bytes. The system heap is always available on the chip; those of the XS machine are counted only in instrumented builds
 * of the Moddable SDK (mcconfig -i, mcconfig -d), and undefined in a release build.
 */
export interface FirmwareMemory {
  /** Used by slots, garbage included. */
  readonly slots: number | undefined;
  /** Used by chunks, garbage included. */
  readonly chunks: number | undefined;
  /** Free heap of the operating system, from which the XS machine's memory is also allocated: now, the minimum since the start … */
  readonly free: number | undefined;
  readonly leastFree: number | undefined;
  /** … and the largest free block. */
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

import { heap } from "application";
import Instrumentation from "instrumentation";
import type { MemoryFigures } from "./health/types";

/** Read from the system heap and from the SDK's instrumentation of XS. */
export const firmwareMemory: MemoryFigures = Object.freeze(
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

/** Orders of the tests' program on its flash: the SDK's class itself, and the rings in it. */
import Flash from "embedded:storage/flash";
import { Cursor } from "flash-log/cursor";
import { FINE, PARTITION, RINGS } from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";

type Step = readonly ["write" | "read" | "eraseBlock", number | readonly number[], number?];

const open = (): ReturnType<typeof Flash.open> => Flash.open({ path: PARTITION });
const reason = (error: unknown): string => (error as Error).message;

export function flashStatus(): unknown {
  try {
    const { size, blockLength, blocks } = open().status();
    return { size, blockLength, blocks };
  } catch (error) {
    return reason(error);
  }
}

/** Of each step what was read, null, or the error. */
export function flashSteps(steps: readonly Step[]): unknown[] {
  const flash = open();
  return steps.map(([call, what, at]) => {
    try {
      if (call === "read") {
        const bytes = new Uint8Array(what as number);
        flash.read(bytes, at as number);
        return Array.from(bytes);
      }
      if (call === "write") flash.write(Uint8Array.from(what as number[]), at as number);
      else if (at === undefined) flash.eraseBlock(what as number);
      else flash.eraseBlock(what as number, at);
      return null;
    } catch (error) {
      return reason(error);
    }
  });
}

function kept(store: RecordStore): { kept: number; first: number | null; last: number | null } {
  const cursor = new Cursor(store.rings[FINE]!);
  let count = 0;
  let first: number | null = null;
  let last: number | null = null;
  while (cursor.next()) {
    count++;
    last = cursor.time ?? null;
    first ??= last;
  }
  return { kept: count, first, last };
}

/** Appends records whose times go on counting. */
export function recordFine(count: number): unknown {
  const store = new RecordStore(open());
  const record = new Uint8Array(RINGS[FINE]!.record);
  let time = kept(store).last ?? 0;
  for (let index = 0; index < count; index++) {
    store.append(FINE, record.fill(index & 0xff), ++time, 0);
    while (store.work());
  }
  return kept(store);
}

export function forgetAll(): unknown {
  const store = new RecordStore(open());
  store.discard();
  while (store.work());
  return kept(store);
}

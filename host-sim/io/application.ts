import { SimulatedBoard } from "../board";

/** The 8 sectors of the partition "coredump" (boards/esp32/partitions.csv), ms: 45 ms each is typical of NOR flash. */
const CORE_DUMP_ERASE = 8 * 45;
/** The 8 sectors of "nvs", the 8 of its copy, and the note in "history". */
const STORE_ERASE = 17 * 45;

export function confirm(): void {
  SimulatedBoard.current.slots.confirm();
}

export function reject(): void {
  const board = SimulatedBoard.current;
  board.slots.reject();
  board.restart();
}

export const runningSlot = (): number => SimulatedBoard.current.slots.running;

export function restart(): void {
  SimulatedBoard.current.restart();
}

export const resetReason = (): number => SimulatedBoard.current.resetReason;

export const utc = (): number => Math.floor(SimulatedBoard.current.rtc);

export const crash = (): string => SimulatedBoard.current.crash;

/** Blocks the script for as long as the chip needs. */
export function forgetCrash(): void {
  const board = SimulatedBoard.current;
  board.crash = "";
  board.script.busyFor(CORE_DUMP_ERASE);
}

/** boards/esp32/store.c: a store that nothing opens is given up after its flash has been tried in every way. */
export function storeState(): 0 | 1 | 3 {
  const { refusals, storeAside } = SimulatedBoard.current;
  if (refusals.storage === "closed") return 3;
  return storeAside ? 1 : 0;
}

/** Blocks the script for as long as the chip needs. */
export function eraseStore(): boolean {
  const board = SimulatedBoard.current;
  board.script.busyFor(STORE_ERASE);
  if (board.refusals.storage) return false;
  board.storage.erase();
  return true;
}

/** The part of the retained memory that `bytes` covers. */
function part(bytes: Uint8Array, at: number): Uint8Array {
  const { kept } = SimulatedBoard.current;
  if (bytes.length !== bytes.buffer.byteLength) throw new RangeError("not a whole buffer");
  if (at < 0 || at + bytes.length > kept.length) throw new RangeError("beyond the end");
  return kept.subarray(at, at + bytes.length);
}

export const recall = (bytes: Uint8Array, at: number): void => bytes.set(part(bytes, at));

export const keep = (bytes: Uint8Array, at: number): void => part(bytes, at).set(bytes);

export const heap = (what: 0 | 1 | 2): number | undefined => SimulatedBoard.current.heap?.[what];

/** V8 has more memory than the device: it is full when a test says so. */
export const hasRoom = (_slots: number, _bytes: number): boolean => !SimulatedBoard.current.isFull;

export const release = (pin: number): void => void SimulatedBoard.current.released.add(pin);

/** No-op: `SimulatedBoard.abort` keeps it. */
export const watchAborts = (): void => undefined;

/** No-op: the firmware's traces already go to the console. */
export const openConsole = (): void => undefined;

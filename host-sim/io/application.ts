import { SimulatedBoard } from "../board";

export function confirm(): void {
  SimulatedBoard.current.slots.confirm();
}

export function reject(): void {
  const board = SimulatedBoard.current;
  board.slots.reject();
  board.restart();
}

export function restart(): void {
  SimulatedBoard.current.restart();
}

export const resetReason = (): number => SimulatedBoard.current.resetReason;

export function crash(): string {
  const board = SimulatedBoard.current;
  const { crash } = board;
  board.crash = "";
  return crash;
}

export const storeState = (): 0 | 1 => (SimulatedBoard.current.storeAside ? 1 : 0);

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

export const release = (pin: number): void => void SimulatedBoard.current.released.add(pin);

/** No-op: the firmware's traces already go to the console. */
export const openConsole = (): void => undefined;

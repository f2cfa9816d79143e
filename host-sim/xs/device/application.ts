import { BOARD } from "../protocol";
import { invoke, told, transfer, unmetered } from "./link";

export function confirm(): void {
  invoke(BOARD, "confirm");
}

export function reject(): void {
  invoke(BOARD, "reject");
}

export const runningSlot = (): number => invoke(BOARD, "runningSlot") as number;

export function restart(): void {
  invoke(BOARD, "restart");
}

export const resetReason = (): number => invoke(BOARD, "resetReason") as number;

export const utc = (): number => invoke(BOARD, "utc") as number;

export const crash = (): string => invoke(BOARD, "crash") as string;

export const forgetCrash = (): void => void invoke(BOARD, "forgetCrash");

export const storeState = (): 0 | 1 => invoke(BOARD, "storeState") as 0 | 1;

export const eraseStore = (): boolean => invoke(BOARD, "eraseStore") as boolean;

export const recall = (bytes: Uint8Array, at: number): void =>
  bytes.set(transfer(BOARD, ["recall", bytes.length, at])!);

export const keep = (bytes: Uint8Array, at: number): void => void transfer(BOARD, ["keep", at], bytes);

let heapFigures: readonly number[] | undefined;
/** The count of changes when they were read. */
let heapSince = -1;

export const heap = (what: 0 | 1 | 2): number | undefined =>
  unmetered(() => {
    if (heapSince !== told.heapChanges) {
      heapFigures = invoke(BOARD, "heap") as readonly number[] | undefined;
      heapSince = told.heapChanges;
    }
    return heapFigures?.[what];
  });

/** Not there in the program of test/native/firmware; an engine that was compiled before it had this answers with a number. */
const room = typeof currentMeterLimit === "function" ? currentMeterLimit : undefined;

export const hasRoom = (slots: number, bytes: number): boolean => room?.(slots, bytes) !== false;

export const release = (pin: number): void => void invoke(BOARD, "release", pin);

/** No-op: the simulated board keeps it. */
export const watchAborts = (): void => undefined;

/** No-op: the firmware's traces already go to the console. */
export const openConsole = (): void => undefined;

import { threw } from "door/enter";

/** As if a callback of the platform had thrown it. */
export const report = (error: unknown): void => threw("bms", error);

/** Calls `callback`; an exception is reported and does not stop the caller, which has other work to go on with. */
export function safely(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    report(error);
  }
}

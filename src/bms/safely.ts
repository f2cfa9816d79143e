export const report = (error: unknown): void => trace(`bms: ${String(error)}\n`);

/** Calls `callback`; an exception is logged and does not stop the caller, which has other work to go on with. */
export function safely(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    report(error);
  }
}

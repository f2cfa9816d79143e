/** Provided by the worker: sends a request, and `length` bytes of `bytes` behind it, to the simulator and waits for its reply. */
declare function issueCommand(
  request: ArrayBuffer,
  bytes?: ArrayBufferLike,
  from?: number,
  length?: number,
): ArrayBuffer;

/**
 * Provided by the worker: returns the metered units so far and continues counting from `count`; a limit of 0 means
 * none.
 */
declare function resetMeter(limit: number, count: number): number;

/** `hasRoom` of types/application.d.ts, by scripts/xs-engine.mjs. */
declare function currentMeterLimit(slots: number, bytes: number): unknown;

/** Called by the worker for each delivery. */
// eslint-disable-next-line no-var -- only var declares a property of the global object
declare var handleCommand: (message: ArrayBuffer) => ArrayBuffer;

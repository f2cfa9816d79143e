/** The worker's own: sends a request to the simulator and waits for its answer. */
declare function issueCommand(request: ArrayBuffer): ArrayBuffer;

/** The worker's own: answers the units of work metered so far and counts on from `count`; the limit is none with 0. */
declare function resetMeter(limit: number, count: number): number;

/** Called by the worker with each delivery. */
// eslint-disable-next-line no-var -- only var declares a property of the global object
declare var handleCommand: (message: ArrayBuffer) => ArrayBuffer;

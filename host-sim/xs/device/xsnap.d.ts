/** The worker's own: sends a request to the simulator and waits for its answer. */
declare function issueCommand(request: ArrayBuffer): ArrayBuffer;

/** Called by the worker with each delivery. */
// eslint-disable-next-line no-var -- only var declares a property of the global object
declare var handleCommand: (message: ArrayBuffer) => ArrayBuffer;

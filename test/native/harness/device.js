/** What the device's modules find there, on harness.c. */
globalThis.trace = (text) => say(JSON.stringify({ trace: String(text) }));

globalThis.Native = (destructor) =>
  function () {
    return Object.setPrototypeOf(hostObject(destructor), new.target.prototype);
  };

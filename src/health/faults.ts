/** What becomes of a part of which a callback has thrown: docs/architecture.md. */

/** What the device cannot be without. */
export const VITAL: readonly string[] = Object.freeze(["bms", "bus", "network", "supervisor", "trial"], true);

/** They go on: the relay in its fail-safe state, the server without the connection that threw. */
export const LASTING: readonly string[] = Object.freeze(["relay", "server"], true);

/** Members of the firmware that have another name than the part. */
export const MEMBERS: Readonly<Record<string, string>> = Object.freeze(
  {
    portal: "names",
    history: "flashHistory",
    monitoring: "sensors",
    time: "sntp",
    "http-client": "notify",
  },
  true,
);

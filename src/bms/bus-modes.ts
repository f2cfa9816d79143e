/** What the monitor does on the bus, as the interfaces name it: the second while it only listens to another master. */
export const BUS_MODES: readonly string[] = Object.freeze(["poll", "listen"], true);

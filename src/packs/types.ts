/** Why no search can begin: another master is on the bus, one is under way, or the port is not open; or why one has ended early. */
export type SearchProblem = "listening" | "searching" | "no-bus" | "interrupted";

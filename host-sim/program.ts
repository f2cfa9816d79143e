/** The simulator for a script that runs it in its own process. */
export { parseCommandLine } from "./command-line";
export { parts } from "./firmware";
export { run } from "./run";

/** Runs the simulator in the process of the calling script. */
export { parseCommandLine } from "./command-line";
export { parts } from "./firmware";
export { run } from "./run";

import { BOARD } from "../protocol";
import { invoke } from "./link";

const config: object = {};

/** Called once, before main: the program may have been loaded for another board. */
export function readConfig(): void {
  // Frozen, as in the device's flash.
  Object.freeze(Object.assign(config, invoke(BOARD, "config")), true);
}

export default config;

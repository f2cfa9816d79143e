/**
 * Entry point started by the platform. Everything else is preloaded in flash (`preload` of the manifest); only this module and what it
 * creates use memory.
 */
import config from "mc/config";
import type { Board } from "./board";
import { Firmware } from "./firmware";

export type { Firmware };

/** Called once by the platform. Undefined: the device could not be built, and only relay, button and LED work (src/health/failed-start.ts). */
export default function main(): Firmware | undefined {
  try {
    return new Firmware(config as unknown as Board);
  } catch {
    return undefined;
  }
}

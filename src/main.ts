/**
 * Entry point started by the platform. Everything else is preloaded in flash (`preload` of the manifest); only this module and what it
 * creates use memory.
 */
import config from "mc/config";
import type { Board } from "./board";
import { Firmware } from "./firmware";

export type { Firmware };

/** Called once by the platform. */
export default function main(): Firmware {
  return new Firmware(config as unknown as Board);
}

/** What the platform starts. Everything else lies in flash, ready to run (`preload` of the manifest); this module and what it makes is what takes memory. */
import config from "mc/config";
import type { Board } from "./board";
import { Firmware } from "./firmware";

export type { Firmware };

/** The platform calls it once. */
export default function main(): Firmware {
  return new Firmware(config as unknown as Board);
}

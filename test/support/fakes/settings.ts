import { StoredSettings, type Identity, type SettingsOptions } from "../../../src/settings/settings";
import { SimulatedBoard } from "../../../host-sim/board";
import { FaultyStorage } from "./storage";

export const TOKEN = "000102030405060708090a0b0c0d0e0f";

/** Returns bytes 0, 1, 2 …, so that a token made from it is known (as 32-bit words big-endian on any host). */
export const random = {
  get(byteLength: number): ArrayBuffer {
    const words = new Uint32Array(byteLength / 4);
    words.forEach((_, at) => (words[at] = 0x00010203 + 0x04040404 * at));
    return words.buffer;
  },
};

/** The settings of a device at first start, or with the content of `storage`. */
export const startSettings = (
  storage: FaultyStorage = new FaultyStorage(),
  options: Partial<SettingsOptions & Identity> = {},
): StoredSettings => {
  const settings = new StoredSettings({ storage, ...options });
  settings.identify({ random, ...options });
  return settings;
};

/** The settings of a first start, for comparison; from a board that has been powered off. */
export const DEFAULTS: StoredSettings = firstStart();

function firstStart(): StoredSettings {
  const board = new SimulatedBoard({ console: () => undefined });
  board.powerOn();
  try {
    return startSettings(new FaultyStorage(board));
  } finally {
    board.powerOff();
  }
}

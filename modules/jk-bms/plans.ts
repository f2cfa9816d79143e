/**
 * Which registers are read for each block.
 *
 * A read reply does not name its register. Therefore every read has its own quantity, different from any read-back's: a late reply can only
 * be taken for the same registers, read a little earlier. No field spans two reads.
 */
import { LONG_QUANTITY } from "./limits";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "./types";

export interface PlannedRead {
  readonly register: number;
  /** 16-bit words. */
  readonly quantity: number;
}

/** The end of the telemetry, which changes slowly: not read at every poll. */
export const TAIL: PlannedRead = Object.freeze({ register: 0x12e2, quantity: 25 }, true);

/** The end of the device information, which a pack may refuse: then only its protocols are unknown. */
export const PROTOCOLS: PlannedRead = Object.freeze({ register: 0x14b2, quantity: 18 }, true);

/** What switches buzzer and dry contacts, and the times of the charge stages, behind the passwords; likewise. Read alone, too. */
const FURTHER_SETTINGS: PlannedRead = Object.freeze({ register: 0x14e4, quantity: 23 }, true);
export const FURTHER_PLAN: readonly PlannedRead[] = Object.freeze([FURTHER_SETTINGS], true);

/** The end of the settings, likewise: then only the limit for discharging in the cold is unknown. No read-back is as short. */
export const DISCHARGE_UTP: PlannedRead = Object.freeze({ register: 0x1122, quantity: 1 }, true);

/** The telemetry of a pack that answers so many words at once: up to 0x12EF, and the tail. */
export const LONG_PLAN: readonly PlannedRead[] = Object.freeze(
  [{ register: 0x1200, quantity: LONG_QUANTITY }, TAIL],
  true,
);

export const READ_PLANS = Object.freeze(
  {
    [TELEMETRY]: [{ register: 0x1200, quantity: 57 }, { register: 0x1272, quantity: 56 }, TAIL],
    // Between them: the wire resistances entered by the user, 0x1088 to 0x1107.
    [SETUP]: [
      { register: 0x1000, quantity: 54 },
      { register: 0x106c, quantity: 14 },
      { register: 0x1108, quantity: 12 },
      DISCHARGE_UTP,
    ],
    // Between them the Bluetooth PIN, 0x1438 to 0x1447, and the setting password, 0x1470 to 0x147F.
    [DEVICE_INFO]: [
      { register: 0x1400, quantity: 28 },
      { register: 0x1448, quantity: 20 },
      PROTOCOLS,
      FURTHER_SETTINGS,
    ],
  } as Readonly<Record<BlockType, readonly PlannedRead[]>>,
  true,
);

/**
 * The serial number, and the user's data behind it: each has a length that no other read has, and they take turns, so that a late reply to one
 * of the previous two has another length. The longest ends at the setting password.
 */
export const SERIAL_PLANS: readonly (readonly PlannedRead[])[] = Object.freeze(
  [[{ register: 0x1450, quantity: 13 }], [{ register: 0x1450, quantity: 15 }], [{ register: 0x1450, quantity: 16 }]],
  true,
);

import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import type { BlockImage } from "jk-bms/types";
import Time from "time";
import { OTHER_PACK_BY, SHARED_FOR, SHARED_WITHIN } from "./limits";
import { move } from "./places";

/** What is kept of each pack: its key, the one before that differed, how often it had come back to that; the last proof, uptime in s plus one, and whether it stands. */
const KEY = 0;
const OTHER = 1;
const CAME_BACK = 2;
const PROVED = 3;
const STANDS = 4;
const EACH = 5;

const BACK = 1;
const BACK_BY_FRAMES = 3;

/**
 * Whether two packs answer at one address: only by what one pack alone cannot do. A second proof within SHARED_WITHIN has to agree; it ends SHARED_FOR
 * after the last. One object for all packs takes less memory.
 */
export class SharedAddresses {
  private readonly numbers: Int32Array;

  constructor(packs = 1) {
    this.numbers = new Int32Array(EACH * packs);
  }

  /** The packs' places have changed: see `move`. */
  take(before: SharedAddresses, places: readonly number[]): void {
    move(before.numbers, this.numbers, EACH, places);
  }

  /** Two packs have answered there. @returns whether it stands from now on */
  proved(index: number, clock: { readonly uptime: number }): boolean {
    const { numbers } = this;
    const { uptime } = clock;
    const at = EACH * index;
    const last = numbers[at + PROVED] as number;
    const stood = this.stands(index, clock);
    numbers[at + PROVED] = uptime + 1;
    numbers[at + STANDS] = Number(stood);
    if (stood || !last || uptime + 1 - last >= SHARED_WITHIN) return false;
    numbers[at + STANDS] = 1;
    return true;
  }

  /** It stood before a restart. */
  resume(index: number, uptime: number): void {
    const at = EACH * index;
    this.numbers[at + PROVED] = uptime + 1;
    this.numbers[at + STANDS] = 1;
  }

  /** @param clock s since the start */
  stands(index: number, clock: { readonly uptime: number }): boolean {
    const { numbers } = this;
    const at = EACH * index;
    return numbers[at + STANDS] === 1 && clock.uptime + 1 - (numbers[at + PROVED] as number) < SHARED_FOR;
  }

  /**
   * Call at each valid reply. @returns whether another pack's telemetry and this one's have come in turn, twice: the seconds of running, which go on as the
   * clock does, and the ampere-hours left were one's, the other's, the one's and the other's again; of frames twice more, since the same bit of two may
   * be wrong.
   */
  alternates(index: number, telemetry: BlockImage): boolean {
    const { numbers } = this;
    const at = EACH * index;
    const key =
      (readRaw(telemetry, FIELDS.runtime) - Time.ticks / 1000 + (readRaw(telemetry, FIELDS.remainingCapacity) >> 10)) |
      0;
    const last = numbers[at + KEY] as number;
    numbers[at + KEY] = key;
    return isOther(key, last) && this.jumped(at, key, last) > (telemetry.littleEndian ? BACK_BY_FRAMES : BACK);
  }

  /** How often in a row it has come back to what was before. */
  private jumped(at: number, key: number, last: number): number {
    const { numbers } = this;
    const times = isOther(key, numbers[at + OTHER] as number) ? 0 : (numbers[at + CAME_BACK] as number) + 1;
    numbers[at + OTHER] = last;
    numbers[at + CAME_BACK] = times;
    return times;
  }
}

const isOther = (key: number, other: number): boolean => key - other > OTHER_PACK_BY || other - key > OTHER_PACK_BY;

/**
 * When what is found of a condition changed, and since when it is there: of the device and all packs in one pool, of as many conditions as there is
 * room for. A place is taken when what is found changes. Full, the pool gives up first the oldest of what is gone, then since when the oldest of what
 * is there began; none of what has to last, or be gone, for longer.
 */
import { FLAPPING, MOST_BEGINNINGS } from "../conditions/limits";
import { EDGES_EACH } from "./limits";

/** In place of a time that is not known. */
const UNKNOWN = -0x8000_0000;

/** What a place is needed for: it is over, or was too short; it is there; what is found has not counted yet. */
export const GONE = 0;
export const THERE = 1;
export const OPEN = 2;
export type Need = typeof GONE | typeof THERE | typeof OPEN;

/** A condition by its row, an alarm behind ALARM_ROW; never 0. Subjects are counted from 0, the device. */
export const keyOf = (subject: number, row: number): number => ((subject + 1) << 7) + row;

// Of each place its key, 0: it is free; how often it has begun, each time within FLAPPING of the last one; the uptime, s, from which on what is found
// counts; since when it is there, before the start negative. One array takes the least memory: all keys, then all counts, and so on.
const COUNT = 1;
const DUE = 2;
const SINCE = 3;
const EACH = 4;

interface EdgesOwner {
  needOf(subject: number, row: number): Need;
  /** Something was given up, or has to wait. */
  edgesFull(): void;
}

export class ConditionEdges {
  private readonly owner: EdgesOwner;
  private numbers = new Int32Array(0);

  constructor(owner: EdgesOwner) {
    this.owner = owner;
  }

  private get size(): number {
    return this.numbers.length / EACH;
  }

  /** There are so many packs: those of before are forgotten. */
  arrange(packs: number): void {
    const { numbers, size } = this;
    const places = EDGES_EACH * (1 + packs);
    const all = (this.numbers = new Int32Array(EACH * places));
    for (let at = 0, to = 0; at < size && to < places; at++) {
      if ((numbers[at] as number) >> 7 !== 1) continue;
      for (let what = 0; what < EACH; what++) all[what * places + to] = numbers[what * size + at] as number;
      to++;
    }
  }

  /** What is found of it has changed, and counts once it has lasted. @returns whether there is room for it */
  note(key: number, isFound: boolean, hold: number, now: number): boolean {
    const { numbers, size } = this;
    const at = this.placeFor(key, now);
    if (at < 0) return false;
    let count = numbers[COUNT * size + at] as number;
    if (isFound) {
      const isAgain = now - (numbers[SINCE * size + at] as number) < FLAPPING;
      count = numbers[COUNT * size + at] = isAgain ? count + 1 : 1;
    }
    const isFlapping = !isFound && count > MOST_BEGINNINGS;
    numbers[DUE * size + at] = now + (isFlapping ? Math.max(FLAPPING, hold) : hold);
    return true;
  }

  hasLasted(key: number, now: number): boolean {
    const at = this.placeOf(key);
    return at < 0 || now >= (this.numbers[DUE * this.size + at] as number);
  }

  /** How often it came before it was over; 0: not more often than what is an event each time. */
  timesOf(key: number): number {
    const at = this.placeOf(key);
    const count = at < 0 ? 0 : (this.numbers[COUNT * this.size + at] as number);
    return count > MOST_BEGINNINGS ? count : 0;
  }

  /** @param since uptime, s; before the start negative */
  began(key: number, since: number, now: number): void {
    const at = this.placeFor(key, now);
    if (at >= 0) this.numbers[SINCE * this.size + at] = since;
  }

  /** Uptime, s; undefined: not known. */
  sinceOf(key: number): number | undefined {
    const at = this.placeOf(key);
    const since = this.numbers[SINCE * this.size + at];
    return at < 0 || since === UNKNOWN ? undefined : since;
  }

  /** Negative: it has none. */
  private placeOf(key: number): number {
    const at = this.numbers.indexOf(key);
    return at < this.size ? at : -1;
  }

  /** Negative: there is no room. */
  private placeFor(wanted: number, now: number): number {
    const { numbers, owner, size } = this;
    const known = this.placeOf(wanted);
    if (known >= 0) return known;
    let place = this.placeOf(0);
    if (place < 0) {
      let isLost = false;
      let least = Infinity;
      for (let at = 0; at < size; at++) {
        const key = numbers[at] as number;
        const need = owner.needOf((key >> 7) - 1, key & 0x7f);
        const due = numbers[DUE * size + at] as number;
        const order = need * 2 ** 32 + due;
        if (need === OPEN || order >= least) continue;
        least = order;
        place = at;
        isLost = need === THERE || now < due + FLAPPING;
      }
      if (place < 0 || isLost) owner.edgesFull();
      if (place < 0) return place;
    }
    numbers[place] = wanted;
    numbers[COUNT * size + place] = 0;
    numbers[DUE * size + place] = now;
    numbers[SINCE * size + place] = UNKNOWN;
    return place;
  }
}

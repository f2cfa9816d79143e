import { alarmsAfter, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import type { BmsObserver, ObservedMonitor } from "../bms/types";
import { FLAPPING, MOST_BEGINNINGS } from "../conditions/limits";
import { CONCERNS, EVENTS, holdOf, knownBy, LINGERING } from "../conditions/table";
import type { ConditionSource } from "../conditions/types";
import type { BusPack } from "../packs/types";
import type { GroupName, SettingsObserver } from "../settings/types";
import type { EventLog } from "./types";

/** Of each pack: its alarm word, the bits that are there, those that were found last, then since when each is there, uptime in s. */
const ALARMS = 0;
const PRESENT = 1;
const FOUND = 2;
const SINCE = 3;
const ROWS = CONCERNS.length;
const EACH = SINCE + ROWS;

/** And of each row the time at which what is found changed last, uptime in s modulo TURN, beside how often it has begun. */
const TURN = 0x1000;
const MAX_COUNT = 0xf;

interface WatchedDevice {
  readonly monitor: ObservedMonitor;
  readonly settings: { observe(observer: SettingsObserver): void };
  /** Whole seconds since the firmware started. */
  uptime(): number;
}

/**
 * Knows which conditions are there, and since when; it alone has their beginnings and ends, which it logs as events. Each has to be found, or not,
 * in two replies of the pack and for as long as its row says. What cannot be judged stays as it is.
 */
export class ConditionWatcher implements BmsObserver, ConditionSource, SettingsObserver {
  private readonly log: EventLog;
  private readonly device: WatchedDevice;
  private words = new Uint32Array(0);
  private edges = new Uint16Array(0);

  constructor(log: EventLog, device: WatchedDevice) {
    this.log = log;
    this.device = device;
    device.monitor.observe(this);
    device.settings.observe(this);
    this.meetPacks();
  }

  /** The alarm word of the pack at this place, as last known. */
  alarmsOf(index: number): number {
    return this.words[index * EACH + ALARMS] ?? 0;
  }

  /** The conditions of the pack at this place, as bits of CONCERNS. */
  presentOf(index: number): number {
    return this.words[index * EACH + PRESENT] ?? 0;
  }

  /** Uptime, s, at which a condition that is there began. */
  sinceOf(index: number, row: number): number {
    return this.words[index * EACH + SINCE + row] ?? 0;
  }

  packUpdated(pack: BusPack): void {
    this.judgeAlarms(pack);
    this.judge(pack);
  }

  packOnlineChanged(pack: BusPack): void {
    this.judge(pack);
  }

  settingsChanged(group: GroupName): void {
    // There may be other packs at the same places.
    if (group !== "packs") return;
    this.words = new Uint32Array(0);
    for (const pack of this.device.monitor.packs) pack.kept = 0;
    this.meetPacks();
  }

  /** Those that have never answered are offline. */
  private meetPacks(): void {
    for (const pack of this.device.monitor.packs) this.judge(pack);
  }

  private judgeAlarms(pack: BusPack): void {
    const at = this.placeOf(pack);
    const before = this.words[at + ALARMS] as number;
    const now = alarmsAfter(before, pack);
    const changed = now ^ before;
    if (!changed) return;
    this.words[at + ALARMS] = now;
    ALARMS_TABLE.forEach(({ name }, row) => {
      if (isRaised(changed, row)) this.report("alarm", isRaised(now, row), name, pack);
    });
  }

  private judge(pack: BusPack): void {
    const at = this.placeOf(pack);
    const { words } = this;
    const known = knownBy(pack.found);
    const before = words[at + FOUND] as number;
    const found = (pack.found & known) | (before & ~known);
    const present = words[at + PRESENT] as number;
    if (found === before && found === present && (found & LINGERING) === pack.kept) return;
    words[at + FOUND] = found;
    pack.kept |= found & LINGERING;
    for (let row = 0; row < ROWS; row++) {
      const isFound = isRaised(found, row);
      const isNew = isFound !== isRaised(present, row);
      if (isFound !== isRaised(before, row)) this.note(at, row, pack.index * ROWS + row, isFound);
      else if (!isRaised(known, row) || !(isNew || isFound !== isRaised(pack.kept, row))) continue;
      if (!this.hasLasted(pack.index * ROWS + row, row, isFound)) continue;
      if (!isFound) pack.kept &= ~(1 << row);
      if (isNew) this.change(at, row, isFound, pack);
    }
  }

  /** What is found has changed. */
  private note(at: number, row: number, edge: number, isFound: boolean): void {
    const { edges, words } = this;
    const now = this.device.uptime();
    let count = (edges[edge] as number) & MAX_COUNT;
    if (isFound) {
      const isAgain = count > 0 && now - (words[at + SINCE + row] as number) < FLAPPING;
      count = isAgain ? Math.min(count + 1, MAX_COUNT) : 1;
    }
    edges[edge] = ((now % TURN) << 4) | count;
  }

  private hasLasted(edge: number, row: number, isFound: boolean): boolean {
    const number = this.edges[edge] as number;
    const isFlapping = !isFound && (number & MAX_COUNT) > MOST_BEGINNINGS;
    const elapsed = (this.device.uptime() - (number >> 4)) & (TURN - 1);
    return elapsed >= (isFlapping ? FLAPPING : holdOf(row));
  }

  private change(at: number, row: number, isFound: boolean, pack: BusPack): void {
    const { words } = this;
    words[at + PRESENT] = ((words[at + PRESENT] as number) ^ (1 << row)) >>> 0;
    if (isFound) words[at + SINCE + row] = this.device.uptime() - holdOf(row);
    if (isRaised(EVENTS, row)) this.report("condition", isFound, CONCERNS[row] as string, pack);
  }

  private report(kind: "alarm" | "condition", isRaisedNow: boolean, name: string, { label }: BusPack): void {
    this.log.add(`${kind}-${isRaisedNow ? "raised" : "cleared"}\t${name}${label === undefined ? "" : `\t${label}`}`);
  }

  /** Of the pack's words; there is room for those of all packs. */
  private placeOf({ index }: BusPack): number {
    const { length } = this.device.monitor.packs;
    if (this.words.length !== length * EACH) {
      this.words = new Uint32Array(length * EACH);
      this.edges = new Uint16Array(length * ROWS);
    }
    return index * EACH;
  }
}

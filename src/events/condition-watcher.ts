import { alarmsAfter, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import type { BmsObserver, ObservedMonitor } from "../bms/types";
import { conditionsOf, deviceMeasurement, knownOf, type JudgedDevice } from "../conditions/device";
import { FLAPPING, LEARNING, MOST_BEGINNINGS } from "../conditions/limits";
import {
  ALARM_ROW,
  codeOf,
  DEVICE,
  DEVICE_EVENTS,
  DEVICE_ROW,
  EVENTS,
  holdOf,
  knownBy,
  LINGERING,
} from "../conditions/table";
import type { ConditionSource, Measured } from "../conditions/types";
import { TODAY_ROWS } from "../runtime/retained";
import type { BusPack } from "../packs/types";
import type { GroupName, SettingsObserver } from "../settings/types";
import {
  ALARMS,
  EACH,
  FOUND,
  keepWords,
  PRESENT,
  recallWords,
  RESTORED,
  ROWS,
  SINCE,
  UNKNOWN,
} from "./condition-words";
import { add, countOf, turn } from "./today";
import type { EventLog } from "./types";

/** Of each row the time at which what is found changed last, uptime in s modulo TURN, beside how often it has begun. */
const TURN = 0x1000;
const MAX_COUNT = 0xf;
const DAY = 86_400;

/** A pack, or the device. */
interface Subject {
  readonly index: number;
  readonly found: number;
  readonly label: number | undefined;
  kept: number;
}

interface WatchedDevice extends JudgedDevice {
  /** The retained memory was intact at start-up. */
  readonly start: { readonly intact: boolean };
  readonly monitor: ObservedMonitor;
  readonly settings: JudgedDevice["settings"] & { observe(observer: SettingsObserver): void };
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Seconds from UTC to the owner's time. */
  offsetAt(utc: number): number;
}

/**
 * Knows which conditions are there, and since when; it alone has their beginnings and ends, which it logs as events. Each has to be found, or not,
 * in two replies of the pack, or two looks at the device, and for as long as its row says. What cannot be judged stays as it is, over a restart too.
 */
export class ConditionWatcher implements BmsObserver, ConditionSource, SettingsObserver, Subject {
  // The device as a subject: what it has does not linger.
  readonly index = DEVICE;
  readonly label = undefined;
  kept = 0;
  private readonly log: EventLog;
  private readonly device: WatchedDevice;
  private words = new Uint32Array(0);
  private edges = new Uint16Array(0);
  private readonly today = new Uint16Array(1 + 2 * TODAY_ROWS);

  constructor(log: EventLog, device: WatchedDevice) {
    this.log = log;
    this.device = device;
    device.monitor.observe(this);
    device.settings.observe(this);
    this.placeFor(this);
    if (device.start.intact) {
      recallWords(this.words, this.today, this.startedAt);
      for (const pack of device.monitor.packs) pack.resume(this.presentOf(pack.index));
    }
    this.meetPacks();
  }

  /** The alarm word of the pack at this place, as last known. */
  alarmsOf(index: number): number {
    return this.words[placeOf(index) + ALARMS] ?? 0;
  }

  presentOf(index: number): number {
    return this.words[placeOf(index) + PRESENT] ?? 0;
  }

  sinceOf(index: number, row: number): number | undefined {
    const since = this.words[placeOf(index) + SINCE + row];
    return since === undefined || since === UNKNOWN ? undefined : since | 0;
  }

  todayOf(index: number, row: number): number | undefined {
    this.turn();
    return countOf(this.today, keyOf(index, row));
  }

  measurementOf(row: number): Measured | undefined {
    return deviceMeasurement(this.device, row);
  }

  /** The device's, as bits of DEVICE_CONDITIONS. */
  get found(): number {
    return conditionsOf(this.device);
  }

  /** Call now and then: judges the device. */
  look(): void {
    this.judge(this, knownOf(this.device), DEVICE_ROW, DEVICE_EVENTS);
  }

  packUpdated(pack: BusPack): void {
    this.judgeAlarms(pack);
    this.packOnlineChanged(pack);
  }

  packOnlineChanged(pack: BusPack): void {
    this.judge(pack, knownBy(pack.found), 0, EVENTS);
  }

  packUnanswered(pack: BusPack): void {
    this.packOnlineChanged(pack);
  }

  settingsChanged(group: GroupName): void {
    // There may be other packs at the same places.
    if (group !== "packs") return;
    this.words = this.words.slice(0, EACH);
    this.today.fill(0, 1);
    for (const pack of this.device.monitor.packs) pack.kept = 0;
    this.meetPacks();
    this.keep();
  }

  /** Those that have never answered are offline: so each start begins, and nothing has begun. */
  private meetPacks(): void {
    for (const pack of this.device.monitor.packs) this.judge(pack, knownBy(pack.found), 0, EVENTS, false);
  }

  private judgeAlarms(pack: BusPack): void {
    const at = this.placeFor(pack);
    const before = this.words[at + ALARMS] as number;
    const now = alarmsAfter(before, pack);
    const changed = now ^ before;
    if (!changed) return;
    this.words[at + ALARMS] = now;
    ALARMS_TABLE.forEach(({ name }, row) => {
      if (!isRaised(changed, row)) return;
      if (isRaised(now, row)) this.begin(pack, ALARM_ROW + row);
      this.report("alarm", isRaised(now, row), name, pack);
    });
    this.keep();
  }

  /** `known`: which rows can be judged; `first`: the number of its first row; `events`: which of them are events; `isNews`: what is found begins. */
  private judge(subject: Subject, known: number, first: number, events: number, isNews = true): void {
    const at = this.placeFor(subject);
    const { words } = this;
    const restored = words[at + RESTORED] as number;
    if (restored && this.device.uptime() < LEARNING) known &= subject.found | ~restored;
    const before = words[at + FOUND] as number;
    // As the words are, whose highest bit is no sign.
    const found = ((subject.found & known) | (before & ~known)) >>> 0;
    const present = words[at + PRESENT] as number;
    const lingering = first ? 0 : LINGERING;
    if (found === before && found === present && (found & lingering) === subject.kept) return;
    words[at + FOUND] = found;
    subject.kept |= found & lingering;
    for (let row = 0; row < ROWS; row++) {
      const isFound = isRaised(found, row);
      const isNew = isFound !== isRaised(present, row);
      const edge = (at / EACH) * ROWS + row;
      if (isFound !== isRaised(before, row)) this.note(at, row, edge, isFound);
      else if (!isRaised(known, row) || !(isNew || isFound !== isRaised(subject.kept, row))) continue;
      const hold = holdOf(first + row);
      if (!this.hasLasted(edge, hold, isFound)) continue;
      if (!isFound) subject.kept &= ~(1 << row);
      if (!isNew) continue;
      words[at + PRESENT] = ((words[at + PRESENT] as number) ^ (1 << row)) >>> 0;
      if (isFound) {
        words[at + SINCE + row] = this.device.uptime() - hold;
        if (isNews) this.begin(subject, row);
      }
      if (isRaised(events, row)) this.report("condition", isFound, codeOf(first + row), subject);
    }
    if (words[at + PRESENT] !== present) this.keep();
  }

  private begin({ index }: Subject, row: number): void {
    this.turn();
    add(this.today, keyOf(index, row));
  }

  /** At midnight all begins anew. */
  private turn(): void {
    const { device } = this;
    const now = device.time();
    if (now !== undefined) turn(this.today, Math.floor((now + device.offsetAt(now)) / DAY));
  }

  private keep(): void {
    keepWords(this.words, this.today, this.startedAt);
  }

  /** When the device started, s since 1970; undefined: unknown. */
  private get startedAt(): number | undefined {
    const now = this.device.time();
    return now === undefined ? undefined : now - this.device.uptime();
  }

  /** What is found has changed. */
  private note(at: number, row: number, edge: number, isFound: boolean): void {
    const { edges, words } = this;
    const now = this.device.uptime();
    let count = (edges[edge] as number) & MAX_COUNT;
    if (isFound) {
      const isAgain = count > 0 && now - ((words[at + SINCE + row] as number) | 0) < FLAPPING;
      count = isAgain ? Math.min(count + 1, MAX_COUNT) : 1;
    }
    edges[edge] = ((now % TURN) << 4) | count;
  }

  private hasLasted(edge: number, hold: number, isFound: boolean): boolean {
    const number = this.edges[edge] as number;
    const isFlapping = !isFound && (number & MAX_COUNT) > MOST_BEGINNINGS;
    const elapsed = (this.device.uptime() - (number >> 4)) & (TURN - 1);
    return elapsed >= (isFlapping ? FLAPPING : hold);
  }

  private report(kind: "alarm" | "condition", isRaisedNow: boolean, name: string, { label }: Subject): void {
    this.log.add(`${kind}-${isRaisedNow ? "raised" : "cleared"}\t${name}${label === undefined ? "" : `\t${label}`}`);
  }

  /** Of its words; there is room for those of the device and of all packs. */
  private placeFor({ index }: Subject): number {
    const length = placeOf(this.device.monitor.packs.length);
    const { words } = this;
    if (words.length !== length) {
      // The device's stay.
      this.words = new Uint32Array(length);
      this.words.set(words.subarray(0, EACH));
      const { edges } = this;
      this.edges = new Uint16Array((length / EACH) * ROWS);
      this.edges.set(edges.subarray(0, ROWS));
    }
    return placeOf(index);
  }
}

/** Conditions, then alarms; never 0. */
const keyOf = (index: number, row: number): number => ((index - DEVICE) << 6) + row + 1;
const placeOf = (index: number): number => (index - DEVICE) * EACH;

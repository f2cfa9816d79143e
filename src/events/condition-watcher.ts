import { alarmsAfter, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import type { BmsObserver, ObservedMonitor } from "../bms/types";
import { conditionsOf, deviceMeasurement, knownOf, type JudgedDevice } from "../conditions/device";
import { LEARNING, LOOK_EVERY } from "../conditions/limits";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { OFFLINE } from "../conditions/rows";
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
  SLOW,
} from "../conditions/table";
import type { ConditionSource, Measured } from "../conditions/types";
import { TODAY_ROWS } from "../runtime/retained";
import type { BusPack } from "../packs/types";
import type { GroupName, SettingsObserver } from "../settings/types";
import { ConditionEdges, GONE, keyOf, OPEN, THERE, type Need } from "./condition-edges";
import { ALARMS, EACH, FOUND, keepWords, LOOKED, PRESENT, RAISED, recallWords, RESTORED } from "./condition-words";
import { add, countOf, turn } from "./today";
import type { EventLog } from "./types";

const DAY = 86_400;

/** A pack, or the device. */
interface Subject {
  readonly index: number;
  readonly found: Conditions;
  readonly label: number | undefined;
  kept: Conditions;
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
 * in two looks at the pack or the device, and for as long as its row says. What cannot be judged stays as it is, over a restart too.
 */
export class ConditionWatcher implements BmsObserver, ConditionSource, SettingsObserver, Subject {
  // The device as a subject: what it has does not linger.
  readonly index = DEVICE;
  readonly label = undefined;
  kept = sets.NONE;
  private readonly log: EventLog;
  private readonly device: WatchedDevice;
  /** Of each subject: see condition-words.ts. */
  private words = new Float64Array(EACH);
  private readonly edges = new ConditionEdges(this);
  private hasBeenFull = false;
  /** Of the packs, by their places. */
  private addresses = "";
  private readonly today = new Uint16Array(1 + 2 * TODAY_ROWS);

  constructor(log: EventLog, device: WatchedDevice) {
    this.log = log;
    this.device = device;
    device.monitor.observe(this);
    device.settings.observe(this);
    this.arrange();
    if (device.start.intact) {
      recallWords(this.words, this.edges, this.today, this.startedAt);
      for (const pack of device.monitor.packs) pack.resume(this.presentOf(pack.index));
    }
    this.meetPacks();
  }

  /** The alarms of the pack at this place, as a word. */
  alarmsOf(index: number): number {
    return this.words[placeOf(index) + ALARMS] ?? 0;
  }

  presentOf(index: number): Conditions {
    return (this.words[placeOf(index) + PRESENT] ?? 0) as unknown as Conditions;
  }

  sinceOf(index: number, row: number): number | undefined {
    return this.edges.sinceOf(keyOf(subjectAt(index), row));
  }

  todayOf(index: number, row: number): number | undefined {
    this.turn();
    return countOf(this.today, keyOf(subjectAt(index), row));
  }

  measurementOf(row: Conditions): Measured | undefined {
    return deviceMeasurement(this.device, row);
  }

  /** The device's. */
  get found(): Conditions {
    return conditionsOf(this.device);
  }

  /** Call now and then: judges the device. */
  look(): void {
    this.judge(this, knownOf(this.device), DEVICE_ROW, DEVICE_EVENTS);
  }

  packUpdated(pack: BusPack): void {
    const isNews = this.judgeAlarms(pack);
    const at = this.placeFor(pack) + LOOKED;
    const uptime = this.device.uptime();
    if (!isNews && uptime - (this.words[at] as number) < LOOK_EVERY) return;
    this.words[at] = uptime;
    this.packOnlineChanged(pack);
  }

  packOnlineChanged(pack: BusPack): void {
    // Each start, and each opening of the bus, begins with silence.
    this.judge(pack, knownBy(pack.found), 0, EVENTS, pack.telemetry.valid ? sets.NONE : OFFLINE);
  }

  packUnanswered(pack: BusPack): void {
    this.packOnlineChanged(pack);
  }

  settingsChanged(group: GroupName): void {
    if ((group !== "packs" && group !== "bms") || !this.arrange()) return;
    this.meetPacks();
    this.keep();
  }

  /** Called by the pool. */
  needOf(subject: number, row: number): Need {
    const at = EACH * subject;
    const has = (present: number, found: number, index: number): Need => {
      const isThere = sets.has(this.setAt(at + present), index);
      if (isThere !== sets.has(this.setAt(at + found), index)) return OPEN;
      return isThere ? THERE : GONE;
    };
    return row < ALARM_ROW ? has(PRESENT, FOUND, row) : has(ALARMS, RAISED, row - ALARM_ROW);
  }

  /** Called by the pool. Said once. */
  edgesFull(): void {
    if (this.hasBeenFull) return;
    this.hasBeenFull = true;
    this.log.add("part-failed\tconditions\tno room for the times of all");
  }

  /** Those that have never answered are offline. */
  private meetPacks(): void {
    for (const pack of this.device.monitor.packs) this.packOnlineChanged(pack);
  }

  /** @returns whether an alarm has been raised or cleared */
  private judgeAlarms(pack: BusPack): boolean {
    const { edges, words } = this;
    const at = this.placeFor(pack);
    const before = words[at + RAISED] as number;
    const present = words[at + ALARMS] as number;
    const now = alarmsAfter(before, pack);
    const changed = now ^ before;
    const open = now ^ present;
    if (!changed && !open) return false;
    const uptime = this.device.uptime();
    let there = present;
    words[at + RAISED] = now;
    for (let row = 0; row < ALARM_BITS; row++) {
      const key = keyOf(at / EACH, ALARM_ROW + row);
      const isNow = isRaised(now, row);
      if (isRaised(changed, row)) {
        edges.note(key, isNow, 0, uptime);
        if (isNow) this.begin(pack, ALARM_ROW + row);
      }
      if (!isRaised(open, row) || !edges.hasLasted(key, uptime)) continue;
      there ^= 1 << row;
      if (isNow) edges.began(key, uptime, uptime);
      const alarm = ALARMS_TABLE[row];
      if (alarm) this.report("alarm", isNow, alarm.name, pack, key);
    }
    words[at + ALARMS] = there >>> 0;
    if (there !== present) this.keep();
    return changed !== 0;
  }

  /** `known`: which rows can be judged; `first`: the number of its first row; `events`: which of them are events; `silent`: whose beginning is none. */
  private judge(subject: Subject, known: Conditions, first: number, events: Conditions, silent = sets.NONE): void {
    const at = this.placeFor(subject);
    const { edges, words } = this;
    const { found: now } = subject;
    const before = this.setAt(at + FOUND);
    const present = this.setAt(at + PRESENT);
    // As a rule, and at each reply.
    if (now === sets.NONE && before === now && present === now && subject.kept === now) return;
    if (words[at + RESTORED] && this.device.uptime() < LEARNING)
      known = sets.without(known, sets.without(this.setAt(at + RESTORED), now));
    const found = now === before ? before : sets.plus(sets.common(now, known), sets.without(before, known));
    const lingering = first ? sets.NONE : sets.common(found, sets.plus(LINGERING, sets.common(present, SLOW)));
    if (found === before && found === present && lingering === subject.kept) return;
    const uptime = this.device.uptime();
    subject.kept = sets.plus(subject.kept, lingering);
    const noted = sets.changed(found, before);
    const open = sets.common(sets.plus(sets.changed(found, present), sets.without(subject.kept, found)), known);
    const rows = sets.plus(noted, open);
    for (let row = sets.nextRow(rows, 0); row < sets.MOST_ROWS; row = sets.nextRow(rows, row + 1)) {
      const isFound = sets.has(found, row);
      const key = keyOf(at / EACH, row);
      const hold = holdOf(first + row);
      const worth = isFound ? 2 ** row : -(2 ** row);
      if (sets.has(noted, row)) {
        // Without room it is as if that had not been found yet.
        if (!edges.note(key, isFound, hold, uptime)) continue;
        words[at + FOUND] = (words[at + FOUND] as number) + worth;
      }
      if (!edges.hasLasted(key, uptime)) continue;
      if (!isFound) subject.kept = sets.without(subject.kept, sets.ofRow(row));
      if (isFound === sets.has(present, row)) continue;
      words[at + PRESENT] = (words[at + PRESENT] as number) + worth;
      if (isFound) {
        edges.began(key, uptime - hold, uptime);
        subject.kept = sets.plus(subject.kept, sets.common(sets.ofRow(row), SLOW));
        if (!sets.hasAny(silent, sets.ofRow(row))) this.begin(subject, row);
      }
      if (sets.has(events, row)) this.report("condition", isFound, codeOf(first + row), subject, key);
    }
    if (this.setAt(at + PRESENT) !== present) this.keep();
  }

  private setAt(place: number): Conditions {
    return this.words[place] as unknown as Conditions;
  }

  private begin({ index }: Subject, row: number): void {
    this.turn();
    add(this.today, keyOf(subjectAt(index), row));
  }

  /** At midnight all begins anew. */
  private turn(): void {
    const { device } = this;
    const now = device.time();
    if (now !== undefined) turn(this.today, Math.floor((now + device.offsetAt(now)) / DAY));
  }

  private keep(): void {
    keepWords(this.words, this.edges, this.today, this.startedAt);
  }

  /** When the device started, s since 1970; undefined: unknown. */
  private get startedAt(): number | undefined {
    const now = this.device.time();
    return now === undefined ? undefined : now - this.device.uptime();
  }

  private report(kind: "alarm" | "condition", isNow: boolean, name: string, { label }: Subject, key: number): void {
    const times = isNow ? 0 : this.edges.timesOf(key);
    const whose = label === undefined && !times ? "" : `\t${label ?? ""}`;
    this.log.add(`${kind}-${isNow ? "raised" : "cleared"}\t${name}${whose}${times ? `\t${times}` : ""}`);
  }

  /** Of its words. */
  private placeFor({ index }: Subject): number {
    if (placeOf(this.device.monitor.packs.length) !== this.words.length) this.arrange();
    return placeOf(index);
  }

  /** What is known of packs is forgotten if they are others than before, or elsewhere. @returns whether they are */
  private arrange(): boolean {
    const { device, edges, today, words } = this;
    const addresses = device.monitor.packs.map(({ identity }) => identity.address).join();
    if (addresses === this.addresses) return false;
    this.addresses = addresses;
    this.words = new Float64Array(placeOf(device.monitor.packs.length));
    this.words.set(words.subarray(0, EACH));
    edges.arrange(device.monitor.packs.length);
    today.fill(0, 1);
    return true;
  }
}

/** Of the word: it may have more than there are rows. */
const ALARM_BITS = 32;

/** The device is the first. */
const subjectAt = (index: number): number => index - DEVICE;
const placeOf = (index: number): number => EACH * subjectAt(index);

import { ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import { unknownAlarms } from "../catalogue/computed";
import * as sets from "../conditions/set";
import type { Conditions, Sets } from "../conditions/set";
import { OTHER_MASTER } from "../conditions/rows";
import {
  BLOCKED,
  DEVICE,
  DEVICE_CONDITIONS,
  DEVICE_MESSAGES,
  holdOf,
  knownBy,
  MESSAGES,
  ownedHold,
} from "../conditions/table";
import { isBeyond, isWorse, ownedValue, thresholdOf } from "../conditions/thresholds";
import type { BusPack } from "../packs/types";
import { INNOCENT, WANTED } from "../health/reasons";
import type { Reason } from "../health/types";
import * as causes from "./causes";
import { CAUSES } from "./causes";
import { CALM_AFTER_START, CALMS, FOUND_AGAIN, GATHER, KEEP, PAUSES } from "./limits";
import { MAX_PACKS } from "../settings/limits";
import type { MessageQueue } from "./message-queue";
import { AGAIN, CLEARED, RAISED, type Kind, type NotifyDevice } from "./types";
import { changedPack, reasonValue } from "./words";

const LAST_STAGE = PAUSES.length - 1;
const MAX_COUNT = 255;

// Numbers of each cause in `bits`: the packs, a bit for each address (the lowest for the only one, and for the device), that have it; that have
// had it for too short; that it has happened to since the last message; that a message was about since it was calm for long. Then how often it
// has happened since the last message, and how many messages, up to LAST_STAGE, since it was calm for long.
const PRESENT = 0;
const WAITING = CAUSES;
const FRESH = 2 * CAUSES;
const NAMED = 3 * CAUSES;
const COUNT = 4 * CAUSES;
const STAGE = 5 * CAUSES;
const NUMBERS = 6 * CAUSES;

// And in `times`, uptimes: before which there is no other message; since when one waits for further packs; before which no pack is said to be
// well again. Then since when it is as it is: conditions, whichever pack has them; all others by the pack that a cause can be of.
const NEXT = 0;
const BEGUN = CAUSES;
const NEXT_CLEARED = 2 * CAUSES;
const SINCE_CONDITION = 3 * CAUSES - causes.CONDITIONS;
const SINCE = SINCE_CONDITION + CAUSES;

const HIDDEN = MAX_PACKS;
const JUDGED_AGAIN = 2 * MAX_PACKS;

/** Place of the time since when the pack of bit `at` has, or has not, what it has now. */
const sinceAt = (cause: number, at: number): number =>
  cause >= causes.CONDITIONS ? SINCE_CONDITION + cause : SINCE + at * causes.CONDITIONS + cause;

const hasBit = (bits: number, at: number): boolean => ((bits >> at) & 1) === 1;
/** Place of a pack's bit. */
const placeOf = ({ label = 0 }: BusPack): number => label;

/** Decides which messages are sent, and when: puts them into the queue. */
export class Rules {
  private readonly device: NotifyDevice;
  private readonly queue: MessageQueue;
  private readonly bits = new Uint16Array(NUMBERS);
  private times = new Uint32Array(SINCE);
  /**
   * By place: the conditions that were there at the last look. Then (HIDDEN) those that were reported and cannot be judged, and (JUDGED_AGAIN) the
   * uptime at which one of them could be again.
   */
  private readonly seen: Sets = new Float64Array(3 * MAX_PACKS) as unknown as Sets;
  /** Those of the settings, as bits: the lowest of one alone. */
  private packs = 0;
  /** Value of UPDATE; undefined: on trial. */
  private update: number | undefined = causes.UPDATED;

  /** `atStart`: the device has just started; otherwise its start is no news. */
  constructor(device: NotifyDevice, queue: MessageQueue, atStart: boolean) {
    this.device = device;
    this.queue = queue;
    this.meetPacks();
    for (let cause = 0; cause < CAUSES; cause++) {
      const reported = queue.reported(cause);
      if (!reported && !queue.has(cause)) continue;
      const named = reported || (causes.isOfPack(cause) ? this.packs : 1);
      this.bits[STAGE + cause] = 1;
      this.bits[NAMED + cause] = named;
      this.times[NEXT + cause] = PAUSES[1] as number;
      for (let at = 0; named >> at; at++) this.times[sinceAt(cause, at)] = CALM_AFTER_START;
    }
    for (const pack of device.monitor.packs) this.meet(pack, atStart || pack.online);
    const ofDevice = device.conditions.presentOf(DEVICE);
    for (let row = 0; row < DEVICE_CONDITIONS.length; row++)
      if (sets.has(ofDevice, row)) this.stands(causes.DEVICE + row, 0);
    if (atStart) this.judgeStart();
  }

  /** What has been reported of it and still stands is no news; of alarms that have not been, `isNews` says so. */
  private meet(pack: BusPack, isNews: boolean): void {
    const { conditions } = this.device;
    const at = placeOf(pack);
    const alarms = conditions.alarmsOf(pack.index);
    const present = sets.common(conditions.presentOf(pack.index), MESSAGES);
    for (let row = sets.nextRow(present, 0); row < sets.MOST_ROWS; row = sets.nextRow(present, row + 1))
      if (this.stands(causes.causeOf(row), at)) this.seen[at] = sets.plus(this.seen[at] as Conditions, sets.ofRow(row));
    for (let row = 0; row < ALARMS_TABLE.length; row++)
      if (isRaised(alarms, row) && !this.stands(row, at) && isNews) this.raise(row, at);
  }

  private stands(cause: number, at: number): boolean {
    if (!hasBit(this.queue.reported(cause), at)) return false;
    this.bits[PRESENT + cause] = (this.bits[PRESENT + cause] as number) | (1 << at);
    return true;
  }

  /** An event of the log. */
  take(text: string): void {
    const parts = text.split("\t");
    const [code, name, address] = parts;
    const changed = changedPack(parts);
    if (changed !== undefined) return this.happen(causes.SETTING, changed);
    if (code !== "alarm-raised") return;
    const cause = ALARMS_TABLE.findIndex((row) => row.name === name);
    if (cause >= 0) this.raise(cause, Number(address ?? 0));
  }

  /** Call every TICK. `targets`: a bit for each that receives messages. */
  tick(now: number, targets: number): void {
    const { device, bits } = this;
    this.meetPacks();
    let concerns = sets.NONE;
    let raised = 0;
    for (let row = 0; row < ALARMS_TABLE.length; row++) if (bits[PRESENT + row]) raised |= 1 << row;
    for (const pack of device.monitor.packs) {
      const at = placeOf(pack);
      concerns = sets.plus(concerns, pack.concerns);
      for (let cause = causes.OFFLINE; cause <= causes.SPREAD; cause++) {
        const is = isBeyond(cause - causes.OFFLINE, pack, device.settings.notify);
        // In safe mode nothing is asked.
        if (is !== undefined) this.note(cause, at, is && !(cause === causes.OFFLINE && device.start.safe), now);
      }
      this.follow(pack, now);
      const over = raised & ~device.conditions.alarmsOf(pack.index);
      if (over)
        for (let row = 0; row < ALARMS_TABLE.length; row++) if (isRaised(over, row)) this.note(row, at, false, now);
    }
    this.note(causes.MASTER, 0, sets.hasAny(concerns, OTHER_MASTER), now);
    const ofDevice = sets.common(device.conditions.presentOf(DEVICE), DEVICE_MESSAGES);
    for (let row = 0; row < DEVICE_CONDITIONS.length; row++)
      this.note(causes.DEVICE + row, 0, sets.has(ofDevice, row), now);
    if (this.update === undefined && !device.trial) {
      this.update = causes.UPDATED;
      this.happen(causes.UPDATE, 0);
    }
    if (now % KEEP === 0) this.queue.store(now);
    for (let cause = 0; cause < CAUSES; cause++)
      if (bits[PRESENT + cause] || bits[WAITING + cause] || bits[FRESH + cause] || bits[STAGE + cause])
        this.judge(cause, now, targets);
  }

  /** A message of the cause has got through: the next one waits from now on. */
  postpone(cause: number, now: number): void {
    this.times[NEXT + cause] = now + (PAUSES[this.bits[STAGE + cause] as number] as number);
  }

  /** What was of packs that the settings no longer have is over, and nothing is said of it. */
  private meetPacks(): void {
    const { device, queue, bits, times } = this;
    let packs = 0;
    for (const pack of device.monitor.packs) packs |= 1 << placeOf(pack);
    if (packs === this.packs) return;
    this.packs = packs;
    for (let at = 0; at < MAX_PACKS; at++) if (!hasBit(packs, at)) this.seen[at] = sets.NONE;
    for (let cause = 0; cause < CAUSES; cause++) {
      if (!causes.isOfPack(cause)) continue;
      for (let number = PRESENT; number < COUNT; number += CAUSES)
        bits[number + cause] = (bits[number + cause] as number) & packs;
      queue.setReported(cause, queue.reported(cause) & packs);
    }
    const length = SINCE + causes.CONDITIONS * (32 - Math.clz32(packs));
    this.times = new Uint32Array(length);
    this.times.set(times.subarray(0, length));
  }

  private judgeStart(): void {
    const { start, trial } = this.device;
    const reason = start.reason as Reason;
    if (start.safe) this.happen(causes.SAFE_MODE, 0);
    if (reason === "update-rejected") this.update = causes.REJECTED;
    else if (trial) this.update = trial.problem ? causes.ROLLED_BACK : undefined;
    if (this.update) this.happen(causes.UPDATE, 0);
    if (!WANTED.includes(reason) && !INNOCENT.includes(reason)) this.happen(causes.RESTART, 0);
  }

  /** Takes over which conditions there are. One that an alarm explains needs no message. */
  private follow(pack: BusPack, now: number): void {
    const { conditions } = this.device;
    const at = placeOf(pack);
    const known = knownBy(pack.concerns);
    const hidden = this.seen[HIDDEN + at] as Conditions;
    if (sets.hasAny(hidden, known)) this.seen[JUDGED_AGAIN + at] = now as unknown as Conditions;
    this.seen[HIDDEN + at] = sets.without(hidden, known);
    const before = this.seen[at] as Conditions;
    const present = sets.common(conditions.presentOf(pack.index), MESSAGES);
    const explained = conditions.alarmsOf(pack.index) ? BLOCKED : sets.without(BLOCKED, pack.found);
    const after = sets.without(present, sets.without(explained, before));
    this.seen[at] = after;
    const changed = sets.changed(after, before);
    for (let row = sets.nextRow(changed, 0); row < sets.MOST_ROWS; row = sets.nextRow(changed, row + 1)) {
      const cause = causes.causeOf(row);
      if (sets.has(after, row)) this.raise(cause, at);
      else this.note(cause, at, false, now);
    }
  }

  private raise(cause: number, at: number): void {
    this.note(cause, at, true, this.device.uptime());
    this.appear(cause, at);
  }

  /** It has been there for long enough. */
  private appear(cause: number, at: number): void {
    const { bits } = this;
    bits[WAITING + cause] = (bits[WAITING + cause] as number) & ~(1 << at);
    bits[PRESENT + cause] = (bits[PRESENT + cause] as number) | (1 << at);
    this.happen(cause, at);
  }

  private happen(cause: number, at: number): void {
    const { bits, times } = this;
    const fresh = bits[FRESH + cause] as number;
    const named = bits[NAMED + cause] as number;
    const now = this.device.uptime();
    // The first one not yet reported makes the others wait for it.
    if (!(fresh & ~named)) times[BEGUN + cause] = now;
    if (!fresh || hasBit(fresh, at)) bits[COUNT + cause] = Math.min((bits[COUNT + cause] as number) + 1, MAX_COUNT);
    bits[FRESH + cause] = fresh | (1 << at);
    if (causes.isOnce(cause)) times[sinceAt(cause, 0)] = now;
  }

  private note(cause: number, at: number, present: boolean, now: number): void {
    const { bits } = this;
    const bit = 1 << at;
    const others = (bits[PRESENT + cause] as number) & ~bit;
    const waiting = bits[WAITING + cause] as number;
    if (present === (others !== bits[PRESENT + cause] || hasBit(waiting, at))) return;
    if (!present) bits[PRESENT + cause] = others;
    bits[WAITING + cause] = present ? waiting | bit : waiting & ~bit;
    this.times[sinceAt(cause, at)] = now;
  }

  /** In units of the message: of these packs the worst. Undefined: unknown. */
  private worstOf(cause: number, packs: number): number | undefined {
    if (cause === causes.RESTART) return reasonValue(this.device.start.reason);
    if (cause === causes.UPDATE) return this.update;
    if (!causes.isValue(cause)) return 0;
    const row = cause - causes.OFFLINE;
    let worst: number | undefined;
    for (const pack of this.device.monitor.packs) {
      const value = hasBit(packs, placeOf(pack)) ? ownedValue(row, pack) : undefined;
      if (value === undefined) continue;
      if (worst === undefined || isWorse(row, value, worst)) worst = value;
    }
    return worst;
  }

  /** A cause in a bank is collected for GATHER s and lists the packs. */
  private isOfSeveral(cause: number): boolean {
    return causes.isOfPack(cause) && this.device.monitor.packs.length > 1;
  }

  private isWanted(cause: number): boolean {
    const { notify } = this.device.settings;
    if (causes.isAlarm(cause)) return notify.alarms && (ALARMS_TABLE[cause]?.fault ?? false);
    if (causes.isCondition(cause) || cause === causes.SETTING) return notify.alarms;
    if (causes.isOnce(cause) || causes.isOfDevice(cause)) return notify.device;
    if (cause === causes.MASTER) return notify.master;
    return thresholdOf(cause - causes.OFFLINE, notify) > 0;
  }

  private delayOf(cause: number): number {
    if (causes.isAlarm(cause) || cause > causes.SPREAD) return 0;
    const row = cause - causes.OFFLINE;
    return ownedHold(row) || thresholdOf(row, this.device.settings.notify);
  }

  private judge(cause: number, now: number, targets: number): void {
    const { queue, bits, times } = this;
    if (!this.isWanted(cause)) {
      for (let number = PRESENT; number < NUMBERS; number += CAUSES) bits[number + cause] = 0;
      queue.setReported(cause, 0);
      return;
    }
    const delay = this.delayOf(cause);
    for (let at = 0; (bits[WAITING + cause] as number) >> at; at++)
      if (hasBit(bits[WAITING + cause] as number, at) && this.timeOf(cause, at, now) >= delay) this.appear(cause, at);
    const reported = queue.reported(cause);
    const stage = bits[STAGE + cause] as number;
    const named = bits[NAMED + cause] as number;
    const fresh = bits[FRESH + cause] as number;
    const isBank = this.isOfSeveral(cause);
    // That it lasts is said only of what can be judged.
    const lasting = stage < LAST_STAGE ? (bits[PRESENT + cause] as number) & reported : 0;
    const packs = fresh || (lasting && lasting & ~this.unknownOf(cause));
    if (packs) {
      const isFault = causes.isFault(cause);
      // What is new of a pack need not wait for as long as what others have had for long; a fault only for those that follow.
      const isNew = (packs & ~named) !== 0;
      const early = isNew ? Math.max(0, (PAUSES[stage] as number) - (PAUSES[1] as number)) : 0;
      const isGathered = !fresh || !isBank || (isFault && !stage) || now - (times[BEGUN + cause] as number) >= GATHER;
      if (
        isGathered &&
        ((isFault && isNew) || now + early >= (times[NEXT + cause] as number)) &&
        this.report(cause, packs & ~reported ? RAISED : AGAIN, packs, now, targets)
      ) {
        // No reminder: what follows the first message of a fault is news.
        if (!stage || !isFault || !isNew) bits[STAGE + cause] = Math.min(stage + 1, LAST_STAGE);
        bits[NAMED + cause] = named | packs;
        bits[COUNT + cause] = bits[FRESH + cause] = 0;
        this.postpone(cause, now);
      }
      // A relapse ends the calm period.
      if (!isBank) return;
    }
    if (reported) this.clear(cause, isBank, now, targets);
    else if (!packs && this.isCalm(cause, named, now)) bits[STAGE + cause] = bits[NAMED + cause] = 0;
  }

  /** None of these packs has had it for long. */
  private isCalm(cause: number, packs: number, now: number): boolean {
    if (this.having(cause)) return false;
    for (let at = 0; packs >> at; at++)
      if (hasBit(packs, at) && this.timeOf(cause, at, now) < (CALMS[LAST_STAGE] as number)) return false;
    return true;
  }

  /** Reports which packs no longer have what was reported of them: of a bank, together. */
  private clear(cause: number, isBank: boolean, now: number, targets: number): void {
    const { queue, bits, times } = this;
    const reported = queue.reported(cause);
    const unknown = this.unknownOf(cause);
    const over = reported & ~this.having(cause) & ~(bits[FRESH + cause] as number) & ~unknown;
    if (causes.isCondition(cause))
      for (let at = 0, those = reported & unknown; those >> at; at++)
        if (hasBit(those, at))
          this.seen[HIDDEN + at] = sets.plus(this.seen[HIDDEN + at] as Conditions, sets.ofRow(causes.rowOf(cause)));
    const enough = CALMS[bits[STAGE + cause] as number] as number;
    let packs = 0;
    let longest = -1;
    for (let at = 0; over >> at; at++) {
      const calm = hasBit(over, at) ? this.timeOf(cause, at, now) : -1;
      if (calm >= enough) packs |= 1 << at;
      longest = Math.max(longest, calm);
    }
    if (!packs) return;
    // Wait: more packs may clear soon.
    if (isBank && packs !== reported && (longest < enough + GATHER || now < (times[NEXT_CLEARED + cause] as number)))
      return;
    if (this.device.settings.notify.cleared && !this.report(cause, CLEARED, packs, now, targets)) return;
    times[NEXT_CLEARED + cause] = now + (PAUSES[1] as number);
    queue.setReported(cause, reported & ~packs);
    queue.store(now);
  }

  /** False: not now. */
  private report(cause: number, kind: Kind, packs: number, now: number, targets: number): boolean {
    const { device, queue, bits } = this;
    const value = this.worstOf(cause, packs);
    const isNew = (packs & ~(bits[NAMED + cause] as number)) !== 0;
    if (value === undefined || queue.has(cause) || !queue.hasRoom(now, isNew)) return false;
    // Only what is new pushes out others.
    if (!isNew && queue.isFull) return false;
    queue.add({
      cause,
      kind,
      count: bits[COUNT + cause] as number,
      value,
      packs: this.isOfSeveral(cause) ? packs : 0,
      restarts: device.start.restarts,
      uptime: now,
      targets,
      time: device.time(),
    });
    return true;
  }

  /** The packs that have it, as bits. */
  private having(cause: number): number {
    return (this.bits[PRESENT + cause] as number) | (this.bits[WAITING + cause] as number);
  }

  /** The packs of which it is not known whether they have it, as bits: what a restart or silence hides is not over. */
  private unknownOf(cause: number): number {
    let packs = 0;
    for (const pack of this.device.monitor.packs) {
      const isUnknown = causes.isAlarm(cause)
        ? isRaised(unknownAlarms(pack), cause)
        : causes.isCondition(cause)
          ? !sets.has(knownBy(pack.concerns), causes.rowOf(cause))
          : causes.isValue(cause) && ownedValue(cause - causes.OFFLINE, pack) === undefined;
      if (isUnknown) packs |= 1 << placeOf(pack);
    }
    return packs;
  }

  /** Seconds for which a pack has had, or not had, what it has now. */
  private timeOf(cause: number, at: number, now: number): number {
    const since = this.times[sinceAt(cause, at)] as number;
    const again = causes.isCondition(cause) ? (this.seen[JUDGED_AGAIN + at] as unknown as number) : 0;
    // Once it can be judged again it is found after its time only.
    return now - (again ? Math.max(since, again + holdOf(causes.rowOf(cause)) + FOUND_AGAIN) : since);
  }
}

import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { TELEMETRY } from "jk-bms/types";
import { ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import { battery1Temperature, battery2Temperature, cellDelta } from "../catalogue/computed";
import { OTHER_MASTER } from "../catalogue/concerns";
import type { Pack } from "../catalogue/pack";
import { currentResult, lastBlock, readNumber } from "../catalogue/read";
import type { Compute } from "../catalogue/row";
import type { BusPack } from "../packs/types";
import { INNOCENT, WANTED } from "../health/reasons";
import type { Reason } from "../health/types";
import * as causes from "./causes";
import { CALM_AFTER_START, CALMS, HOLD, KEEP, PAUSES } from "./limits";
import type { MessageQueue } from "./message-queue";
import { AGAIN, CLEARED, RAISED, type Kind, type NotifyDevice } from "./types";
import { limitOf, reasonValue } from "./words";

/** Not there; there, but not for long enough; there. */
const CALM = 0;
const WAITING = 1;
const PRESENT = 2;

const LAST_STAGE = PAUSES.length - 1;
const MAX_COUNT = 255;

const current = (source: Compute, pack: Pack): number | undefined => currentResult(source, pack) as number | undefined;

/** Decides which messages are sent, and when: puts them into the queue. */
export class Rules {
  private readonly device: NotifyDevice;
  private readonly queue: MessageQueue;
  // Of each cause: its state; since when (uptime); how often it has happened since the last message; how many messages, up to LAST_STAGE, since it
  // was calm for long; the uptime before which there is no other.
  private readonly state = new Uint8Array(causes.CAUSES);
  private readonly since = new Uint32Array(causes.CAUSES);
  private readonly count = new Uint8Array(causes.CAUSES);
  private readonly stage = new Uint8Array(causes.CAUSES);
  private readonly next = new Uint32Array(causes.CAUSES);
  /** Of each alarm: 1 + the address of the pack that raised it last, 0 where there is only one. */
  private readonly raisedBy = new Uint8Array(causes.ALARMS);
  /** Value of UPDATE; undefined: on trial. */
  private update: number | undefined = causes.UPDATED;

  /** `atStart`: the device has just started; otherwise its start is no news. */
  constructor(device: NotifyDevice, queue: MessageQueue, atStart: boolean) {
    this.device = device;
    this.queue = queue;
    for (let cause = 0; cause < causes.CAUSES; cause++) {
      if (!queue.told(cause) && !queue.has(cause)) continue;
      this.stage[cause] = 1;
      this.next[cause] = PAUSES[1] as number;
      this.since[cause] = CALM_AFTER_START;
    }
    const bits = device.monitor.packs.some(({ online }) => online) ? this.alarmWord() : 0;
    for (let row = 0; row < ALARMS_TABLE.length; row++) if (isRaised(bits, row)) this.raise(row, 0);
    if (atStart) this.judgeStart();
  }

  /** An event of the log. */
  take(text: string): void {
    const [code, name, address] = text.split("\t");
    if (code !== "alarm-raised") return;
    const cause = ALARMS_TABLE.findIndex((row) => row.name === name);
    if (cause >= 0) this.raise(cause, address === undefined ? 0 : 1 + Number(address));
  }

  /** Call every TICK. `targets`: a bit for each that receives messages. */
  tick(now: number, targets: number): void {
    const { device, state, stage, count } = this;
    const { monitor, start } = device;
    let lost = 0;
    let isOffline = false;
    let concerns = 0;
    for (const pack of monitor.packs) {
      concerns |= pack.concerns;
      if (pack.online) continue;
      if (pack.label === undefined) isOffline = !start.safe;
      else lost |= 1 << pack.label;
    }
    for (let pack = 0; pack < causes.CAUSES - causes.PACKS; pack++)
      this.note(causes.PACKS + pack, isRaised(lost, pack), now);
    this.note(causes.OFFLINE, isOffline, now);
    this.note(causes.MASTER, (concerns & OTHER_MASTER) !== 0, now);
    for (let cause = causes.SOC; cause <= causes.SPREAD; cause++) this.compare(cause, now);
    if (this.update === undefined && !device.trial) {
      this.update = causes.UPDATED;
      this.happen(causes.UPDATE);
    }
    if (state.includes(PRESENT)) {
      const bits = this.alarmWord();
      for (let row = 0; row < ALARMS_TABLE.length; row++)
        if (state[row] && !isRaised(bits, row)) this.note(row, false, now);
    }
    if (now % KEEP === 0) this.queue.store(now);
    for (let cause = 0; cause < causes.CAUSES; cause++)
      if (state[cause] || stage[cause] || count[cause]) this.judge(cause, now, targets);
  }

  /** A message of the cause has got through: the next one waits from now on. */
  postpone(cause: number, now: number): void {
    this.next[cause] = now + (PAUSES[this.stage[cause] as number] as number);
  }

  private judgeStart(): void {
    const { start, trial } = this.device;
    const reason = start.reason as Reason;
    if (start.safe) this.happen(causes.SAFE_MODE);
    if (reason === "update-rejected") this.update = causes.REJECTED;
    else if (trial) this.update = trial.problem ? causes.ROLLED_BACK : undefined;
    if (this.update) this.happen(causes.UPDATE);
    if (!WANTED.includes(reason) && !INNOCENT.includes(reason)) this.happen(causes.RESTART);
  }

  /** The alarms of all packs, of one that is offline the last that were known. */
  private alarmWord(): number {
    const { monitor } = this.device;
    let bits = 0;
    for (const pack of monitor.packs) {
      const last = lastBlock(pack, TELEMETRY);
      if (last) bits |= readRaw(last, FIELDS.alarmCode);
    }
    return bits;
  }

  private raise(cause: number, pack: number): void {
    this.note(cause, true, this.device.uptime());
    this.raisedBy[cause] = pack;
    this.state[cause] = PRESENT;
    this.happen(cause);
  }

  private happen(cause: number): void {
    const { count } = this;
    count[cause] = Math.min((count[cause] as number) + 1, MAX_COUNT);
    if (causes.isOnce(cause)) this.since[cause] = this.device.uptime();
  }

  private note(cause: number, present: boolean, now: number): void {
    const { state, since } = this;
    if (present === (state[cause] !== CALM)) return;
    state[cause] = present ? WAITING : CALM;
    since[cause] = now;
  }

  /** Compares a value with its threshold; one that is unknown changes nothing. */
  private compare(cause: number, now: number): void {
    const value = this.valueOf(cause);
    if (value === undefined) return;
    const limit = limitOf(this.device.settings.notify, cause) * (cause === causes.TEMPERATURE ? 10 : 1);
    const excess = cause === causes.SOC ? limit - value : value - limit;
    if (excess > 0) this.note(cause, limit > 0, now);
    else if (excess * 10 <= -limit) this.note(cause, false, now);
  }

  /** In units of the message; undefined: unknown. */
  private valueOf(cause: number): number | undefined {
    const { monitor, start } = this.device;
    const pack = monitor.packs[0] as BusPack;
    switch (cause) {
      case causes.SOC:
        return readNumber(FIELDS.soc, pack);
      case causes.TEMPERATURE: {
        const one = current(battery1Temperature, pack);
        const other = current(battery2Temperature, pack) ?? one;
        return other === undefined ? undefined : Math.max(one ?? other, other);
      }
      case causes.SPREAD:
        return current(cellDelta, pack);
      case causes.RESTART:
        return reasonValue(start.reason);
      case causes.UPDATE:
        return this.update;
      default:
        return this.raisedBy[cause] ?? 0;
    }
  }

  private isWanted(cause: number): boolean {
    const { notify } = this.device.settings;
    if (causes.isAlarm(cause)) return notify.alarms && (ALARMS_TABLE[cause]?.fault ?? false);
    if (causes.isOnce(cause)) return notify.device;
    if (cause === causes.MASTER) return notify.master;
    return (causes.isValue(cause) ? limitOf(notify, cause) : notify.offlineAfter) > 0;
  }

  private delayOf(cause: number): number {
    if (causes.isAlarm(cause) || cause === causes.MASTER) return 0;
    return causes.isValue(cause) ? HOLD : this.device.settings.notify.offlineAfter;
  }

  private judge(cause: number, now: number, targets: number): void {
    const { queue, state, since, count, stage } = this;
    const told = queue.told(cause);
    const times = stage[cause] as number;
    const calm = state[cause] === CALM ? now - (since[cause] as number) : -1;
    if (!this.isWanted(cause)) {
      state[cause] = CALM;
      count[cause] = stage[cause] = 0;
      queue.setTold(cause, false);
      return;
    }
    if (state[cause] === WAITING && now - (since[cause] as number) >= this.delayOf(cause)) {
      state[cause] = PRESENT;
      this.happen(cause);
    }
    if (count[cause] || (state[cause] === PRESENT && told && times < LAST_STAGE)) {
      if (now < (this.next[cause] as number) || !this.tell(cause, told ? AGAIN : RAISED, now, targets)) return;
      stage[cause] = Math.min(times + 1, LAST_STAGE);
      this.postpone(cause, now);
      count[cause] = 0;
    } else if (told && calm >= (CALMS[times] as number)) {
      if (this.device.settings.notify.cleared && !this.tell(cause, CLEARED, now, targets)) return;
      queue.setTold(cause, false);
      queue.store(now);
    } else if (!told && calm >= (CALMS[LAST_STAGE] as number)) stage[cause] = 0;
  }

  /** False: not now. */
  private tell(cause: number, kind: Kind, now: number, targets: number): boolean {
    const { device, queue, count } = this;
    const value = this.valueOf(cause);
    const isNew = !this.stage[cause];
    if (value === undefined || queue.has(cause) || !queue.hasRoom(now, isNew)) return false;
    // Only what is new pushes out others.
    if (!isNew && queue.isFull) return false;
    const { restarts } = device.start;
    const time = device.time();
    queue.add({ cause, kind, count: count[cause] as number, value, restarts, uptime: now, targets, time });
    return true;
  }
}

import { LOG, SERIAL, TELEMETRY, type Effort, type Readable } from "jk-bms/types";
import Time from "time";
import {
  GRACE,
  GRACE_PAUSE,
  GRACE_SHARE,
  IDENTITY_PERIOD,
  IDENTITY_SHARE,
  LOST_IN_A_ROW,
  MAX_WAKES,
  OFFLINE_PATIENCE,
  OFFLINE_POLLS_IN_BANK,
  OFFLINE_ROUNDS,
  OFFLINE_TIME,
  OFFLINE_TURN,
  SILENT_CREDIT,
  SILENT_DEBT,
  SILENT_SHARE,
  URGENT_DEBT,
} from "./limits";
import type { PackRecord } from "./pack-record";
import type { PollSchedule } from "./schedule";
import type { BusPack } from "./types";

/**
 * Several packs share the bus. In a round each pack that answers is polled once, in the order of the list; then those that do not, one after
 * the other, until one stays silent: together they take one part in SILENT_SHARE of the bus's time. At a start, and when one has fallen silent, it is
 * one part in GRACE_SHARE, and one after the other is tried: on a bad line it would take minutes otherwise until all are back. A pack that fails a
 * poll, unless it answered nearly all before, is one of them until it answers, so that an intermittent pack costs no more bus time than an absent
 * one. Packs are not demoted for a lossy line: one that usually answers is asked up to twice more in a poll. When one in five replies is lost, a
 * round takes some 1.5 times as long for it; when packs fall silent together, only LOST_IN_A_ROW of them are asked again.
 */
export class RoundRobin implements PollSchedule {
  readonly catchesUp = true;
  private readonly packs: readonly PackRecord[];
  /** Polls in a row of this round that were lost although they were repeated. */
  private lost = 0;
  /** From then on, ticks, a serial number may be asked for again. */
  private identifyAt = Time.ticks;
  /** Until then, ticks, silent packs have one part in GRACE_SHARE. */
  private graceUntil = (Time.ticks + GRACE) | 0;
  /** By place, when it began last because of this pack, ticks. */
  private readonly gracedAt: Int32Array;
  /** Bit n: the pack at place n was not silent, and has not answered in this round. */
  private unanswered = 0;
  private urgent: PackRecord | undefined;
  /** Index of the next pack of the round. */
  private at = 0;
  private isRunning = false;
  /** A pack was tried in this round, and was silent. */
  private hasTried = false;
  /** From then on, ticks, a silent pack may be tried. */
  private freeAt = Time.ticks;
  private beganAt = Time.ticks;
  /** The round took longer than planned: the next one was already due at its end. */
  private isLate = false;
  /** After a late round, one slow block may be read although the next round is due. */
  private mayReadOne = false;
  /** Of two kinds of silent packs, those that are offline had no turn last. */
  private offlineNext = false;
  round = 0;

  constructor(packs: readonly PackRecord[]) {
    this.packs = packs;
    this.gracedAt = new Int32Array(packs.length).fill((Time.ticks - GRACE_PAUSE) | 0);
  }

  begin(): void {
    const now = Time.ticks;
    this.isRunning = true;
    this.round = this.isLate ? (now - this.beganAt) | 0 : 0;
    this.beganAt = now;
    this.at = 0;
    this.hasTried = this.mayReadOne = false;
    this.lost = 0;
    if (this.unanswered) this.noticeSilence(now);
    // Also keeps the difference far from the wrap of the ticks.
    if (((now - SILENT_CREDIT - this.freeAt) | 0) > 0) this.freeAt = (now - SILENT_CREDIT) | 0;
  }

  /** Packs that have fallen silent are asked often for a while. */
  private noticeSilence(now: number): void {
    const { gracedAt, packs, unanswered } = this;
    this.unanswered = 0;
    for (let place = 0; place < packs.length; place++) {
      const hasFallen = (unanswered >> place) & 1 && (packs[place] as PackRecord).isSilent;
      if (!hasFallen || (now - (gracedAt[place] as number)) >>> 0 < GRACE_PAUSE) continue;
      gracedAt[place] = now;
      this.graceUntil = (now + GRACE) | 0;
    }
  }

  next(isDue: boolean): PackRecord | undefined {
    const { packs, urgent } = this;
    if (urgent && this.debt < URGENT_DEBT && !urgent.rests) {
      this.urgent = undefined;
      return urgent;
    }
    if (!this.isRunning) return undefined;
    while (this.at < packs.length) {
      const pack = packs[this.at++] as PackRecord;
      if (!pack.isSilent && !pack.rests) return pack;
    }
    const silent = this.hasTried ? undefined : this.nextSilent();
    if (silent) return silent;
    this.isRunning = false;
    this.isLate = this.mayReadOne = isDue;
    return undefined;
  }

  slow(isDue: boolean): PackRecord | undefined {
    if (isDue && !this.mayReadOne) return undefined;
    this.mayReadOne = false;
    let oldest: PackRecord | undefined;
    // The pack that has been read least: its settings are still missing, others' would only be read again.
    for (const pack of this.packs)
      // A pack that does not serve its blocks waits like one that is silent.
      if (
        pack.slow.due !== undefined &&
        !(pack.slow.hasFailed && this.debt > 0) &&
        (!oldest || (oldest.slow.loaded && !pack.slow.loaded))
      )
        oldest = pack;
    return oldest ?? this.nextToIdentify();
  }

  /** The pack whose serial number has not been asked for longest, IDENTITY_PERIOD at least. */
  private nextToIdentify(): PackRecord | undefined {
    const now = Time.ticks;
    if (((this.identifyAt - now) | 0) > 0) return undefined;
    let least = IDENTITY_PERIOD;
    let found: PackRecord | undefined;
    for (const pack of this.packs) {
      const age = (now - pack.identifiedAt) | 0;
      if (pack.failures || !pack.slow.deviceInfoRead || age < least) continue;
      least = age;
      found = pack;
    }
    return found;
  }

  /** A silent pack holds up the others: it is asked once, and woken once, since it may be asleep. */
  effort(pack: PackRecord, what: Readable): Effort {
    // It is asked for again soon.
    if (what === SERIAL) return "once";
    // It is asked for again in an hour.
    if (what === LOG) return "twice";
    // What is asked twice may be answered twice.
    if (pack.isLate) return "once";
    if (pack.isTrusted) return this.lost < LOST_IN_A_ROW ? "thrice" : "once";
    const { failures } = pack;
    if (!failures) return this.hasGrace(pack) ? "twice" : "once";
    return what === TELEMETRY && failures <= MAX_WAKES ? "wake" : "once";
  }

  ended(pack: PackRecord, what: Readable, ms: number, ok: boolean): void {
    if (what === SERIAL) this.identifyAt = (Time.ticks + IDENTITY_SHARE * ms) | 0;
    if (ok) {
      if (what === TELEMETRY) this.lost = 0;
      return;
    }
    if (what === TELEMETRY && !pack.isSilent) this.unanswered |= 1 << pack.index;
    if (what === TELEMETRY && pack.isTrusted) return void this.lost++;
    const now = Time.ticks;
    const hasGrace = this.hasGrace(pack);
    // While many are to be found, what is slow to read does not delay them.
    if (hasGrace && what !== TELEMETRY) return;
    this.hasTried = !hasGrace;
    // A block that one that answers does not serve waits for its turn, too, and the silent ones not for all of that.
    const share = hasGrace || pack.isTrusted ? GRACE_SHARE : SILENT_SHARE;
    const debt = Math.max(this.debt, -SILENT_CREDIT) + share * ms;
    this.freeAt = (now + Math.min(debt, SILENT_DEBT)) | 0;
  }

  /** Not one that answers late: what comes late would be taken for the reply to what is asked soon. */
  private hasGrace({ hasBeenLate }: PackRecord): boolean {
    return !hasBeenLate && ((this.graceUntil - Time.ticks) | 0) > 0;
  }

  hasten(pack: BusPack): boolean {
    this.urgent = this.packs[pack.index];
    return true;
  }

  patience(failures: number, cycle: number): number {
    const limit = Math.max(OFFLINE_ROUNDS * cycle, OFFLINE_TIME);
    return failures < OFFLINE_POLLS_IN_BANK ? limit * OFFLINE_PATIENCE : limit;
  }

  /** ms until a silent pack may be tried; negative: it may. */
  private get debt(): number {
    return (this.freeAt - Time.ticks) | 0;
  }

  /**
   * Of the packs that are still online the one that has waited longest: one missed reply is not to make it old. Those that are not online take
   * turns with them once they have waited for OFFLINE_TURN.
   */
  private nextSilent(): PackRecord | undefined {
    const { packs } = this;
    // If none answers, nobody waits.
    if (this.debt > 0 && packs.some((pack) => !pack.isSilent)) return undefined;
    const online = this.longestSilent(true);
    const offline = this.longestSilent(false);
    if (!online || !offline) return online ?? offline;
    const hasWaited = !offline.polls || ((Time.ticks - offline.askedAt) | 0) >= OFFLINE_TURN;
    this.offlineNext = hasWaited && !this.offlineNext;
    return this.offlineNext ? offline : online;
  }

  private longestSilent(online: boolean): PackRecord | undefined {
    let found: PackRecord | undefined;
    for (const pack of this.packs) {
      if (!pack.isSilent || pack.online !== online || this.wasAsked(pack) || pack.rests) continue;
      if (!found || ((pack.askedAt - found.askedAt) | 0) < 0) found = pack;
    }
    return found;
  }

  /** In this round. */
  private wasAsked({ askedAt, polls }: PackRecord): boolean {
    return polls > 0 && ((askedAt - this.beganAt) | 0) >= 0;
  }
}

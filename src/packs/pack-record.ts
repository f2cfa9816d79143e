import * as FIELDS from "jk-bms/field-table";
import { offsetOf, readRaw, readText } from "jk-bms/fields";
import { BLOCK_BYTES } from "jk-bms/limits";
import {
  DEVICE_INFO,
  FURTHER,
  LOG,
  SERIAL,
  SETUP,
  TELEMETRY,
  type BlockImage,
  type BlockType,
  type PackListener,
  type ReadMode,
  type WriteResult,
} from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";
import Time from "time";
import { isImpossible } from "../conditions/impossible";
import { lastBlock, settledSetup } from "../catalogue/read";
import { concernsOf, measurementIn } from "../conditions/judgement";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import {
  BEHIND,
  CARRIES_NOTHING,
  CONTRADICTION,
  ENERGY_SHORT,
  LATE,
  LINK,
  LINK_WEAK,
  OFF_VOLTAGE,
  OTHER_MASTER,
  SHARED,
  SWAPPED,
  TAIL_OLD,
} from "../conditions/rows";
import { knownBy, SLOW } from "../conditions/table";
import type { Measured } from "../conditions/types";
import type { Comparison } from "./comparison";
import { GuardedWrites } from "./guarded-writes";
import { fingerprintOf } from "./fingerprint";
import {
  IDENTITY_PERIOD,
  LATE_FROM,
  LATE_PAUSE,
  LATENESS,
  LOG_PERIOD,
  LONE_SETUP_PERIOD,
  MAX_LATENESS,
  MAX_TRUST,
  OFFLINE_POLLS,
  SETUP_PERIOD,
  TAIL_OLD_AFTER,
  TAILS_MISSED,
  SHORT_BY,
  TRUST_LOST,
  TRUSTED,
} from "./limits";
import type { EnergyGaps } from "./energy-gaps";
import type { LinkQuality } from "./link-quality";
import type { BmsLink } from "./link";
import { Presence } from "./presence";
import type { SharedAddresses } from "./shared-addresses";
import { changesBetween, SettingChanges, type ChangedBy, type SettingChange } from "./setting-changes";
import { SlowBlocks } from "./slow-blocks";
import { NO_REPLIES, type BusPack, type NoReply, type PackIdentity } from "./types";

/** Placeholder for a block not read yet: as long as one, so that no row that reads it throws, whatever it forgets to ask. */
const UNREAD: BlockImage = Object.freeze(
  { view: new DataView(new ArrayBuffer(BLOCK_BYTES)), littleEndian: false, valid: false },
  true,
);

/** What was confirmed may be another pack's. */
const EXCHANGED = Object.freeze({ outcome: "exchanged" } as const);

/** The bus that the packs are on. */
export interface PackOwner {
  readonly packs: readonly unknown[];
  /** Of all packs, by `index`. */
  readonly quality: LinkQuality;
  readonly shared: SharedAddresses;
  readonly gaps: EnergyGaps;
  readonly comparison: Comparison | undefined;
  /** Seconds since boot. */
  readonly uptime: number;
  /** ms between two polls of a pack, as expected. */
  readonly cycle: number;
  /** Nothing is sent: the values are those that another master is answered. */
  readonly listening: boolean;
  /** Another master is on the bus, although the bus is to be this device's. */
  readonly isDisturbed: boolean;
  /** See PollSchedule. */
  patience(failures: number): number;
  /** A block has been filled from what another master was answered. */
  foreignBlock(pack: PackRecord, block: BlockType, once: boolean): void;
  /** Must not throw. */
  packOnlineChanged(pack: PackRecord): void;
  /** The serial number of a pack has been read whose identity has none yet. */
  packIdentified(pack: PackRecord): void;
  /** Another pack than expected answers at its address. */
  packSwapped(pack: PackRecord): void;
  /** It does not answer: see `noReply`. */
  packUnanswered(pack: PackRecord): void;
  /** All of its settings have been read. */
  packSettled(pack: PackRecord): void;
  /** What is set in it has changed, and not by a confirmed write. */
  settingChanged(pack: PackRecord, change: SettingChange): void;
}

/** What is known of one pack on the bus: its blocks, whether it answers, and what needs attention. */
export class PackRecord extends Presence implements BusPack, PackListener {
  private readonly owner: PackOwner;
  readonly slow = new SlowBlocks();
  index: number;
  identity: PackIdentity;
  /** It did not answer the last polls, or has not been asked yet. */
  isSilent = true;
  /** How many of its last polls it answered, up to MAX_TRUST: less TRUST_LOST for each that it did not. */
  private trust = 0;
  /** Of the last telemetry: MOSFETs and capacity. */
  private shown: number | undefined;
  /** When it last reported its serial number, or was asked in vain, ticks. */
  identifiedAt = 0;
  /** Another pack answers at its address: nothing is written to it. */
  isSwapped = false;
  noReply: NoReply | undefined;
  /** See LATENESS. */
  private lateness = 0;
  /** How many polls had ended at the last late reply. */
  private lateSince = -1;
  /** Kinds of failure already reported since its last reply: bits of NO_REPLIES. */
  private reportedFailures = 0;
  /** When its log was read, seconds since boot. */
  private logReadAt: number | undefined;
  /** When it was polled last, ticks. */
  askedAt = 0;
  /** The way to it; undefined while the bus is closed. */
  link: BmsLink | undefined;
  /** The write to it that has not ended, of one of several. */
  private guarded: GuardedWrites | undefined;
  /** Identifier of the pack whose settings are known; empty: it tells none; undefined: it may be another by now. */
  private settingsOf: string | undefined;
  /** Who may have changed them since they were read. */
  private changedBy: ChangedBy = "unknown";
  private changes: SettingChanges | undefined;

  /** Incremented whenever the pack's documents may have changed; wraps. */
  revision = 0;
  /** The same without changes by telemetry. */
  setupRevision = 0;
  kept = sets.NONE;
  private _found = sets.NONE;
  /** The revision that it was found at. */
  private judgedAt = -1;
  private _isOdd = false;
  /** The setup's revision that it was found at. */
  private oddAt = -1;

  constructor(owner: PackOwner, index: number, identity: PackIdentity) {
    super();
    this.owner = owner;
    this.index = index;
    this.identity = identity;
  }

  get uptime(): number {
    return this.owner.uptime;
  }

  patience(failures: number): number {
    return this.owner.patience(failures);
  }

  get cycle(): number {
    return this.listening ? this.overheardCycle : this.owner.cycle;
  }

  get label(): number | undefined {
    return this.isOneOfSeveral ? this.identity.address : undefined;
  }

  /** A pack alone on its bus needs no name, and may be replaced by another at any time. */
  private get isOneOfSeveral(): boolean {
    return this.owner.packs.length > 1;
  }

  get listening(): boolean {
    return this.owner.listening;
  }

  get readMode(): ReadMode | undefined {
    return this.link?.activeReadMode;
  }

  get configurationLoaded(): boolean {
    return this.slow.loaded;
  }

  get heardOnce(): boolean {
    return this.slow.setupOnce;
  }

  get identityHeardOnce(): boolean {
    return this.slow.deviceInfoOnce;
  }

  get telemetry(): BlockImage {
    return this.link?.telemetry ?? UNREAD;
  }

  get setup(): BlockImage {
    return this.link && this.slow.setupRead ? this.link.setup : UNREAD;
  }

  get deviceInfo(): BlockImage {
    return this.link && this.slow.deviceInfoRead ? this.link.deviceInfo : UNREAD;
  }

  /** Whole seconds since the last valid telemetry reply; undefined before the first, of a reopened link too: its values are unknown again. */
  get telemetryAge(): number | undefined {
    return this.telemetry.valid ? this.seconds : undefined;
  }

  /** The same in milliseconds; to the second when older than a day. */
  get age(): number | undefined {
    return this.telemetry.valid ? this.milliseconds : undefined;
  }

  get setupAge(): number {
    return this.slow.setupAge;
  }

  get systemLog(): Uint8Array | undefined {
    return this.logReadAt === undefined ? undefined : this.link?.systemLog;
  }

  get systemLogAge(): number {
    return this.uptime - (this.logReadAt ?? this.uptime);
  }

  get concerns(): Conditions {
    const { found, kept } = this;
    const counted = sets.without(found, SLOW);
    return kept === sets.NONE ? counted : sets.plus(counted, sets.common(kept, knownBy(found)));
  }

  get found(): Conditions {
    if (this.judgedAt !== this.revision) {
      this.judgedAt = this.revision;
      const { index, owner } = this;
      let found = concernsOf(this);
      if (this.online) {
        const { comparison, gaps, quality } = owner;
        if (comparison) found = sets.plus(found, comparison.concernsOf(index));
        if (this.tailAge > this.tailLimit) found = sets.plus(found, TAIL_OLD);
        if (quality.isWeak(index)) found = sets.plus(found, quality.isPoor(index) ? LINK : LINK_WEAK);
        if (gaps.isShort(index)) found = sets.plus(found, ENERGY_SHORT);
        if (this.isOdd) found = sets.plus(found, CONTRADICTION);
      } else if (this.isLate) found = sets.plus(found, LATE);
      if (owner.isDisturbed) found = sets.plus(found, OTHER_MASTER);
      if (this.isSwapped) found = sets.plus(found, SWAPPED);
      if (this.isContested) found = sets.plus(found, SHARED);
      this._found = found;
    }
    return this._found;
  }

  /** Its settings, or what it says that it is, cannot be. */
  private get isOdd(): boolean {
    if (this.oddAt !== this.setupRevision) {
      this.oddAt = this.setupRevision;
      const setup = settledSetup(this);
      const info = this.identityHeardOnce ? undefined : lastBlock(this, DEVICE_INFO);
      this._isOdd =
        (setup && this.isImpossible(SETUP, setup)) || (info && this.isImpossible(DEVICE_INFO, info)) || false;
    }
    return this._isOdd;
  }

  /** ms. */
  private get tailAge(): number {
    return this.link?.tailAge ?? 0;
  }

  /** ms: one pack's is read in a round. */
  private get tailLimit(): number {
    const { cycle, packs } = this.owner;
    return Math.max(TAIL_OLD_AFTER, TAILS_MISSED * packs.length * cycle);
  }

  measurementOf(row: Conditions): Measured | undefined {
    const { index, owner } = this;
    if (row === CARRIES_NOTHING || row === OFF_VOLTAGE || row === BEHIND)
      return owner.comparison?.measurementOf(index, row);
    if (row === LINK || row === LINK_WEAK) return owner.quality.measurementOf(index, row === LINK);
    if (row === TAIL_OLD) return [Math.floor(this.tailAge / 1000), Math.floor(this.tailLimit / 1000)];
    if (row === ENERGY_SHORT) return [owner.gaps.shareOf(index), SHORT_BY];
    return measurementIn(this, row);
  }

  /** Its serial number; empty: not read since it came online, or it has none. */
  get serialNumber(): string {
    const { deviceInfo } = this;
    return deviceInfo.valid ? readText(deviceInfo, FIELDS.serialNumber) : "";
  }

  /** Its identifier: its serial number, else the fingerprint of its device information and number of cells. Empty: unknown, or heard a single time. */
  get identifier(): string {
    return this.identityHeardOnce ? "" : this.identify(true);
  }

  /** @param named with its Bluetooth name, which may be written to */
  identify(named: boolean): string {
    const { deviceInfo, serialNumber, telemetry } = this;
    if (serialNumber || !deviceInfo.valid) return serialNumber;
    return fingerprintOf(deviceInfo, telemetry, named);
  }

  /** It usually answers: a lost reply is asked for again. */
  get isTrusted(): boolean {
    return this.trust >= TRUSTED;
  }

  /** Its documents may have changed, by more than telemetry. */
  changed(): void {
    this.revision = (this.revision + 1) | 0;
    this.setupRevision = (this.setupRevision + 1) | 0;
  }

  /** Its telemetry has been read, heard or missed. */
  telemetryChanged(): void {
    this.revision = (this.revision + 1) | 0;
    if (this.changes?.isSure) this.reportChanges();
  }

  resume(present: Conditions): void {
    const { index, owner, uptime } = this;
    if (sets.hasAny(present, SHARED)) owner.shared.resume(index, uptime);
    if (sets.hasAny(present, BEHIND)) owner.comparison?.resume(index);
  }

  /** Two packs answer at its address: nothing is written to them. */
  get isContested(): boolean {
    return this.owner.shared.stands(this.index, this.owner);
  }

  /** Called by the link, and when two packs have answered in turn. */
  onSecondReply(): void {
    if (this.owner.shared.proved(this.index, this.owner)) this.changed();
  }

  /** Called by the link. What is asked twice is answered twice. */
  onLateReply(): void {
    if (this.lateSince === this.polls) return;
    this.lateSince = this.polls;
    this.lateness = Math.min(this.lateness + LATENESS, MAX_LATENESS);
  }

  /** It has answered late since its last reply in time. */
  get hasBeenLate(): boolean {
    return this.lateness > 0;
  }

  /** It is not polled yet: what comes late is not to meet the next poll. */
  get rests(): boolean {
    return this.hasBeenLate && (Time.ticks - this.askedAt) >>> 0 < LATE_PAUSE;
  }

  /** It answers, but after the time that is waited for. */
  get isLate(): boolean {
    return this.lateness >= LATE_FROM;
  }

  /**
   * A telemetry poll has ended: `ok` with a valid reply. `instead`: index of NO_REPLIES. `isRepeated`: not all of its requests were answered, and the
   * reply may be one to the first.
   */
  polled(ok: boolean, instead: number, isRepeated = false): void {
    // It may have been replaced meanwhile.
    if (this.failures) this.identifyNext();
    const left = this.trust - TRUST_LOST;
    this.trust = ok ? Math.min(this.trust + 1, MAX_TRUST) : left < TRUSTED ? 0 : left;
    this.isSilent = !ok && !this.isTrusted;
    this.slow.polled(ok);
    if (!ok) {
      const wasLate = this.isLate;
      this.lateness = Math.max(this.lateness - 1, 0);
      const { isLate } = this;
      // Whoever was told so learns that it no longer is.
      if (wasLate && !isLate) this.reportedFailures = 0;
      this.noReply = isLate ? "late" : NO_REPLIES[instead];
      this.failed();
      return this.reportFailure(1 << (isLate ? NO_REPLIES.length : instead));
    }
    this.noReply = undefined;
    if (!isRepeated) this.lateness = 0;
    this.reportedFailures = 0;
    this.succeeded();
    this.compareSwitches();
  }

  /** Once it is offline, each kind once: a line may be silent and noisy in turn. */
  private reportFailure(bit: number): void {
    if (this.online || this.failures < OFFLINE_POLLS || this.reportedFailures & bit) return;
    this.reportedFailures |= bit;
    this.owner.packUnanswered(this);
  }

  /** A switch or the capacity may have been changed in the vendor's app: the telemetry shows what the BMS made of it. */
  private compareSwitches(): void {
    const { index, owner, telemetry } = this;
    const { littleEndian, valid, view } = telemetry;
    if (!valid) return;
    if (owner.shared.alternates(index, telemetry)) this.onSecondReply();
    const shown =
      view.getUint16(offsetOf(FIELDS.chargeMos)) ^ view.getInt32(offsetOf(FIELDS.fullCapacity), littleEndian);
    if (this.shown !== undefined && this.shown !== shown) this.slow.suspect();
    this.shown = shown;
  }

  /** Called by the link. Without a serial number or a time to sleep that it had it may be a reply of zeros. */
  isImpossible(block: BlockType, image: BlockImage): boolean {
    const isGone =
      block === SETUP
        ? readRaw(this.setup, FIELDS.smartSleepTime) && !readRaw(image, FIELDS.smartSleepTime)
        : this.serialNumber && !readText(image, FIELDS.serialNumber);
    return Boolean(isGone) || isImpossible(block, image);
  }

  /** Called by the link. What may be another pack's is no change: if it can be asked, it is asked first who it is. */
  onNewSettings(before: BlockImage, after: BlockImage, block: BlockType): void {
    const { identifier, listening, settingsOf } = this;
    if (block === DEVICE_INFO && readText(before, FIELDS.softwareVersion) !== readText(after, FIELDS.softwareVersion))
      this.changedBy = "update";
    if (this.isSwapped || this.isContested || settingsOf === undefined) return;
    if (identifier !== settingsOf && (listening || (identifier && settingsOf))) return;
    const changes = changesBetween(before, after, block, this.changedBy);
    if (!changes.length) return;
    this.changes ??= new SettingChanges();
    this.changes.add(changes);
    if (listening) this.reportChanges();
    else this.slow.request(DEVICE_INFO);
  }

  /** They are of the pack that answers. */
  private reportChanges(): void {
    const { changes, owner, uptime } = this;
    if (!changes) return;
    changes.isSure = true;
    const now = changes.take(uptime);
    if (!now) this.changes = undefined;
    else for (const change of now) owner.settingChanged(this, change);
  }

  /** Settings or device information have been read, or could not be. */
  private compareOwner(block: BlockType, ok: boolean): void {
    const { changes, identifier, settingsOf } = this;
    const isUnsure = changes !== undefined && !changes.isSure;
    if (block === SETUP) {
      if (ok && !isUnsure) this.settingsOf = identifier;
      if (ok && !this.listening) this.changedBy = "unknown";
      return;
    }
    if (isUnsure && (ok || !settingsOf)) {
      if (identifier === settingsOf && !this.isSwapped && !this.isContested) this.reportChanges();
      else this.changes = undefined;
    }
    if (ok && this.slow.setupRead) this.settingsOf = identifier;
  }

  /** Called by the link. */
  onForeignBlock(block: BlockType, once: boolean): void {
    this.owner.foreignBlock(this, block, once);
  }

  /** What another master was answered counts, in any order: it may ask for the settings first, and never again. */
  take(block: BlockType, once = false): void {
    if (block === TELEMETRY) {
      this.telemetryChanged();
      this.answeredOther();
    } else if (this.online) this.blockEnded(block, true, once);
    else this.slow.heard(block, once);
  }

  /** The polls end, or what another master is answered no longer counts. */
  override listeningChanged(): void {
    this.changed();
    this.lateness = 0;
    if (this.listening) this.changedBy = "master";
    else if (this.slow.setupOnce || this.slow.deviceInfoOnce) {
      this.slow.request(DEVICE_INFO);
      this.slow.request(SETUP);
    }
    super.listeningChanged();
  }

  /** The bus has been opened; undefined: it is being closed. */
  connect(link: BmsLink | undefined): void {
    this.link = link;
    if (link) link.listener = this;
  }

  /** The bus has been closed: its blocks are unknown again. */
  forget(): void {
    this.changed();
    this.slow.forget();
    this.logReadAt = undefined;
    this.isSilent = true;
    this.trust = this.lateness = 0;
    this.end();
  }

  wentOnline(): void {
    this.changed();
    this.slow.wentOnline(this.listening);
    this.logReadAt = undefined;
    // It may have replied to another master before.
    this.compareIdentity();
    this.owner.packOnlineChanged(this);
  }

  wentOffline(): void {
    this.changed();
    this.slow.wentOffline();
    this.settingsOf ||= undefined;
    this.owner.packOnlineChanged(this);
  }

  /** Its name or serial number has changed: an owner may have accepted another pack. */
  rename(identity: PackIdentity): void {
    this.identity = identity;
    this.changed();
    this.compareIdentity(false);
  }

  /**
   * Its place among the packs of the bus, which is closed, has changed.
   * @param revision above all earlier ones of any pack: a document is cached by its place
   */
  moveTo(index: number, identity: PackIdentity, revision: number): void {
    this.index = index;
    this.identity = identity;
    this.isSwapped = false;
    this.revision = this.setupRevision = revision;
  }

  /** Whether the pack at this address is still the same, of several. @param isRead what it is has been read */
  private compareIdentity(isRead = true): void {
    const { identifier, identity } = this;
    if (!identifier || !this.isOneOfSeveral) return;
    const isSwapped = identity.serial !== "" && identity.serial !== identifier;
    if (!identity.serial) this.owner.packIdentified(this);
    if (this.isSwapped === isSwapped) return;
    this.isSwapped = isSwapped;
    this.changed();
    if (isSwapped) this.owner.packSwapped(this);
    // Two of them answer in turn.
    else if (isRead) this.onSecondReply();
  }

  /** Its serial number is asked for as soon as possible. */
  private identifyNext(): void {
    this.identifiedAt = (Time.ticks - IDENTITY_PERIOD) | 0;
  }

  /** Its Bluetooth name has been written: without a serial number it is known by that. */
  renamed(): void {
    if (!this.isSwapped && this.identity.serial && !this.serialNumber) this.owner.packIdentified(this);
  }

  /** What it is has been read, all of the device information or the serial number alone; or could not be. */
  identified(what: BlockType | typeof SERIAL, ok: boolean): void {
    this.identifiedAt = Time.ticks;
    if (what !== SERIAL) return this.blockEnded(what, ok);
    if (!ok) return;
    const before = this.isSwapped;
    this.compareIdentity();
    if (this.isSwapped === before) return;
    // All else that is known of it is another pack's.
    this.slow.request(DEVICE_INFO);
    this.slow.request(SETUP);
    this.slow.requestLog(0);
    this.logReadAt = undefined;
  }

  /** A block or the log has been read, or could not be. */
  blockEnded(block: BlockType | typeof LOG | typeof FURTHER, ok: boolean, once = false): void {
    if (block === FURTHER) {
      // No document that is kept has them: it has not changed.
      this.slow.furtherEnded(ok);
      const { changes, identifier, isContested, isSwapped, owner, settingsOf } = this;
      const isSettled = ok && identifier && identifier === settingsOf && !changes && !isContested && !isSwapped;
      return isSettled ? owner.packSettled(this) : undefined;
    }
    if (block === LOG) {
      // Not every pack reports it: asked again in an hour, too, after a failure.
      if (ok) this.logReadAt = this.uptime;
      this.slow.polled(ok);
      return this.slow.requestLog(LOG_PERIOD);
    }
    this.changed();
    this.slow.ended(block, ok, this.isOneOfSeveral ? SETUP_PERIOD : LONE_SETUP_PERIOD, once);
    if (block === DEVICE_INFO) {
      this.identifiedAt = Time.ticks;
      if (ok) this.compareIdentity();
    }
    this.compareOwner(block, ok);
  }

  /**
   * See BmsLink. One of several is written to only while it is the pack that is expected.
   * @param serial what was expected when the write was asked for
   * @throws Error while the bus is closed
   */
  write(
    name: WriteName,
    value: number | string,
    timeout: number,
    done: (result: WriteResult) => void,
    serial: string,
  ): void {
    const { link } = this;
    if (!link) throw new Error("the bus is closed");
    this.guarded = this.isOneOfSeveral ? new GuardedWrites(this, link, serial) : undefined;
    (this.guarded ?? link).write(name, value, timeout, (result) => {
      // Before `done`, which may begin the next one.
      this.guarded = undefined;
      done(this.isContested && result.outcome === "confirmed" ? EXCHANGED : result);
    });
  }

  /** See WritablePack. */
  abandonWrite(): boolean {
    return this.guarded?.abandon() ?? true;
  }

  /** A write to it has ended: the block is read again, whatever the outcome, since the BMS has the final say. */
  written(block: BlockType | undefined): void {
    this.changed();
    if (block !== DEVICE_INFO) this.changedBy = "device";
    this.slow.request(block);
  }
}

import type KeyValueStorage from "embedded:storage/key-value";
import { DEVICE_INFO, TELEMETRY, type BlockImage, type BlockType, type Effort, type ReadOutcome } from "jk-bms/types";
import Time from "time";
import Timer from "timer";
import { repeat, type Timed } from "../runtime/timers";
import { Observers } from "../runtime/observers";
import type { BmsSettings } from "../settings/types";
import type { BmsBus, BmsLink, BusOpener } from "../packs/link";
import { GuardedWrites } from "../packs/guarded-writes";
import { LinkQuality } from "../packs/link-quality";
import { PackRecord, type PackIdentity, type PackOwner } from "../packs/pack-record";
import { PackSearch, type SearchOwner } from "../packs/search";
import { Turns } from "../packs/turns";
import type { SearchProblem } from "../packs/types";
import { LINK_STUCK } from "./limits";
import type { BmsObserver, ObservedMonitor, Writes } from "./types";
import { Uptime } from "./uptime";
import { WriteQueue, type WriteQueueOwner } from "./write-queue";
import type { WriteCounters } from "./write-counters";
import type { Write } from "./write-report";

export interface BmsMonitorOptions {
  /** Never modified: changes arrive through `reconfigure`. */
  readonly settings: BmsSettings;
  readonly opener: BusOpener;
  /** All packs, the first included, whose address is that of `settings`. Default: the first alone. */
  readonly packs?: readonly PackIdentity[];
}

const noPacks: readonly PackIdentity[] = Object.freeze([], true);

/**
 * Polls the BMS and keeps its latest replies. One transaction at a time, in this order: a waiting write, telemetry when
 * due, then device information and setup when due. Polls do not queue: one that falls due during another poll is
 * skipped, so after a slow poll the next keeps to the schedule.
 */
export class BmsMonitor implements ObservedMonitor, PackOwner, SearchOwner, WriteQueueOwner, Timed {
  private readonly opener: BusOpener;
  private readonly queue = new WriteQueue(this);
  private readonly _uptime = new Uptime();
  /** The pack that `/api` and all interfaces show. */
  private readonly first: PackRecord;
  private readonly turns: Turns;
  quality: LinkQuality;
  private readonly observers = new Observers<BmsObserver>();

  private linkSettings: BmsSettings;
  private _bus: BmsBus | undefined;
  private heartbeat: Timer | undefined;
  /** Start of the last transaction, ticks. */
  private started = 0;
  /** Wrong checksums until then. */
  private garbled = 0;
  private openFailed = false;

  private _listening = false;
  private masterPresent = false;
  private pollDue = false;
  private polling = false;
  search: PackSearch | undefined;
  /** One write of a setting for all packs, or one question of a search, may come although the next round is due. */
  private mayAsk = false;
  private _pollsBegun = 0;
  private resolvedTimer: Timer | undefined;
  /** The observers have not been told of the last write's end. */
  private resolvedDue = false;
  /** … to this further pack. */
  private resolvedPack: PackRecord | undefined;

  constructor({ settings, opener, packs = noPacks }: BmsMonitorOptions) {
    this.linkSettings = settings;
    this.opener = opener;
    this.quality = new LinkQuality(Math.max(1, packs.length));
    const { address } = settings;
    this.first = new PackRecord(this, 0, packs[0] ?? { address, name: "", serial: "" });
    this.turns = new Turns([this.first]);
    this.turns.packs = this.recordsOf(packs);
    this.queue.resume();
  }

  /** For the queue, like the next one and `online`. */
  get storage(): typeof KeyValueStorage | undefined {
    return this.opener.storage;
  }

  get firstPack(): PackRecord {
    return this.first;
  }

  /** All packs, the first included: it is the one with the address of the settings. */
  get packs(): readonly PackRecord[] {
    return this.turns.packs;
  }

  get online(): boolean {
    return this.first.online;
  }

  get configurationLoaded(): boolean {
    return this.first.configurationLoaded;
  }

  /** Nothing is sent: the values are those that another master is answered. */
  get listening(): boolean {
    return this._listening;
  }

  /** ms between two replies, as expected. */
  get cycle(): number {
    if (this._listening) return this.first.presence.cycle;
    return Math.max(this.linkSettings.interval, this.turns.round);
  }

  /** ms in which each of several packs is asked once. */
  get round(): number | undefined {
    return this.turns.isBank ? this.cycle : undefined;
  }

  get writes(): Writes {
    return this.queue;
  }

  get heard(): number {
    return this._listening ? (this._bus?.heard ?? 0) : 0;
  }

  get telemetry(): BlockImage {
    return this.first.telemetry;
  }

  get setup(): BlockImage {
    return this.first.setup;
  }

  get deviceInfo(): BlockImage {
    return this.first.deviceInfo;
  }

  get revision(): number {
    return this.first.revision;
  }

  get setupRevision(): number {
    return this.first.setupRevision;
  }

  get concerns(): number {
    return this.first.concerns;
  }

  /** Another master is on the bus, which was to be this device's. */
  get isDisturbed(): boolean {
    return this.masterPresent && this.linkSettings.mode === "auto";
  }

  /** Seconds since the monitor was created. */
  get uptime(): number {
    return this._uptime.seconds;
  }

  /** Whole seconds since the last valid telemetry reply; undefined before the first. */
  get telemetryAge(): number | undefined {
    return this.first.telemetryAge;
  }

  /** The same in milliseconds; to the second when older than a day. */
  get age(): number | undefined {
    return this.first.age;
  }

  /** Telemetry polls started since boot. */
  get pollsBegun(): number {
    return this._pollsBegun;
  }

  /** Telemetry polls completed since boot. */
  get polls(): number {
    return this.first.presence.polls;
  }

  /** Completed polls without a valid reply. */
  get lostPolls(): number {
    return this.first.presence.lostPolls;
  }

  /** Outcomes of the writes since boot. */
  get writeCounters(): WriteCounters {
    return this.queue.counters;
  }

  /** Hundredths of a second since the monitor was created. */
  get centiseconds(): number {
    return this._uptime.centiseconds;
  }

  /** The open bus, for its statistics. Undefined before `start` and while it cannot be opened. */
  get bus(): BmsBus | undefined {
    return this._bus;
  }

  observe(observer: BmsObserver): void {
    this.observers.add(observer);
  }

  startSearch(): SearchProblem | undefined {
    if (this._listening) return "listening";
    if (this.search?.isRunning) return "searching";
    if (!this._bus) return "no-bus";
    this.search = new PackSearch(this);
    this.safely(() => this.step());
    return undefined;
  }

  /** Called by the search, like the next two. */
  answeringAt(address: number): PackRecord | undefined {
    return this.turns.packs.find(({ identity, online }) => online && identity.address === address);
  }

  openProbe(address: number, frames: boolean): BmsLink {
    if (!this._bus) throw new Error("the bus is closed");
    return this._bus.openProbe(address, frames);
  }

  closeProbes(): void {
    this._bus?.closeProbes();
  }

  /** Opens the BMS and starts polling; the first poll is immediate. */
  start(): void {
    if (this.heartbeat) return;
    this.heartbeat = repeat(this, this.linkSettings.interval);
    this.tick();
  }

  /**
   * Applies changed settings: the interval, names and serial numbers take effect at the next poll; any other change reopens the BMS.
   * @param packs as in the options; default: as they are
   */
  reconfigure(settings: BmsSettings, packs?: readonly PackIdentity[]): void {
    const old = this.linkSettings;
    this.linkSettings = settings;
    const isOther = packs !== undefined && this.isOtherBank(packs);
    if (packs && !isOther) this.rename(packs);
    if (!this.heartbeat) {
      if (isOther) this.replace(packs);
      return;
    }
    if (old.interval !== settings.interval) Timer.schedule(this.heartbeat, settings.interval, settings.interval);
    if (
      isOther ||
      old.address !== settings.address ||
      old.baud !== settings.baud ||
      old.readMode !== settings.readMode ||
      old.mode !== settings.mode ||
      old.gap !== settings.gap
    )
      this.reopen(isOther ? packs : undefined);
  }

  close(): void {
    Timer.clear(this.heartbeat);
    this.heartbeat = undefined;
    this.closeLink();
    Timer.clear(this.resolvedTimer);
    this.resolvedTimer = undefined;
  }

  /** Called by the heartbeat: telemetry is due. */
  tick(): void {
    try {
      this.beat();
    } catch (error) {
      report(error);
    }
  }

  /** Called by the queue, like the next two. */
  writeAccepted(): void {
    this.safely(() => this.step());
  }

  /** A write was refused since the pack is offline: it may have come back. */
  writeMissed(pack: PackRecord | undefined): void {
    if (!this.turns.isBank) return;
    this.turns.urgent = pack ?? this.first;
    this.safely(() => this.step());
  }

  /** Re-reads the written block, whatever the outcome: the BMS has the final say. */
  writeExecuted(write: Write, pack: PackRecord = this.first): void {
    pack.changed();
    this.safely(() => {
      pack.slow.request(write.parameter?.source.block);
      this.step();
    });
  }

  /** Deferred through a timer, since a write ends at the firmware's deepest stack level; without memory for one, until the next beat. */
  writeResolved(pack?: PackRecord): void {
    if (pack) this.resolvedPack = pack;
    else this.resolvedDue = true;
    this.safely(() => {
      this.resolvedTimer ??= Timer.set(() => {
        this.resolvedTimer = undefined;
        this.tellResolved();
      });
    });
  }

  private tellResolved(): void {
    const { resolvedPack } = this;
    if (resolvedPack) {
      this.resolvedPack = undefined;
      this.observers.tell("packWriteResolved", resolvedPack);
    }
    if (!this.resolvedDue) return;
    this.resolvedDue = false;
    this.observers.tell("writeResolved", this.queue);
  }

  /** Called by the pack, like the next one. */
  wentOnline(pack: PackRecord): void {
    this.tellOnline(pack);
  }

  wentOffline(pack: PackRecord): void {
    this.safely(() => {
      if ((this.queue.target ?? this.first) === pack) this.queue.abandon();
      this.tellOnline(pack);
    });
  }

  private tellOnline(pack: PackRecord): void {
    if (pack === this.first) this.observers.tell("bmsOnlineChanged", pack.online);
    else this.observers.tell("packOnlineChanged", pack);
  }

  /** Called by a pack's link: a block has been filled from what another master is answered. */
  packHeard(pack: PackRecord, block: BlockType): void {
    this.safely(() => {
      this.noticeMaster();
      pack.take(block);
      if (block === TELEMETRY) this.tellUpdated(pack);
      else this.identify(pack, block);
    });
  }

  private tellUpdated(pack: PackRecord): void {
    if (pack === this.first) this.observers.tell("bmsUpdated", this);
    else this.observers.tell("packUpdated", pack);
  }

  private beat(): void {
    this._uptime.update();
    // On XS `for` with `of` takes three times the steps.
    const { turns } = this;
    const { packs } = turns;
    for (let index = 0; index < packs.length; index++) (packs[index] as PackRecord).check();
    if (this.resolvedDue || this.resolvedPack) this.tellResolved();
    this.noticeMaster();
    // Of one pack, the poll that falls due during another is skipped; of several, the next round follows at once.
    if (!this.polling || turns.isBank) this.pollDue = true;
    if (!this._bus) this.openLink();
    else if (((Time.ticks - this.started) | 0) >= LINK_STUCK && this.isBusy) {
      trace("bms: the link is stuck; reopening it\n");
      this.reopen();
    }
    this.step();
  }

  /** Whether another master has come or gone. */
  private noticeMaster(): void {
    const bus = this._bus;
    const listening = bus?.listening ?? false;
    const masterPresent = bus?.masterPresent ?? false;
    if (masterPresent !== this.masterPresent) {
      this.masterPresent = masterPresent;
      for (const pack of this.turns.packs) pack.changed();
      this.observers.tell("otherMasterChanged", masterPresent);
    }
    if (listening === this._listening) return;
    this._listening = listening;
    for (const pack of this.turns.packs) pack.listeningChanged();
    this.quality.reset();
  }

  /** A transaction is in progress, with a pack, or of a search. */
  get isBusy(): boolean {
    return this._bus?.busy ?? false;
  }

  /**
   * Starts the next due transaction if the bus is free. Called whenever something falls due or the bus becomes free.
   */
  private step(): void {
    if (!this._bus || this.isBusy) return;
    if (this.queue.waiting) {
      this.started = Time.ticks;
      this.startWrite();
      if (this.isBusy) return;
    }
    if (this._listening) {
      this.queue.job?.stop();
      return this.search?.stop("listening");
    }
    const { turns } = this;
    let pack = turns.next(this.pollDue);
    if (!pack) {
      const slow = turns.slow(this.pollDue);
      if (slow) return this.read(slow, slow.slow.due as BlockType);
      if (this.asksBetween()) return;
      if (!this.pollDue) return;
      this.pollDue = false;
      this.mayAsk = true;
      turns.begin();
      pack = turns.next(false);
      if (!pack) return;
    }
    this.polling = true;
    if (turns.isBank) {
      this.garbled = this.checksums;
      pack.askedAt = Time.ticks;
    }
    this._pollsBegun++;
    this.read(pack, TELEMETRY);
  }

  /**
   * Starts the next write of a setting for all packs, or asks the next question of a search: in the time that the packs leave, and once a
   * round if they leave none.
   */
  private asksBetween(): boolean {
    const { search, queue } = this;
    if (this.pollDue && !this.mayAsk) return false;
    if (queue.job?.next()) {
      this.mayAsk = false;
      return true;
    }
    if (!search?.isRunning) return false;
    this.mayAsk = false;
    this.started = Time.ticks;
    try {
      return search.next(() => this.safely(() => this.step()));
    } catch (error) {
      trace(`bms: cannot search: ${String(error)}\n`);
      search.stop("interrupted");
      return false;
    }
  }

  /** Wrong ones that the bus has seen. */
  private get checksums(): number {
    return this._bus?.statistics.crcErrors ?? 0;
  }

  private startWrite(): void {
    const pack = this.queue.target ?? this.first;
    const { link } = pack;
    if (!link) return;
    if (!this.turns.isBank) return this.queue.start(link);
    // Made for one write: it is released when that has ended.
    this.queue.start(new GuardedWrites(pack, link, () => this.identify(pack, DEVICE_INFO)));
  }

  /** What a read may cost: of several packs one that is silent holds up the others. */
  private effortFor({ failures }: PackRecord, block: BlockType): Effort {
    // It may be asleep: it is woken once.
    return block === TELEMETRY && failures === 1 ? "wake" : "once";
  }

  private read(pack: PackRecord, block: BlockType): void {
    this.started = Time.ticks;
    const { link } = pack;
    try {
      const effort = this.turns.isBank ? this.effortFor(pack, block) : undefined;
      (link as BmsLink).read(
        block,
        (outcome) => {
          // Ignore late callbacks of a closed link.
          if (link === pack.link) this.ended(pack, block, outcome);
        },
        effort,
      );
    } catch (error) {
      trace(`bms: cannot start a read: ${String(error)}\n`);
      this.done(pack, block, "no-reply");
    }
  }

  private ended(pack: PackRecord, block: BlockType, outcome: ReadOutcome): void {
    try {
      this.done(pack, block, outcome);
    } catch (error) {
      report(error);
    }
    try {
      this.step();
    } catch (error) {
      report(error);
    }
  }

  private done(pack: PackRecord, block: BlockType, outcome: ReadOutcome): void {
    if (outcome === "withheld") {
      // Neither good nor bad: another master was heard first.
      this.polling = false;
      return this.noticeMaster();
    }
    const ok = outcome === "ok";
    if (!ok && this.turns.isBank) this.turns.failed((Time.ticks - this.started) | 0);
    if (block !== TELEMETRY) {
      pack.changed();
      pack.slow.ended(block, ok);
      if (ok) this.identify(pack, block);
      return;
    }
    this.polling = false;
    pack.telemetryChanged();
    pack.polled(ok, this.turns.isBank && this.checksums !== this.garbled);
    if (ok) this.tellUpdated(pack);
  }

  /** Whether the pack at this address is still the same, of several; one pack alone may be replaced. */
  private identify(pack: PackRecord, block: BlockType): void {
    if (block !== DEVICE_INFO || !this.turns.isBank) return;
    const { serialNumber, identity } = pack;
    if (!serialNumber) return;
    const isSwapped = identity.serial !== "" && identity.serial !== serialNumber;
    if (!identity.serial) this.observers.tell("packIdentified", pack);
    if (pack.isSwapped === isSwapped) return;
    pack.isSwapped = isSwapped;
    pack.changed();
    if (isSwapped) this.observers.tell("packSwapped", pack);
  }

  private recordsOf(packs: readonly PackIdentity[]): readonly PackRecord[] {
    return packs.length > 1
      ? [this.first, ...packs.slice(1).map((identity, index) => new PackRecord(this, index + 1, identity))]
      : [this.first];
  }

  /** Other packs, or at other addresses. */
  private isOtherBank(packs: readonly PackIdentity[]): boolean {
    const known = this.turns.packs;
    return (
      Math.max(1, packs.length) !== known.length ||
      packs.some(({ address }, index) => address !== (known[index] as PackRecord).identity.address)
    );
  }

  /** Names and serial numbers have changed: an owner may have accepted another pack. */
  private rename(packs: readonly PackIdentity[]): void {
    packs.forEach((identity, index) => {
      const pack = this.turns.packs[index] as PackRecord;
      pack.identity = identity;
      pack.changed();
      this.identify(pack, DEVICE_INFO);
    });
  }

  private replace(packs: readonly PackIdentity[]): void {
    const [first] = packs;
    if (first) this.first.identity = first;
    this.first.isSwapped = false;
    this.queue.forgetFurther();
    this.turns.urgent = undefined;
    this.quality = new LinkQuality(Math.max(1, packs.length));
    this.turns.packs = this.recordsOf(packs);
  }

  private openLink(): void {
    const { packs } = this.turns;
    for (const pack of packs) pack.changed();
    try {
      const addresses = packs.length > 1 ? packs.map(({ identity }) => identity.address) : [this.linkSettings.address];
      const bus = this.opener.open(this.linkSettings, addresses);
      this._bus = bus;
      for (const pack of packs) {
        const link = bus.links[pack.index] as BmsLink;
        pack.link = link;
        link.listener = pack;
      }
      this.openFailed = false;
      this.noticeMaster();
    } catch (error) {
      // Retried at each poll, logged once.
      if (!this.openFailed) trace(`bms: cannot open the link: ${String(error)}\n`);
      this.openFailed = true;
    }
  }

  private closeLink(): void {
    this.search?.stop("interrupted");
    this.queue.job?.stop();
    const bus = this._bus;
    this._bus = undefined;
    this.polling = false;
    for (const pack of this.turns.packs) pack.link = undefined;
    this.noticeMaster();
    this.quality.reset();
    for (const pack of this.turns.packs) pack.forget();
    this.safely(() => bus?.close());
  }

  private reopen(packs?: readonly PackIdentity[]): void {
    this.closeLink();
    if (packs) this.replace(packs);
    this.openLink();
    this.pollDue = true;
    this.step();
  }

  /** An exception in one callback must not stop the loop. */
  private safely(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      report(error);
    }
  }
}

const report = (error: unknown): void => trace(`bms: ${String(error)}\n`);

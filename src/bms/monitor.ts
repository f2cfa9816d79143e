import { TELEMETRY, type BlockType } from "jk-bms/types";
import Timer from "timer";
import type { BmsBus, BmsLink, BusOpener } from "../packs/link";
import { Comparison } from "../packs/comparison";
import { EnergyGaps } from "../packs/energy-gaps";
import { LinkQuality } from "../packs/link-quality";
import { PackRecord, type PackOwner } from "../packs/pack-record";
import { PackSearch, type SearchOwner } from "../packs/search";
import type { SettingChange } from "../packs/setting-changes";
import { SharedAddresses } from "../packs/shared-addresses";
import type { BusPack, PackIdentity, Packs, SearchProblem } from "../packs/types";
import { repeat, type Timed } from "../runtime/timers";
import { BAUD_RATES } from "../settings/limits";
import type { BmsSettings } from "../settings/types";
import { Connection, type ConnectionOwner } from "./connection";
import { BmsEvents } from "./events";
import type { WriteReport } from "./outcomes";
import { Poller, type PollerOwner } from "./poller";
import { safely } from "./safely";
import type { BmsObserver, ObservedMonitor } from "./types";
import { Uptime } from "./uptime";
import type { WriteCounters } from "./write-counters";
import { WriteQueue, type WriteQueueOwner } from "./write-queue";

export interface BmsMonitorOptions {
  /** Never modified: changes arrive through `reconfigure`. */
  readonly settings: BmsSettings;
  readonly opener: BusOpener;
  /** Never empty. */
  readonly packs: readonly PackIdentity[];
}

/**
 * The bus with its packs: polls them, keeps their latest replies, and writes to them. Composed of who is asked next (Poller), the bus's life
 * (Connection), a write's way (WriteQueue) and the observers (BmsEvents).
 */
export class BmsMonitor
  implements ObservedMonitor, ConnectionOwner, PackOwner, PollerOwner, SearchOwner, WriteQueueOwner, Timed
{
  packs: Packs<PackRecord>;
  quality: LinkQuality;
  shared: SharedAddresses;
  gaps: EnergyGaps;
  /** Undefined: a pack alone is compared with nothing. */
  comparison: Comparison | undefined;
  search: PackSearch | undefined;
  readonly connection: Connection;
  readonly writes: WriteQueue;
  private settings: BmsSettings;
  private readonly poller: Poller;
  private readonly events = new BmsEvents();
  private readonly _uptime = new Uptime();
  private heartbeat: Timer | undefined;
  /** Baud rate of the open bus. */
  private baud: number;

  constructor({ settings, opener, packs }: BmsMonitorOptions) {
    this.settings = settings;
    this.baud = settings.baud;
    this.quality = new LinkQuality(packs.length);
    this.shared = new SharedAddresses(packs.length);
    this.gaps = new EnergyGaps(this, packs.length);
    this.comparison = packs.length > 1 ? new Comparison(this, packs.length) : undefined;
    this.packs = packs.map((identity, index) => new PackRecord(this, index, identity)) as [PackRecord];
    this.connection = new Connection(opener, this);
    this.writes = new WriteQueue(this, opener.storage);
    this.poller = new Poller(this);
  }

  get part(): string {
    return "bms";
  }

  get listening(): boolean {
    return this.connection.listening;
  }

  get heard(): number {
    return this.listening ? (this.connection.bus?.heard ?? 0) : 0;
  }

  /** The open bus, for its statistics. Undefined before `start` and while it cannot be opened. */
  get bus(): BmsBus | undefined {
    return this.connection.bus;
  }

  /** ms between two polls of a pack, as expected. */
  get cycle(): number {
    return Math.max(this.settings.interval, this.poller.schedule.round);
  }

  /** Another master is on a bus configured as ours. */
  get isDisturbed(): boolean {
    return this.connection.masterPresent && this.settings.mode === "auto";
  }

  /** A transaction is in progress. */
  get isBusy(): boolean {
    return this.poller.isBusy;
  }

  /** Seconds since the monitor was created. */
  get uptime(): number {
    return this._uptime.seconds;
  }

  /** Hundredths of a second since the monitor was created. */
  get centiseconds(): number {
    return this._uptime.centiseconds;
  }

  /** Telemetry polls started since boot. */
  get pollsBegun(): number {
    return this.poller.pollsBegun;
  }

  /** Outcomes of the writes since boot. */
  get writeCounters(): WriteCounters {
    return this.writes.counters;
  }

  observe(observer: BmsObserver): void {
    this.events.add(observer);
  }

  /** Opens the bus and starts polling; the first poll is immediate. */
  start(): void {
    if (this.heartbeat) return;
    this.heartbeat = repeat(this, this.settings.interval);
    this.tick();
  }

  /**
   * Applies changed settings: the interval, names and serial numbers take effect at the next poll; any other change reopens the bus.
   * @param packs as in the options
   */
  reconfigure(settings: BmsSettings, packs: readonly PackIdentity[]): void {
    const old = this.settings;
    this.settings = settings;
    const isOther =
      packs.length !== this.packs.length ||
      packs.some(({ address }, index) => address !== (this.packs[index] as PackRecord).identity.address);
    if (!isOther) packs.forEach((identity, index) => (this.packs[index] as PackRecord).rename(identity));
    if (!this.heartbeat) {
      if (isOther) this.replacePacks(packs);
      return;
    }
    if (old.interval !== settings.interval) Timer.schedule(this.heartbeat, settings.interval, settings.interval);
    if (
      !isOther &&
      old.baud === settings.baud &&
      old.readMode === settings.readMode &&
      old.mode === settings.mode &&
      old.gap === settings.gap
    )
      return;
    this.closeBus();
    if (isOther) this.replacePacks(packs);
    this.openBus();
  }

  close(): void {
    Timer.clear(this.heartbeat);
    this.heartbeat = undefined;
    this.closeBus();
    this.events.close();
  }

  /** Something of it has thrown: what is open is cancelled. The next beat opens the bus anew. */
  cancel(): void {
    this.closeBus();
  }

  /** Called by the heartbeat: telemetry is due. */
  tick(): void {
    this._uptime.update();
    // On XS `for` with `of` takes three times the steps.
    const { connection, packs, poller } = this;
    for (let index = 0; index < packs.length; index++) (packs[index] as PackRecord).check();
    this.events.tick();
    connection.noticeMaster();
    poller.beat();
    if (this.isDetuned) return this.retune();
    if (!connection.bus) this.openAtRate();
    else if (poller.isStuck) {
      trace("bms: the link is stuck; reopening it\n");
      this.closeBus();
      return this.openBus();
    }
    poller.step();
  }

  private openBus(): void {
    this.openAtRate();
    this.poller.beat();
    this.poller.step();
  }

  /** Of the settings, or what is searched at. */
  private get rate(): number {
    const { search, settings } = this;
    return search?.isAlone ? search.baud : settings.baud;
  }

  get isDetuned(): boolean {
    return this.baud !== this.rate;
  }

  /** Opens the bus anew, at the baud rate that it should have; a search goes on. */
  private retune(): void {
    this.dropBus();
    this.openBus();
  }

  private openAtRate(): void {
    const { rate: baud } = this;
    this.baud = baud;
    this.connection.open({ ...this.settings, baud: baud as BmsSettings["baud"] });
    this.search?.busOpened();
  }

  private closeBus(): void {
    this.search?.stop("interrupted");
    this.dropBus();
  }

  private dropBus(): void {
    this.writes.stopJob();
    this.poller.busClosed();
    this.connection.close();
  }

  /** A pack that stays at its address stays what it is. The bus is closed. */
  private replacePacks(packs: readonly PackIdentity[]): void {
    const before = this.packs;
    const revision = 1 + Math.max(...before.map((pack) => pack.revision));
    this.packs = packs.map((identity, index) => {
      const known = before.find((pack) => pack.identity.address === identity.address);
      const pack = known ?? new PackRecord(this, index, identity);
      pack.moveTo(index, identity, revision);
      return pack;
    }) as [PackRecord];
    const places = this.packs.map((pack) => before.indexOf(pack));
    const { gaps, shared } = this;
    this.quality = new LinkQuality(packs.length);
    this.shared = new SharedAddresses(packs.length);
    this.shared.take(shared, places);
    this.gaps = new EnergyGaps(this, packs.length);
    this.gaps.take(gaps, places);
    this.comparison = packs.length > 1 ? new Comparison(this, packs.length) : undefined;
    this.writes.packsChanged();
    this.poller.packsChanged();
  }

  // Called by the packs.

  patience(failures: number): number {
    return this.poller.schedule.patience(failures, this.cycle);
  }

  foreignBlock(pack: PackRecord, block: BlockType, once: boolean): void {
    safely(() => {
      this.connection.noticeMaster();
      pack.take(block, once);
      if (block === TELEMETRY) this.packUpdated(pack);
    });
  }

  packOnlineChanged(pack: PackRecord): void {
    safely(() => {
      if (!pack.online) {
        this.writes.abandon(pack);
        this.comparison?.forget(pack.index);
      }
      this.events.report("packOnlineChanged", pack);
    });
  }

  packIdentified(pack: PackRecord): void {
    this.events.report("packIdentified", pack);
  }

  packSwapped(pack: PackRecord): void {
    this.events.report("packSwapped", pack);
  }

  packUnanswered(pack: PackRecord): void {
    this.events.report("packUnanswered", pack);
  }

  packSettled(pack: PackRecord): void {
    this.events.report("packSettled", pack);
  }

  settingChanged(pack: BusPack, change: SettingChange): void {
    const last = this.writes.lastOf(pack);
    const isOwn = change.by !== "device" || (last?.name === change.name && last.value === change.value);
    this.events.report("packSettingChanged", { ...change, by: isOwn ? change.by : "unknown", pack });
  }

  // Called by poller and connection.

  packUpdated(pack: PackRecord): void {
    this.comparison?.update(pack);
    this.events.report("packUpdated", pack);
  }

  otherMasterChanged(present: boolean): void {
    this.events.report("otherMasterChanged", present);
  }

  // Called by the write queue.

  proceed(): void {
    safely(() => this.poller.step());
  }

  packMissed(pack: BusPack): void {
    if (this.poller.schedule.hasten(pack)) this.proceed();
  }

  writeEnded(report: WriteReport): void {
    this.events.writeEnded(report);
  }

  // For a search.

  startSearch(): SearchProblem | undefined {
    if (this.listening) return "listening";
    if (this.search?.isRunning) return "searching";
    if (!this.bus) return "no-bus";
    const { baud } = this.settings;
    // Without any reply the baud rate may be wrong, too.
    const isAlone = this.packs.every(({ age }) => age === undefined);
    this.search = new PackSearch(this, isAlone ? [baud, ...BAUD_RATES.filter((rate) => rate !== baud)] : [baud]);
    if (isAlone) this.retune();
    else this.proceed();
    return undefined;
  }

  searchDue(): void {
    safely(() => (this.isDetuned ? this.retune() : this.poller.step()));
  }

  answeringAt(address: number): BusPack | undefined {
    return this.packs.find(({ identity, online }) => online && identity.address === address);
  }

  openProbe(address: number, frames: boolean): BmsLink {
    if (!this.bus) throw new Error("the bus is closed");
    return this.bus.openProbe(address, frames);
  }

  closeProbes(): void {
    this.bus?.closeProbes();
  }
}

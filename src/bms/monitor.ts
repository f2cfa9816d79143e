import { TELEMETRY, type BlockImage, type BlockType, type ReadOutcome } from "jk-bms/types";
import Time from "time";
import Timer from "timer";
import { repeat, type Timed } from "../runtime/timers";
import { Observers } from "../runtime/observers";
import type { BmsSettings } from "../settings/types";
import type { BmsLink } from "../packs/link";
import { PackRecord, type PackOwner } from "../packs/pack-record";
import { LINK_STUCK } from "./limits";
import type { BmsObserver, ObservedMonitor, Writes } from "./types";
import { Uptime } from "./uptime";
import { WriteQueue, type WriteQueueOwner } from "./write-queue";
import type { WriteCounters } from "./write-counters";
import type { Write } from "./write-report";

export interface BmsOpener<Link extends BmsLink> {
  /** Opens the bus and the BMS on it, with its address, baud rate, read mode and gap. */
  openBms(settings: BmsSettings): Link;
  /** Closes the bus; called when one of them changes, after the BMS has left it. */
  closeBus(): void;
}

export interface BmsMonitorOptions<Link extends BmsLink> {
  /** Never modified: changes arrive through `reconfigure`. */
  readonly settings: BmsSettings;
  readonly opener: BmsOpener<Link>;
}

/**
 * Polls the BMS and keeps its latest replies. One transaction at a time, in this order: a waiting write, telemetry when
 * due, then device information and setup when due. Polls do not queue: one that falls due during another poll is
 * skipped, so after a slow poll the next keeps to the schedule.
 */
export class BmsMonitor<Link extends BmsLink = BmsLink> implements ObservedMonitor, PackOwner, WriteQueueOwner, Timed {
  private readonly opener: BmsOpener<Link>;
  private readonly queue = new WriteQueue(this);
  private readonly _uptime = new Uptime();
  /** The pack that `/api` and all interfaces show. */
  private readonly first = new PackRecord(this);
  private readonly observers = new Observers<BmsObserver>();

  private linkSettings: BmsSettings;
  private _link: Link | undefined;
  private heartbeat: Timer | undefined;
  /** Start of the last transaction, ticks. */
  private started = 0;
  private openFailed = false;

  private _listening = false;
  private masterPresent = false;
  private pollDue = false;
  private polling = false;
  private _pollsBegun = 0;
  private resolvedTimer: Timer | undefined;
  /** The observers have not been told of the last write's end. */
  private resolvedDue = false;

  constructor({ settings, opener }: BmsMonitorOptions<Link>) {
    this.linkSettings = settings;
    this.opener = opener;
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
    return this._listening ? this.first.presence.cycle : this.linkSettings.interval;
  }

  get writes(): Writes {
    return this.queue;
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

  /** The current BMS link, for its statistics. Undefined before `start` and while it cannot be opened. */
  get link(): Link | undefined {
    return this._link;
  }

  observe(observer: BmsObserver): void {
    this.observers.add(observer);
  }

  /** Opens the BMS and starts polling; the first poll is immediate. */
  start(): void {
    if (this.heartbeat) return;
    this.heartbeat = repeat(this, this.linkSettings.interval);
    this.tick();
  }

  /** Applies changed settings: the interval takes effect at the next poll; any other change reopens the BMS. */
  reconfigure(settings: BmsSettings): void {
    const old = this.linkSettings;
    this.linkSettings = settings;
    if (!this.heartbeat) return;
    if (old.interval !== settings.interval) Timer.schedule(this.heartbeat, settings.interval, settings.interval);
    if (
      old.address !== settings.address ||
      old.baud !== settings.baud ||
      old.readMode !== settings.readMode ||
      old.mode !== settings.mode ||
      old.gap !== settings.gap
    )
      this.reopen();
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

  /** Re-reads the written block, whatever the outcome: the BMS has the final say. */
  writeExecuted(write: Write): void {
    this.first.changed();
    this.safely(() => {
      this.first.slow.request(write.parameter?.source.block);
      this.step();
    });
  }

  /** Deferred through a timer, since a write ends at the firmware's deepest stack level; without memory for one, until the next beat. */
  writeResolved(): void {
    this.resolvedDue = true;
    this.safely(() => {
      this.resolvedTimer ??= Timer.set(() => {
        this.resolvedTimer = undefined;
        this.tellResolved();
      });
    });
  }

  private tellResolved(): void {
    if (!this.resolvedDue) return;
    this.resolvedDue = false;
    this.observers.tell("writeResolved", this.queue);
  }

  /** Called by the pack, like the next one. */
  wentOnline(): void {
    this.observers.tell("bmsOnlineChanged", true);
  }

  wentOffline(): void {
    this.safely(() => {
      this.queue.abandon();
      this.observers.tell("bmsOnlineChanged", false);
    });
  }

  /** Called by the link: a block has been filled from what another master is answered. */
  heard(block: BlockType): void {
    this.safely(() => {
      this.noticeMaster();
      this.first.heard(block);
      if (block === TELEMETRY) this.observers.tell("bmsUpdated", this);
    });
  }

  private beat(): void {
    this._uptime.update();
    this.first.presence.check();
    if (this.resolvedDue) this.tellResolved();
    this.noticeMaster();
    if (!this.polling) this.pollDue = true;
    if (!this._link) this.openLink();
    else if (this._link.busy && ((Time.ticks - this.started) | 0) >= LINK_STUCK) {
      trace("bms: the link is stuck; reopening it\n");
      this.reopen();
    }
    this.step();
  }

  /** Whether another master has come or gone. */
  private noticeMaster(): void {
    const link = this._link;
    const listening = link?.listening ?? false;
    const masterPresent = link?.masterPresent ?? false;
    if (masterPresent !== this.masterPresent) {
      this.masterPresent = masterPresent;
      this.first.changed();
      this.observers.tell("otherMasterChanged", masterPresent);
    }
    if (listening === this._listening) return;
    this._listening = listening;
    this.first.listen(listening);
  }

  /**
   * Starts the next due transaction if the link is free. Called whenever something falls due or the link becomes free.
   */
  private step(): void {
    const link = this._link;
    if (!link || link.busy) return;
    if (this.queue.waiting) {
      this.started = Time.ticks;
      this.queue.start(link);
      if (link.busy) return;
    }
    if (this._listening) return;
    if (this.pollDue) {
      this.pollDue = false;
      this.polling = true;
      this._pollsBegun++;
      this.read(link, TELEMETRY);
    } else {
      const block = this.first.slow.due;
      if (block !== undefined) this.read(link, block);
    }
  }

  private read(link: Link, block: BlockType): void {
    this.started = Time.ticks;
    try {
      link.read(block, (outcome) => {
        // Ignore late callbacks of a closed link.
        if (link === this._link) this.ended(block, outcome);
      });
    } catch (error) {
      trace(`bms: cannot start a read: ${String(error)}\n`);
      this.done(block, "no-reply");
    }
  }

  private ended(block: BlockType, outcome: ReadOutcome): void {
    try {
      this.done(block, outcome);
    } catch (error) {
      report(error);
    }
    try {
      this.step();
    } catch (error) {
      report(error);
    }
  }

  private done(block: BlockType, outcome: ReadOutcome): void {
    if (outcome === "withheld") {
      // Neither good nor bad: another master was heard first.
      this.polling = false;
      return this.noticeMaster();
    }
    const { first } = this;
    const ok = outcome === "ok";
    if (block !== TELEMETRY) {
      first.changed();
      return first.slow.ended(block, ok);
    }
    this.polling = false;
    first.telemetryChanged();
    first.polled(ok);
    if (ok) this.observers.tell("bmsUpdated", this);
  }

  private openLink(): void {
    this.first.changed();
    try {
      const link = this.opener.openBms(this.linkSettings);
      this._link = this.first.link = link;
      link.listener = this;
      this.openFailed = false;
      this.noticeMaster();
    } catch (error) {
      // Retried at each poll, logged once.
      if (!this.openFailed) trace(`bms: cannot open the link: ${String(error)}\n`);
      this.openFailed = true;
    }
  }

  private closeLink(): void {
    const link = this._link;
    this._link = this.first.link = undefined;
    this.polling = false;
    this.noticeMaster();
    this.first.forget();
    this.safely(() => link?.close());
    this.safely(() => this.opener.closeBus());
  }

  private reopen(): void {
    this.closeLink();
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

import { TELEMETRY, type BlockImage, type BlockType, type ReadOutcome } from "jk-bms/types";
import Time from "time";
import Timer from "timer";
import { repeat, type Timed } from "../parts/timers";
import { Observers } from "../parts/observers";
import type { BmsSettings } from "../settings/types";
import { LINK_STUCK } from "./limits";
import type { BmsLink } from "./link";
import { Presence, type PresenceOwner } from "./presence";
import { SlowBlocks } from "./slow-blocks";
import type { BmsObserver, ObservedMonitor, Writes } from "./types";
import { Uptime } from "./uptime";
import { WriteQueue, type WriteQueueOwner } from "./write-queue";
import type { WriteCounters } from "./write-counters";
import type { Write } from "./write-report";

export interface BmsOpener<Link extends BmsLink> {
  /** Opens the BMS by its address, baud rate, read mode and gap; the monitor closes it when one of them changes. */
  openBms(settings: BmsSettings): Link;
}

export interface BmsMonitorOptions<Link extends BmsLink> {
  /** Not to be changed: new ones are given to `reconfigure`. */
  readonly settings: BmsSettings;
  readonly opener: BmsOpener<Link>;
}

/** Stands for a block that this pack has not given (yet). */
const UNREAD: BlockImage = Object.freeze(
  { view: new DataView(new ArrayBuffer(0)), littleEndian: false, valid: false },
  true,
);

/**
 * Polls the BMS and keeps what it said. One transaction at a time: a waiting write first, then the telemetry when its
 * time has come, then device information and setup when they are due. Nothing queues up: a poll whose time comes during
 * another poll is left out, so after a slow one the next comes at its place in the schedule.
 */
export class BmsMonitor<Link extends BmsLink = BmsLink>
  implements ObservedMonitor, PresenceOwner, WriteQueueOwner, Timed
{
  private readonly opener: BmsOpener<Link>;
  private readonly queue = new WriteQueue(this);
  private readonly _uptime = new Uptime();
  private readonly presence = new Presence(this);
  private readonly slow = new SlowBlocks();
  private readonly observers = new Observers<BmsObserver>();

  private settings: BmsSettings;
  private _link: Link | undefined;
  private heartbeat: Timer | undefined;
  /** When the last transaction was started, ticks. */
  private started = 0;
  private openFailed = false;

  /** Counts all that may have changed what the pack's documents show; wraps. */
  private _revision = 0;
  private _setupRevision = 0;
  private pollDue = false;
  private polling = false;
  private _pollsBegun = 0;
  private resolvedTimer: Timer | undefined;

  constructor({ settings, opener }: BmsMonitorOptions<Link>) {
    this.settings = settings;
    this.opener = opener;
  }

  get online(): boolean {
    return this.presence.online;
  }

  get configurationLoaded(): boolean {
    return this.slow.loaded;
  }

  get writes(): Writes {
    return this.queue;
  }

  get telemetry(): BlockImage {
    return this._link?.telemetry ?? UNREAD;
  }

  get setup(): BlockImage {
    return this._link && this.slow.setupRead ? this._link.settings : UNREAD;
  }

  get deviceInfo(): BlockImage {
    return this._link && this.slow.deviceInfoRead ? this._link.deviceInfo : UNREAD;
  }

  get revision(): number {
    return this._revision;
  }

  get setupRevision(): number {
    return this._setupRevision;
  }

  /** Seconds since the monitor was made. */
  get uptime(): number {
    return this._uptime.seconds;
  }

  /** Whole seconds since the last valid telemetry reply. Undefined before the first. */
  get telemetryAge(): number | undefined {
    return this.presence.seconds;
  }

  /** The same in milliseconds, as exactly as the ticks tell it until they come round. */
  get age(): number | undefined {
    return this.presence.milliseconds;
  }

  /** Telemetry polls begun since the start. */
  get pollsBegun(): number {
    return this._pollsBegun;
  }

  /** Telemetry polls since the start, as many as have ended. */
  get polls(): number {
    return this.presence.polls;
  }

  /** Those of them that ended without a valid reply. */
  get lostPolls(): number {
    return this.presence.lostPolls;
  }

  /** What became of the writes since the start. */
  get writeCounters(): WriteCounters {
    return this.queue.counters;
  }

  /** Hundredths of a second since the monitor was made. */
  get centiseconds(): number {
    return this._uptime.centiseconds;
  }

  /** The BMS as opened last, for its statistics. Undefined before `start`, and while it cannot be opened. */
  get link(): Link | undefined {
    return this._link;
  }

  observe(observer: BmsObserver): void {
    this.observers.add(observer);
  }

  /** Opens the BMS and polls it from now on, the first time at once. */
  start(): void {
    if (this.heartbeat) return;
    this.startHeartbeat();
    this.tick();
  }

  /** Takes changed settings over: the interval from the next poll on; for the others the BMS is opened anew. */
  reconfigure(settings: BmsSettings): void {
    const old = this.settings;
    this.settings = settings;
    if (!this.heartbeat) return;
    if (old.interval !== settings.interval) this.startHeartbeat();
    if (
      old.address !== settings.address ||
      old.baud !== settings.baud ||
      old.readMode !== settings.readMode ||
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

  /** By the heartbeat: the telemetry's time has come. */
  tick(): void {
    this.safely(() => this.beat());
  }

  /** By the queue, as the next two. */
  writeAccepted(): void {
    this.safely(() => this.step());
  }

  /** Whatever came of the write, the BMS knows best. */
  writeExecuted(write: Write): void {
    this.changed();
    this.safely(() => {
      this.slow.request(write.setting?.source.block);
      this.step();
    });
  }

  /** Not told at once: the end of a write is as deep in the stack as the firmware ever is. */
  writeResolved(): void {
    this.resolvedTimer ??= Timer.set(() => {
      this.resolvedTimer = undefined;
      this.observers.tell("writeResolved", this.queue);
    });
  }

  /** By the presence, as the next one. */
  wentOnline(): void {
    this.changed();
    this.slow.wentOnline();
    this.observers.tell("bmsOnlineChanged", true);
  }

  wentOffline(): void {
    this.changed();
    this.safely(() => {
      this.slow.wentOffline();
      this.queue.abandon();
      this.observers.tell("bmsOnlineChanged", false);
    });
  }

  private startHeartbeat(): void {
    Timer.clear(this.heartbeat);
    this.heartbeat = repeat(this, this.settings.interval);
  }

  private beat(): void {
    this._uptime.update();
    if (!this.polling) this.pollDue = true;
    if (!this._link) this.openLink();
    else if (this._link.busy && ((Time.ticks - this.started) | 0) >= LINK_STUCK) {
      trace("bms: the link does not come back, opening it anew\n");
      this.reopen();
    }
    this.step();
  }

  /**
   * Starts what is to be done next, when the link is free. Called whenever something has become due or the link has
   * become free.
   */
  private step(): void {
    const link = this._link;
    if (!link || link.busy) return;
    if (this.queue.waiting) {
      this.started = Time.ticks;
      this.queue.start(link);
      if (link.busy) return;
    }
    if (this.pollDue) {
      this.pollDue = false;
      this.polling = true;
      this._pollsBegun++;
      this.read(link, TELEMETRY);
    } else {
      const block = this.slow.due;
      if (block !== undefined) this.read(link, block);
    }
  }

  private read(link: Link, block: BlockType): void {
    this.started = Time.ticks;
    try {
      link.read(block, (outcome) => {
        // What a closed link still has to say is of another BMS, or of another time.
        if (link !== this._link) return;
        this.safely(() => this.done(block, outcome));
        this.safely(() => this.step());
      });
    } catch (error) {
      trace(`bms: a read could not be started: ${String(error)}\n`);
      this.done(block, "no-reply");
    }
  }

  private done(block: BlockType, outcome: ReadOutcome): void {
    const ok = outcome === "ok";
    if (block === TELEMETRY) {
      this._revision = (this._revision + 1) | 0;
      return this.polled(ok);
    }
    this.changed();
    this.slow.ended(block, ok);
  }

  private polled(ok: boolean): void {
    this.polling = false;
    this.slow.polled(ok);
    if (!ok) return this.presence.failed();
    this.presence.succeeded();
    this.observers.tell("bmsUpdated", this);
  }

  private changed(): void {
    this._revision = (this._revision + 1) | 0;
    this._setupRevision = (this._setupRevision + 1) | 0;
  }

  private openLink(): void {
    this.changed();
    try {
      this._link = this.opener.openBms(this.settings);
      this.openFailed = false;
    } catch (error) {
      // Tried again at each poll, told once.
      if (!this.openFailed) trace(`bms: the link could not be opened: ${String(error)}\n`);
      this.openFailed = true;
    }
  }

  private closeLink(): void {
    this.changed();
    const link = this._link;
    this._link = undefined;
    this.polling = false;
    this.slow.forget();
    this.presence.end();
    this.safely(() => link?.close());
  }

  private reopen(): void {
    this.closeLink();
    this.openLink();
    this.pollDue = true;
    this.step();
  }

  /** Nothing that goes wrong in one callback may stop the loop. */
  private safely(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      trace(`bms: ${String(error)}\n`);
    }
  }
}

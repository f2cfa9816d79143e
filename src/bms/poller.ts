import { DEVICE_INFO, SERIAL, TELEMETRY, type Readable, type ReadOutcome } from "jk-bms/types";
import Time from "time";
import type { BmsLink } from "../packs/link";
import type { LinkQuality } from "../packs/link-quality";
import type { PackRecord } from "../packs/pack-record";
import { RoundRobin } from "../packs/round-robin";
import type { PollSchedule } from "../packs/schedule";
import type { PackSearch } from "../packs/search";
import { SinglePack } from "../packs/single-pack";
import { EXCEPTIONS, type Packs } from "../packs/types";
import type { Connection } from "./connection";
import { LINK_STUCK } from "./limits";
import { report, safely } from "./safely";
import type { WriteQueue } from "./write-queue";

/** What the poller asks, and for whom. */
export interface PollerOwner {
  readonly packs: Packs<PackRecord>;
  readonly connection: Connection;
  readonly quality: LinkQuality;
  readonly writes: WriteQueue;
  readonly search: PackSearch | undefined;
  /** The bus is not open at the baud rate that it should be: nothing is sent. */
  readonly isDetuned: boolean;
  /** A valid telemetry reply has come. */
  packUpdated(pack: PackRecord): void;
}

/** By the number of packs: here alone it decides how they are polled. */
const scheduleOf = (packs: Packs<PackRecord>): PollSchedule =>
  packs.length > 1 ? new RoundRobin(packs) : new SinglePack(packs[0]);

/**
 * Who is asked next, one transaction at a time, in this order: a waiting write, telemetry when due, then device information, setup and log when
 * due, then what may come in between: the next write of a setting for all packs, the next question of a search.
 */
export class Poller {
  schedule: PollSchedule;
  /** Telemetry polls started since boot. */
  pollsBegun = 0;
  private readonly owner: PollerOwner;
  /** Start of the last transaction, ticks. */
  private started = 0;
  /** Until then: requests, and those without a good reply. */
  private requests = 0;
  private lost = 0;
  private isDue = false;
  private isPolling = false;
  /** One write of a setting for all packs, or one question of a search, may come although the next round is due. */
  private mayAsk = false;

  constructor(owner: PollerOwner) {
    this.owner = owner;
    this.schedule = scheduleOf(owner.packs);
  }

  /** The packs of the settings have changed; the bus is closed meanwhile. */
  packsChanged(): void {
    this.schedule = scheduleOf(this.owner.packs);
  }

  /** The bus is being closed: the transaction in progress will not end. */
  busClosed(): void {
    this.isPolling = false;
  }

  /** Telemetry is due. */
  beat(): void {
    if (!this.isPolling || this.schedule.catchesUp) this.isDue = true;
  }

  /** The transaction in progress has not called back for so long that it never will. */
  get isStuck(): boolean {
    return ((Time.ticks - this.started) | 0) >= LINK_STUCK && this.isBusy;
  }

  get isBusy(): boolean {
    return this.owner.connection.bus?.busy ?? false;
  }

  /** Starts the next due transaction if the bus is free: called whenever something falls due or the bus becomes free. */
  step(): void {
    const { connection, writes, search } = this.owner;
    if (!connection.bus || this.isBusy) return;
    if (this.owner.isDetuned) return;
    if (writes.waiting) {
      this.started = Time.ticks;
      writes.start();
      if (this.isBusy) return;
    }
    if (connection.listening) {
      writes.stopJob();
      return search?.stop("listening");
    }
    if (search?.isAlone) return void this.ask(search);
    const { schedule } = this;
    let pack = schedule.next(this.isDue);
    if (!pack) {
      const slow = schedule.slow(this.isDue);
      if (slow) return this.read(slow, slow.slow.due ?? (slow.serialNumber ? SERIAL : DEVICE_INFO));
      // A pack that a write was to go to may have been asked meanwhile, since it is offline.
      if (this.asksBetween() || this.isBusy) return;
      if (!this.isDue) return;
      this.isDue = false;
      this.mayAsk = true;
      schedule.begin();
      pack = schedule.next(false);
      if (!pack) return;
    }
    this.isPolling = true;
    const { requests, timeouts } = connection.bus.statistics;
    this.requests = requests;
    this.lost = timeouts;
    pack.askedAt = Time.ticks;
    this.pollsBegun++;
    this.read(pack, TELEMETRY);
  }

  /** In spare bus time, or once a round if there is none. True: something has been asked. */
  private asksBetween(): boolean {
    const { search, writes } = this.owner;
    if (this.isDue && !this.mayAsk) return false;
    if (writes.job?.next()) {
      this.mayAsk = false;
      return true;
    }
    if (!search?.isRunning) return false;
    this.mayAsk = false;
    return this.ask(search);
  }

  private ask(search: PackSearch): boolean {
    this.started = Time.ticks;
    try {
      return search.next(() => safely(() => this.step()));
    } catch (error) {
      trace(`bms: cannot search: ${String(error)}\n`);
      search.stop("interrupted");
      return false;
    }
  }

  private read(pack: PackRecord, what: Readable): void {
    this.started = Time.ticks;
    const { link } = pack;
    try {
      (link as BmsLink).read(
        what,
        (outcome) => {
          // Ignore late callbacks of a closed link.
          if (link !== pack.link) return;
          try {
            this.ended(pack, what, outcome);
          } catch (error) {
            report(error);
          }
          try {
            this.step();
          } catch (error) {
            report(error);
          }
        },
        this.schedule.effort(pack, what),
      );
    } catch (error) {
      trace(`bms: cannot start a read: ${String(error)}\n`);
      this.ended(pack, what, "no-reply");
    }
  }

  private ended(pack: PackRecord, what: Readable, outcome: ReadOutcome): void {
    const { connection, quality } = this.owner;
    if (outcome === "withheld") {
      // Not counted: nothing was sent, since another master was heard first.
      this.isPolling = false;
      return connection.noticeMaster();
    }
    const ok = outcome === "ok" || outcome === "doubtful";
    this.schedule.ended(pack, what, (Time.ticks - this.started) | 0, ok);
    if (what === SERIAL) return pack.identified(what, outcome === "ok");
    if (what !== TELEMETRY) return pack.blockEnded(what, outcome === "ok");
    this.isPolling = false;
    pack.telemetryChanged();
    const statistics = connection.bus?.statistics;
    // A pack that is silent has no poor link.
    const lost = (statistics?.timeouts ?? 0) - this.lost;
    if (statistics && pack.online) quality.ended(statistics.requests - this.requests, lost, pack.index);
    pack.polled(ok, outcome === "exception" ? EXCEPTIONS : (statistics?.instead ?? 0), lost > 0);
    if (outcome === "ok") this.owner.packUpdated(pack);
  }
}

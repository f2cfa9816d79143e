import type KeyValueStorage from "embedded:storage/key-value";
import type { BusPack } from "../packs/types";
import { readState, writeState } from "../runtime/state";
import type { JobProblem, WriteReport } from "./outcomes";
import type { AllPacksJob, Refusal, WriteEnded } from "./types";
import type { Write } from "./write-report";

/** Key in the device's state: the name of the setting while packs are still to be written to. */
const KEY = "allPacks";

/** What a job needs of the queue. */
interface JobQueue {
  readonly storage: typeof KeyValueStorage | undefined;
  /** Refuses what cannot be written to this pack now; undefined: it can, as soon as the slot is free. */
  refuseUnlessReady(pack: BusPack, write: Write): Refusal | undefined;
  offer(pack: BusPack, write: Write, ended: WriteEnded, job: SettingJob): Refusal | undefined;
}

/**
 * A setting for all packs: one confirmed write after another through the queue, in the order of the packs. Until the last has ended, the
 * queue has no place for other writes. A pack that cannot be written to, or refuses, has its outcome, and the others follow.
 */
export class SettingJob implements AllPacksJob {
  readonly setting: string;
  problem: JobProblem;
  private readonly queue: JobQueue;
  /** Undefined: it is over. */
  private write: Write | undefined;
  private packs: readonly BusPack[] = [];
  /** How the write to each pack has ended, or why there was none, by address. */
  private readonly endings: (WriteReport | Refusal | undefined)[] = [];
  /** The pack that is next. */
  private at = 0;
  /** Its write is in the queue. */
  private isWriting = false;

  private constructor(queue: JobQueue, setting: string, problem: JobProblem) {
    this.queue = queue;
    this.setting = setting;
    this.problem = problem;
  }

  /** The one that a restart has ended; undefined: none was under way. */
  static before(queue: JobQueue): SettingJob | undefined {
    const { storage } = queue;
    try {
      const setting = storage && readState(storage, KEY);
      if (typeof setting !== "string" || !setting) return undefined;
      const job = new SettingJob(queue, setting, "restarted");
      job.note("");
      return job;
    } catch {
      return undefined;
    }
  }

  static begin(queue: JobQueue, write: Write, packs: readonly BusPack[]): SettingJob {
    const job = new SettingJob(queue, (write.command ?? write.parameter).name, "");
    job.note(job.setting);
    job.write = write;
    job.packs = packs;
    for (const pack of packs) job.endings[pack.identity.address] = queue.refuseUnlessReady(pack, write);
    job.advance();
    return job;
  }

  get isRunning(): boolean {
    return this.write !== undefined;
  }

  endingOf({ identity }: BusPack): WriteReport | Refusal | undefined {
    return this.endings[identity.address];
  }

  /** Puts the next write into the queue. False: one is there already, or none is left. */
  next(): boolean {
    while (this.write && !this.isWriting) {
      const pack = this.packs[this.at] as BusPack;
      this.isWriting = true;
      const refusal = this.queue.offer(pack, this.write, (report) => this.ended(pack, report), this);
      if (!refusal) return true;
      this.ended(pack, refusal);
    }
    return false;
  }

  /** Ends it; the write in the queue still gets its outcome. */
  stop(): void {
    if (this.isRunning) this.end("interrupted");
  }

  private ended({ identity }: BusPack, ending: WriteReport | Refusal): void {
    this.endings[identity.address] = ending;
    this.isWriting = false;
    if (this.isRunning) this.advance();
  }

  /** To the next pack without an outcome. */
  private advance(): void {
    const { packs } = this;
    while (this.at < packs.length && this.endingOf(packs[this.at] as BusPack)) this.at++;
    if (this.at === packs.length) this.end("");
  }

  private end(problem: JobProblem): void {
    this.problem = problem;
    this.write = undefined;
    this.packs = [];
    this.note("");
  }

  private note(setting: string): void {
    const { storage } = this.queue;
    try {
      if (storage) writeState(storage, KEY, setting);
    } catch (error) {
      trace(`bms: cannot store what is under way: ${String(error)}\n`);
    }
  }
}

import { Pbkdf2, type Digest } from "pbkdf2/pbkdf2";
import Timer from "timer";
import { repeat } from "../runtime/timers";
import { MAX_WAITING, STEP_INTERVAL, STEP_ITERATIONS } from "./limits";

export interface HashJob {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** Who requested it; at most one job each. */
  readonly who: string;
  /** Lower ranks run first. */
  readonly rank: number;
  readonly done: (key: Uint8Array) => void;
  /** A job of a lower rank has taken its place. */
  readonly onDropped: () => void;
}

/** Owner of the hasher. */
export interface HasherOwner {
  /** Creates a SHA-256. */
  makeDigest(): Digest;
}

/** Hashes passwords one after another, a few iterations per step, so that polls of the BMS never wait. */
export class Hasher {
  private readonly owner: HasherOwner;
  /** The job in progress, then those waiting. */
  private readonly jobs: HashJob[] = [];
  private hash: Pbkdf2 | undefined;
  private timer: Timer | undefined;

  constructor(owner: HasherOwner) {
    this.owner = owner;
  }

  /** No jobs. */
  get idle(): boolean {
    return !this.jobs.length;
  }

  has(who: string): boolean {
    return this.jobs.some((job) => job.who === who);
  }

  /** Calls `done` or `onDropped` once, never synchronously. False: no place for a job of this rank. Throws without memory for the timer. */
  start(job: HashJob): boolean {
    const { jobs } = this;
    this.timer ??= repeat(this, STEP_INTERVAL);
    if (jobs.length > MAX_WAITING) {
      const last = jobs[MAX_WAITING] as HashJob;
      if (last.rank <= job.rank) return false;
      jobs.length = MAX_WAITING;
      last.onDropped();
    }
    // After the job in progress.
    let at = Math.min(1, jobs.length);
    while (at < jobs.length && (jobs[at] as HashJob).rank <= job.rank) at++;
    jobs.splice(at, 0, job);
    return true;
  }

  close(): void {
    this.jobs.length = 0;
    this.stop();
  }

  /** Runs one step. */
  tick(): void {
    const [job] = this.jobs;
    if (!job) return;
    this.hash ??= new Pbkdf2({ ...job, digest: this.owner.makeDigest() });
    if (!this.hash.run(STEP_ITERATIONS)) return;
    const { key } = this.hash;
    this.hash = undefined;
    this.jobs.shift();
    if (!this.jobs.length) this.stop();
    try {
      job.done(key);
    } catch (error) {
      // No random numbers for the session, for instance: the server ends the request.
      trace(`web: ${String(error)}\n`);
    }
  }

  private stop(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
    this.hash = undefined;
  }
}

import { Pbkdf2, type Digest } from "pbkdf2/pbkdf2";
import Timer from "timer";
import { repeat } from "../parts/timers";
import { MAX_WAITING, STEP_INTERVAL, STEP_ITERATIONS } from "./limits";

export interface HashJob {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** Whoever asked for it: one at a time of each. */
  readonly who: string;
  /** The lower, the sooner. */
  readonly rank: number;
  readonly done: (key: Uint8Array) => void;
  /** One of a lower rank has taken its place. */
  readonly onDropped: () => void;
}

/** Who has passwords worked out. */
export interface HasherOwner {
  /** The script must be free for something else for a few milliseconds. */
  readonly paused: boolean;
  /** A SHA-256. */
  makeDigest(): Digest;
}

/** Works passwords out, one after another, a few iterations at a time, so that a poll of the BMS never waits for them. */
export class Hasher {
  private readonly owner: HasherOwner;
  /** The one that is worked out first, then those that wait. */
  private readonly jobs: HashJob[] = [];
  private hash: Pbkdf2 | undefined;
  private timer: Timer | undefined;

  constructor(owner: HasherOwner) {
    this.owner = owner;
  }

  /** There is nothing to be done. */
  get idle(): boolean {
    return !this.jobs.length;
  }

  has(who: string): boolean {
    return this.jobs.some((job) => job.who === who);
  }

  /** Calls `done` or `onDropped` once, never from inside. False: there is no place for one of its rank. */
  start(job: HashJob): boolean {
    const { jobs } = this;
    if (jobs.length > MAX_WAITING) {
      const last = jobs[MAX_WAITING] as HashJob;
      if (last.rank <= job.rank) return false;
      jobs.length = MAX_WAITING;
      last.onDropped();
    }
    // Behind the one that is being worked out.
    let at = Math.min(1, jobs.length);
    while (at < jobs.length && (jobs[at] as HashJob).rank <= job.rank) at++;
    jobs.splice(at, 0, job);
    this.timer ??= repeat(this, STEP_INTERVAL);
    return true;
  }

  close(): void {
    this.jobs.length = 0;
    this.stop();
  }

  /** One step. */
  tick(): void {
    const [job] = this.jobs;
    if (this.owner.paused || !job) return;
    this.hash ??= new Pbkdf2({ ...job, digest: this.owner.makeDigest() });
    if (!this.hash.run(STEP_ITERATIONS)) return;
    const { key } = this.hash;
    this.hash = undefined;
    this.jobs.shift();
    if (!this.jobs.length) this.stop();
    job.done(key);
  }

  private stop(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
    this.hash = undefined;
  }
}

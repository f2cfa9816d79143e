import { Pbkdf2, type Digest } from "pbkdf2/pbkdf2";
import Timer from "timer";
import { repeat } from "../parts/timers";
import { MAX_WAITING, STEP_INTERVAL, STEP_ITERATIONS } from "./limits";

export interface HashJob {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** Whoever asked for it: one at a time of each. */
  readonly address: string;
  readonly done: (key: Uint8Array) => void;
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

  has(address: string): boolean {
    return this.jobs.some((job) => job.address === address);
  }

  get full(): boolean {
    return this.jobs.length > MAX_WAITING;
  }

  /** Calls `done` once, never from inside. Throws a RangeError when it is full. */
  start(job: HashJob): void {
    if (this.full) throw new RangeError("too many passwords at a time");
    this.jobs.push(job);
    this.timer ??= repeat(this, STEP_INTERVAL);
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

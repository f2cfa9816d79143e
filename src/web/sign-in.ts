import Time from "time";
import Timer from "timer";
import type { Exchange } from "http-server/types";
import type { Settings } from "../settings/types";
import type { Digest } from "pbkdf2/pbkdf2";
import type RNG from "rng";
import { type Delays, Failures } from "../access/failures";
import { isSecret } from "../access/secret";
import { makePassphrase } from "../network/passphrase";
import { Hasher, type HashJob, type HasherOwner } from "./hasher";
import { FIRST_FAILURE_DELAY, ITERATIONS, MAX_FAILURE_DELAY, MAX_HELD, SALT_BYTES } from "./limits";
import { hexOf, keptText, parseKept, utf8Of } from "./password";

/** right, or wrong; wait: `seconds` must pass before this address may try again; full: too many try at the same time. */
export type Verdict = "right" | "wrong" | "wait" | "full";
export type Judged = (verdict: Verdict, seconds: number) => void;

/** Seconds after which it is worth trying again when there was no room. */
const RETRY_AFTER = 2;

export interface SignInOptions {
  readonly settings: Settings;
  readonly random: typeof RNG;
  readonly networkControl?: { onPortal(address: string): boolean };
  /** The device's button was pressed within PRESENCE. */
  buttonPressed?(): boolean;
  /** A SHA-256. */
  makeDigest(): Digest;
}

const DELAYS: Delays = Object.freeze({ first: FIRST_FAILURE_DELAY, longest: MAX_FAILURE_DELAY }, true);

/**
 * Tells whether a password is the right one. Wrong ones, one after another from one address, are answered later and later, and until
 * then no other one of this address is looked at; other addresses are not held up by it.
 */
export class SignIn implements HasherOwner {
  private readonly options: SignInOptions;
  /** While a password is worked out. */
  private hasher: Hasher | undefined;
  /** Made for the first failure. */
  private failures: Failures | undefined;
  private held = 0;
  /** No password is worked out for now: the script must be free. */
  paused = false;

  /** Whoever reads the console of a device without a password may choose one. 60 random bits: it needs no protection from guessing. */
  private readonly code: string | undefined;

  constructor(options: SignInOptions) {
    this.options = options;
    if (!this.firstStart) return;
    this.code = makePassphrase(options.random);
    trace(`web: no password has been chosen; set-up code ${this.code}\n`);
  }

  /** Whoever asks is at the device: on its access point, whose password they know, or has pressed its button a short while ago. */
  isPresent({ remoteAddress }: Exchange): boolean {
    const { options } = this;
    return options.networkControl?.onPortal(remoteAddress) || options.buttonPressed?.() || false;
  }

  isCode(given: unknown): boolean {
    return typeof given === "string" && this.code !== undefined && isSecret(given.trim().toLowerCase(), this.code);
  }

  /** No password has been chosen yet. */
  get firstStart(): boolean {
    return this.options.settings.web.password === "";
  }

  /** What is stored is the hash of no password: nobody can sign in. */
  get lost(): boolean {
    const { password } = this.options.settings.web;
    return password !== "" && !parseKept(password);
  }

  makeDigest(): Digest {
    return this.options.makeDigest();
  }

  /** Calls `judged` once, now or later. */
  judge({ remoteAddress }: Exchange, password: string, judged: Judged): void {
    const { settings } = this.options;
    const stored = settings.web.password;
    const kept = parseKept(stored);
    const bytes = utf8Of(password);
    const left = this.failures?.left(remoteAddress, Time.ticks) ?? 0;
    if (left > 0 || this.hasher?.has(remoteAddress)) judged("wait", Math.max(1, Math.ceil(left / 1000)));
    else if (!kept || !bytes) this.wrong(remoteAddress, judged);
    else if (this.hasher?.full) judged("full", RETRY_AFTER);
    else
      this.workOut({
        password: bytes,
        salt: kept.salt,
        iterations: kept.iterations,
        address: remoteAddress,
        done: (key) => {
          // It may have been changed meanwhile.
          if (!isSecret(hexOf(key), kept.key) || settings.web.password !== stored)
            return this.wrong(remoteAddress, judged);
          this.failures?.forget(remoteAddress);
          judged("right", 0);
        },
      });
  }

  /** Calls `done` with the text to keep of a new password, later, or says false: too many are worked out at the same time. */
  hash({ remoteAddress }: Exchange, password: string, done: (kept: string) => void): boolean {
    if (this.hasher?.full || this.hasher?.has(remoteAddress)) return false;
    const salt = new Uint8Array(this.options.random.get(SALT_BYTES));
    this.workOut({
      password: utf8Of(password) as Uint8Array,
      salt,
      iterations: ITERATIONS,
      address: remoteAddress,
      done: (key) => done(keptText(ITERATIONS, salt, key)),
    });
    return true;
  }

  close(): void {
    this.hasher?.close();
    this.hasher = undefined;
  }

  private workOut(job: HashJob): void {
    this.hasher ??= new Hasher(this);
    this.hasher.start({
      ...job,
      done: (key) => {
        if (this.hasher?.idle) this.hasher = undefined;
        job.done(key);
      },
    });
  }

  private wrong(address: string, judged: Judged): void {
    this.failures ??= new Failures(DELAYS);
    const delay = this.failures.record(address, Time.ticks);
    if (!delay || this.held >= MAX_HELD) return judged("wrong", 0);
    this.held++;
    Timer.set(() => {
      this.held--;
      judged("wrong", 0);
    }, delay);
  }
}

import { lowerCase } from "ascii/case";
import Time from "time";
import { later } from "../runtime/timers";
import type { Exchange } from "http-server/types";
import type { EventStore } from "../events/types";
import type { Settings } from "../settings/types";
import type { Digest } from "pbkdf2/pbkdf2";
import type RNG from "rng";
import { clientAddress } from "../auth/client-address";
import { type Delays, Failures } from "../auth/failures";
import { isSecret } from "../auth/secret";
import { Suspects } from "../auth/suspects";
import type { Network } from "../network/types";
import { makePassphrase } from "../network/wifi/passphrase";
import { FirstComer } from "./first-comer";
import { knownDevice, makeDeviceCookie } from "./device-cookie";
import { Hasher, type HashJob, type HasherOwner } from "./hasher";
import {
  FIRST_FAILURE_DELAY,
  ITERATIONS,
  MAX_FAILURE_DELAY,
  MAX_HELD,
  MAX_KNOWN_ADDRESSES,
  SALT_BYTES,
} from "./limits";
import { hexOf } from "../runtime/hex";
import { pageAddress } from "../runtime/page-address";
import { formatHash, parseHash, utf8Of } from "./password";
import type { Session } from "./sessions";

/** right, wrong; wait: this address may not try again for `seconds`; full: too many attempts at the same time. */
export type Verdict = "right" | "wrong" | "wait" | "full";
export type Judged = (verdict: Verdict, seconds: number) => void;

/** Retry-After when there was no room, s. */
const RETRY_AFTER = 2;

export interface SignInOptions {
  readonly settings: Settings;
  readonly random: typeof RNG;
  readonly network: Pick<Network, "mode" | "ip">;
  readonly build: { readonly httpPort?: number };
  readonly networkControl?: { onPortal(address: string): boolean };
  readonly hasButton?: boolean;
  /** The device's button was pressed within PRESENCE. */
  buttonPressed?(): boolean;
  /** Creates a SHA-256. */
  makeDigest(): Digest;
  readonly storedEvents?: EventStore | undefined;
}

/** Hashing order. FIRST: a browser that has signed in before, or a client at the device. KNOWN: an address that has signed in. */
const FIRST = 0;
const KNOWN = 1;
/** STRANGER: an address without wrong guesses. SUSPECT: one with wrong guesses. */
const STRANGER = 2;
const SUSPECT = 3;

const NO_ADDRESSES: readonly string[] = Object.freeze([], true);

const DELAYS: Delays = Object.freeze({ first: FIRST_FAILURE_DELAY, longest: MAX_FAILURE_DELAY }, true);

/**
 * Checks passwords. Consecutive wrong ones from one address (or one browser that has signed in before) are answered with growing delay, and
 * until then no other attempt of that address is checked; others are not delayed. An attacker guessing from many addresses queues behind
 * the owner, see `rankOf`.
 */
export class SignIn implements HasherOwner {
  private readonly options: SignInOptions;
  /** Exists while a password is hashed. */
  private hasher: Hasher | undefined;
  /** Created at the first failure. */
  private failures: Failures | undefined;
  private suspects: Suspects | undefined;
  /** Addresses that have signed in and not failed since. */
  private known = NO_ADDRESSES;
  /** The failures were already cleared for this press of the button. */
  private forgiven = false;
  private held = 0;
  /** Exists on the first start, once a page has asked for the button. */
  private comer: FirstComer | undefined;

  /**
   * Set-up code: anyone who can read the console of a device without a password may choose one. 60 random bits need no protection from
   * guessing.
   */
  private readonly code: string | undefined;

  constructor(options: SignInOptions) {
    this.options = options;
    if (!this.firstStart) return;
    try {
      this.code = makePassphrase(options.random);
      trace(`web: no password has been chosen; set-up code ${this.code}\n`);
    } catch (error) {
      trace(`web: no password has been chosen; no set-up code, choose it at the access point: ${String(error)}\n`);
    }
  }

  /**
   * Prints the address that carries the set-up code, in its fragment: browsers never send that. Clients of the access point need no code.
   * Call whenever the network has changed.
   */
  announce(): void {
    const { build, network } = this.options;
    if (!this.firstStart || !this.code || !network.ip || network.mode === "AP") return;
    const page = pageAddress(network.ip, build.httpPort);
    trace(`web: choose the password at ${page}#code=${this.code} (it has the set-up code)\n`);
  }

  /** The client is at the device: connected to its access point, whose password it knows. */
  isPresent({ remoteAddress }: Exchange): boolean {
    return this.options.networkControl?.onPortal(remoteAddress) ?? false;
  }

  /** The button admitted this page, which was given `number`. */
  isAdmitted(exchange: Exchange, number: unknown): boolean {
    return this.comer?.admits(this.addressOf(exchange), number) ?? false;
  }

  /** A press of the button can admit a page now. */
  get asksForButton(): boolean {
    return this.firstStart && this.options.hasButton === true;
  }

  /** Whom it admits. */
  get firstComer(): FirstComer {
    return (this.comer ??= new FirstComer(this.options.random));
  }

  /** Call when the button goes down. */
  pressed(): void {
    if (this.asksForButton) this.firstComer.press();
  }

  /** A password has been chosen. */
  forgetComer(): void {
    this.comer = undefined;
  }

  isCode(given: unknown): boolean {
    return typeof given === "string" && this.code !== undefined && isSecret(lowerCase(given.trim()), this.code);
  }

  /** No password has been chosen yet. */
  get firstStart(): boolean {
    return this.options.settings.web.password === "";
  }

  /** The stored text is not a password hash: nobody can sign in. */
  get lost(): boolean {
    const { password } = this.options.settings.web;
    return password !== "" && !parseHash(password);
  }

  makeDigest(): Digest {
    return this.options.makeDigest();
  }

  /** Calls `judged` once, now or later. `session`: the client's. `guest`: whether `password` is to be the guests'. */
  judge(exchange: Exchange, password: string, session: Session | undefined, guest: boolean, judged: Judged): void {
    const { settings } = this.options;
    const stored = this.storedFor(guest);
    const hash = parseHash(stored);
    const bytes = utf8Of(password);
    const address = this.addressOf(exchange);
    const known = session?.id ?? knownDevice(exchange.header("cookie"), this.makeDigest(), settings.web.password);
    // Nobody shuts out the owner's browser.
    if (known !== undefined) exchange.trust();
    const who = known ?? address;
    this.forgive();
    const left = this.failures?.left(who, Time.ticks) ?? 0;
    const wrong = (): void => {
      if (!known) this.suspect(address);
      this.options.storedEvents?.eventAdded(`sign-in-refused\t${address}`);
      this.wrong(who, judged);
    };
    const full = (): void => judged("full", RETRY_AFTER);
    if (left > 0 || this.hasher?.has(who)) judged("wait", Math.max(1, Math.ceil(left / 1000)));
    else if (!hash || !bytes) wrong();
    else {
      const started = this.workOut({
        password: bytes,
        salt: hash.salt,
        iterations: hash.iterations,
        who,
        rank: known ? FIRST : this.rankOf(exchange, address),
        onDropped: full,
        done: (key) => {
          // It may have changed meanwhile.
          if (!isSecret(hexOf(key), hash.key) || this.storedFor(guest) !== stored) return wrong();
          this.failures?.forget(who);
          // Guests get no precedence: it would be one for guessing the owner's password.
          if (!guest)
            this.known = [...this.known.filter((other) => other !== address), address].slice(-MAX_KNOWN_ADDRESSES);
          judged("right", 0);
        },
      });
      if (!started) full();
    }
  }

  /** Calls `done` later with the stored form of a new password; returns false if too many are being hashed. */
  hash(exchange: Exchange, password: string, done: (hash: string) => void): boolean {
    const who = this.addressOf(exchange);
    if (this.hasher?.has(who)) return false;
    const salt = new Uint8Array(this.options.random.get(SALT_BYTES));
    return this.workOut({
      password: utf8Of(password) as Uint8Array,
      salt,
      iterations: ITERATIONS,
      who,
      rank: FIRST,
      // No rank precedes it.
      onDropped: () => undefined,
      done: (key) => done(formatHash(ITERATIONS, salt, key)),
    });
  }

  /** The value of `Set-Cookie` that identifies this browser from now on. */
  makeDeviceCookie(tls: boolean): string {
    const { random, settings } = this.options;
    return makeDeviceCookie(random, this.makeDigest(), settings.web.password, tls);
  }

  close(): void {
    this.hasher?.close();
    this.hasher = undefined;
  }

  private storedFor(guest: boolean): string {
    const { access, web } = this.options.settings;
    return guest ? access.guest : web.password;
  }

  addressOf(exchange: Exchange): string {
    return clientAddress(exchange, this.options.settings.device.proxyAddress);
  }

  private rankOf({ remoteAddress }: Exchange, address: string): number {
    if (this.options.networkControl?.onPortal(remoteAddress)) return FIRST;
    if (this.known.includes(address)) return KNOWN;
    return this.suspects?.has(address, Time.ticks) ? SUSPECT : STRANGER;
  }

  /** Once per press: users who mistyped during an attack start afresh; attackers are ranked last again after their next guess. */
  private forgive(): void {
    const pressed = this.options.buttonPressed?.() ?? false;
    if (pressed && !this.forgiven) this.failures = this.suspects = undefined;
    this.forgiven = pressed;
  }

  private suspect(address: string): void {
    this.suspects ??= new Suspects();
    this.suspects.add(address, Time.ticks);
    if (this.known.includes(address)) this.known = this.known.filter((other) => other !== address);
  }

  private workOut(job: HashJob): boolean {
    this.hasher ??= new Hasher(this);
    return this.hasher.start({
      ...job,
      done: (key) => {
        if (this.hasher?.idle) this.hasher = undefined;
        job.done(key);
      },
    });
  }

  private wrong(who: string, judged: Judged): void {
    this.failures ??= new Failures(DELAYS);
    const delay = this.failures.record(who, Time.ticks);
    if (!delay || this.held >= MAX_HELD) return judged("wrong", 0);
    try {
      later(
        "server",
        () => {
          this.held--;
          judged("wrong", 0);
        },
        delay,
      );
      this.held++;
    } catch {
      // No memory for the timer: the next attempt has to wait all the same.
      judged("wrong", 0);
    }
  }
}

import type KeyValueStorage from "embedded:storage/key-value";
import type { Digest } from "pbkdf2/pbkdf2";
import type RNG from "rng";
import { hexBytes } from "../runtime/hex";
import { readState, writeState } from "../runtime/state";
import { makeToken } from "../settings/identity";
import { TOKEN_BYTES } from "../settings/limits";
import type { Settings } from "../settings/types";
import { GUEST as GUESTS, LINK, OWNER as OWNERS, type Principal, STRANGER } from "../auth/principals";
import { isSecret } from "../auth/secret";
import { cookieValue } from "./cookies";
import { proofOf } from "./device-cookie";
import {
  DAY,
  LINK_IDLE,
  MAX_GUEST_SESSIONS,
  MAX_LINK_SESSIONS,
  MAX_SESSIONS,
  PROOF_BYTES,
  SESSION_IDLE,
  SESSION_LIFE,
  STAY_DAYS,
} from "./limits";

const COOKIE = "session=";
/** Browsers accept this name only over TLS, only from this host and only with Secure (RFC 6265bis section 4.1.3.2). */
const TLS_COOKIE = "__Host-session=";
const ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

/** Key in the device's state: a line for each session that stays signed in, "proof guest days browser". */
const KEY = "sessions";
const GUEST = "guest";
const OWNER = "owner";
const ID_DIGITS = 2 * TOKEN_BYTES;

export interface SignedIn {
  /** Empty: not seen since the device started. */
  address: string;
  /** As its page calls it; empty: unknown. */
  readonly browser: string;
  /** May only read. */
  readonly guest: boolean;
  /** Number of the read-only link by which it came, from 1; 0: with a password. */
  readonly link: number;
  /** The browser uses TLS: a proxy is in between. */
  tls: boolean;
}

/** A signed-in client. */
export interface Session extends SignedIn {
  /** Empty: not seen since the device started; its `proof` identifies it. */
  id: string;
  /** From 1; grants nothing. */
  readonly number: number;
  /** Seconds since the device started. */
  readonly begun: number;
  used: number;
  /** For which it stays signed in, over restarts; 0: an ordinary session. */
  days: number;
  /** What is stored of it; empty: an ordinary session. */
  proof: string;
}

export interface SessionsOptions {
  /** Whole seconds since the device started. */
  uptime(): number;
  /** For the session ids: 128 bits each. */
  readonly random: typeof RNG;
  readonly settings: Pick<Settings, "web" | "access">;
  readonly storage: typeof KeyValueStorage;
  /** Creates a SHA-256. */
  makeDigest(): Digest;
}

/** Whose request has this session. */
export const principalOf = (session: SignedIn | undefined): Principal => {
  if (!session) return STRANGER;
  if (session.link) return LINK;
  return session.guest ? GUESTS : OWNERS;
};

const NO_SESSIONS: readonly Session[] = Object.freeze([], true);

/**
 * The active sessions. Those that stay signed in are stored, as the SHA-256 of id and password hash: what is stored is no cookie, and is
 * void once the password changes. Others are lost at a restart. The days left are counted without a clock, which the device need not have:
 * each day that
 * the device runs is one, and the first use after a start.
 */
export class Sessions {
  private readonly options: SessionsOptions;
  /** Replaced whenever a session begins or ends: with no sessions it uses no memory. */
  private sessions = NO_SESSIONS;
  private last = 0;
  /** Second of the last sweep, and its day. */
  private swept = -1;
  private day = 0;

  constructor(options: SessionsOptions) {
    this.options = options;
    try {
      const text = readState(options.storage, KEY);
      if (typeof text !== "string") return;
      for (const line of text.split("\n", MAX_SESSIONS + MAX_GUEST_SESSIONS)) this.restore(line);
    } catch {
      trace("web: cannot read the sessions that stay signed in\n");
    }
  }

  /** The value of `Set-Cookie` that begins `session`. */
  static cookie({ id, tls, days }: Session): string {
    const attributes = days ? `; Max-Age=${days * DAY}${ATTRIBUTES}` : ATTRIBUTES;
    return tls ? `${TLS_COOKIE}${id}${attributes}; Secure` : COOKIE + id + attributes;
  }

  /** The value of `Set-Cookie` that deletes the cookie of `session`. */
  static noCookie({ tls }: Session): string {
    return tls ? `${TLS_COOKIE}; Max-Age=0${ATTRIBUTES}; Secure` : `${COOKIE}; Max-Age=0${ATTRIBUTES}`;
  }

  /** In the order in which they began. */
  get all(): readonly Session[] {
    this.sweep();
    return this.sessions;
  }

  /** Whether any has been used lately, or could have been: since a start it is not known. */
  get inUse(): boolean {
    const now = this.options.uptime();
    return this.all.some(({ used }) => now - used < SESSION_IDLE);
  }

  /** `stays`: it stays signed in, if that can be stored. Undefined: all sessions of links are in use. */
  begin(signedIn: SignedIn, stays = false): Session | undefined {
    const { guest, link } = signedIn;
    const alike = this.all.filter((session) => session.guest === guest && !session.link === !link);
    if (alike.length >= (link ? MAX_LINK_SESSIONS : guest ? MAX_GUEST_SESSIONS : MAX_SESSIONS)) {
      const oldest = alike.reduce((found, session) => (session.used < found.used ? session : found));
      if (link && this.options.uptime() - oldest.used < LINK_IDLE) return undefined;
      this.end(oldest);
    }
    const session = this.add(signedIn, makeToken(this.options.random), 0, "");
    if (stays) {
      session.days = STAY_DAYS;
      session.proof = this.proofOf(session.id, guest);
      if (!this.store()) {
        session.days = 0;
        session.proof = "";
      }
    }
    return session;
  }

  /** The session of a Cookie field (RFC 6265 section 4.2); resets its idle time. */
  find(cookie: string | undefined): Session | undefined {
    const tls = cookieValue(cookie, TLS_COOKIE);
    const id = tls ?? cookieValue(cookie, COOKIE);
    if (id === undefined) return undefined;
    this.sweep();
    let found: Session | undefined;
    // Compares all, so that timing does not reveal a near match.
    for (const session of this.sessions) if (isSecret(id, session.id)) found = session;
    found ??= this.resume(id, tls !== undefined);
    if (found) found.used = this.options.uptime();
    return found;
  }

  /** Whether `session` is still active. */
  has(session: Session): boolean {
    return this.sessions.includes(session);
  }

  /** @returns false if it may come back with the next start, like those of the others below: that could not be stored */
  end(session: Session): boolean {
    return this.endAll((other) => other === session);
  }

  /** Call after a change of the password, too: what is stored of `than` then follows it. */
  endOthers(than: Session | undefined): boolean {
    if (than?.proof) than.proof = this.proofOf(than.id, than.guest);
    return this.endAll((session) => session !== than);
  }

  /** Those who signed in with the guest password. */
  endGuests(): boolean {
    return this.endAll(({ guest, link }) => guest && !link);
  }

  /** Those who came by the link of this number. */
  endLink(number: number): void {
    this.endAll(({ link }) => link === number);
  }

  /** Ends expired sessions. */
  sweep(): void {
    const now = this.options.uptime();
    if (now === this.swept) return;
    this.swept = now;
    const passed = Math.floor(now / DAY) - this.day;
    this.day += passed;
    let aged = false;
    for (const session of this.sessions)
      if (session.proof) {
        session.days -= passed;
        aged ||= passed > 0;
        if (session.days <= 0) this.drop(session);
      } else if (now - session.used >= SESSION_IDLE || now - session.begun >= SESSION_LIFE) this.drop(session);
    if (aged) this.store();
  }

  private endAll(ends: (session: Session) => boolean): boolean {
    const stored = this.sessions.some(({ proof }) => proof);
    for (const session of this.sessions) if (ends(session)) this.drop(session);
    return !stored || this.store();
  }

  private drop(session: Session): void {
    const left = this.sessions.filter((other) => other !== session);
    this.sessions = left.length ? left : NO_SESSIONS;
  }

  private add(signedIn: SignedIn, id: string, days: number, proof: string): Session {
    const now = this.options.uptime();
    // Until its first request it gives way to another of a link: the answer may have been lost, and the page asks again.
    const used = signedIn.link ? now - LINK_IDLE : now;
    const session = { ...signedIn, id, number: ++this.last, begun: now, used, days, proof };
    this.sessions = [...this.sessions, session];
    return session;
  }

  private restore(line: string): void {
    const [proof = "", who = "", count, ...words] = line.split(" ");
    const days = Number(count);
    if (hexBytes(proof)?.length !== PROOF_BYTES || !(days > 0 && days <= STAY_DAYS)) return;
    // Its browser is known again when it asks.
    this.add({ address: "", browser: words.join(" "), guest: who === GUEST, link: 0, tls: false }, "", days, proof);
  }

  /** The session of `id` that has not been seen since the device started. */
  private resume(id: string, tls: boolean): Session | undefined {
    if (id.length !== ID_DIGITS || !this.sessions.some((session) => !session.id)) return undefined;
    const owners = this.proofOf(id, false);
    const guests = this.proofOf(id, true);
    let found: Session | undefined;
    for (const session of this.sessions)
      if (!session.id && isSecret(session.guest ? guests : owners, session.proof)) found = session;
    if (!found) return undefined;
    found.id = id;
    found.tls = tls;
    if (--found.days <= 0) {
      this.end(found);
      return undefined;
    }
    this.store();
    return found;
  }

  private proofOf(id: string, guest: boolean): string {
    const { access, web } = this.options.settings;
    return proofOf(id, this.options.makeDigest(), guest ? access.guest : web.password);
  }

  /** Stores those that stay signed in. */
  private store(): boolean {
    const lines = this.sessions
      .filter(({ proof }) => proof)
      .map(({ proof, guest, days, browser }) => `${proof} ${guest ? GUEST : OWNER} ${days} ${browser}`);
    try {
      writeState(this.options.storage, KEY, lines.join("\n"));
      return true;
    } catch {
      trace("web: cannot store the sessions that stay signed in\n");
      return false;
    }
  }
}

import type RNG from "rng";
import { makeToken } from "../settings/identity";
import { isSecret } from "../auth/secret";
import { cookieValue } from "./cookies";
import { MAX_GUEST_SESSIONS, MAX_SESSIONS, SESSION_IDLE, SESSION_LIFE } from "./limits";

const COOKIE = "session=";
/** Browsers accept this name only over TLS, only from this host and only with Secure (RFC 6265bis section 4.1.3.2). */
const TLS_COOKIE = "__Host-session=";
const ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

export interface SignedIn {
  readonly address: string;
  /** As its page calls it; empty: unknown. */
  readonly browser: string;
  /** May only read. */
  readonly guest: boolean;
  /** The browser uses TLS: a proxy is in between. */
  readonly tls: boolean;
}

/** A signed-in client. */
export interface Session extends SignedIn {
  readonly id: string;
  /** From 1; grants nothing. */
  readonly number: number;
  /** Seconds since the device started. */
  readonly begun: number;
  used: number;
}

export interface SessionsOptions {
  /** Whole seconds since the device started. */
  uptime(): number;
  /** For the session ids: 128 bits each. */
  readonly random: typeof RNG;
}

const NO_SESSIONS: readonly Session[] = Object.freeze([], true);

/** The active sessions; lost at a restart. */
export class Sessions {
  private readonly options: SessionsOptions;
  /** Replaced whenever a session begins or ends: with no sessions it uses no memory. */
  private sessions = NO_SESSIONS;
  private last = 0;
  /** Second of the last sweep. */
  private swept = -1;

  constructor(options: SessionsOptions) {
    this.options = options;
  }

  /** The value of `Set-Cookie` that begins `session`. */
  static cookie({ id, tls }: Session): string {
    return tls ? `${TLS_COOKIE}${id}${ATTRIBUTES}; Secure` : COOKIE + id + ATTRIBUTES;
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

  begin(signedIn: SignedIn): Session {
    const { guest } = signedIn;
    const alike = this.all.filter((session) => session.guest === guest);
    if (alike.length >= (guest ? MAX_GUEST_SESSIONS : MAX_SESSIONS))
      this.end(alike.reduce((oldest, session) => (session.used < oldest.used ? session : oldest)));
    const now = this.options.uptime();
    const session = { ...signedIn, id: makeToken(this.options.random), number: ++this.last, begun: now, used: now };
    this.sessions = [...this.sessions, session];
    return session;
  }

  /** The session of a Cookie field (RFC 6265 section 4.2); resets its idle time. */
  find(cookie: string | undefined): Session | undefined {
    const id = cookieValue(cookie, TLS_COOKIE) ?? cookieValue(cookie, COOKIE);
    if (id === undefined) return undefined;
    this.sweep();
    let found: Session | undefined;
    // Compares all, so that timing does not reveal a near match.
    for (const session of this.sessions) if (isSecret(id, session.id)) found = session;
    if (found) found.used = this.options.uptime();
    return found;
  }

  /** Whether `session` is still active. */
  has(session: Session): boolean {
    return this.sessions.includes(session);
  }

  end(session: Session): void {
    const left = this.sessions.filter((other) => other !== session);
    this.sessions = left.length ? left : NO_SESSIONS;
  }

  endOthers(than: Session | undefined): void {
    for (const session of this.sessions) if (session !== than) this.end(session);
  }

  endGuests(): void {
    for (const session of this.sessions) if (session.guest) this.end(session);
  }

  /** Ends expired sessions. */
  sweep(): void {
    const now = this.options.uptime();
    if (now === this.swept) return;
    this.swept = now;
    for (const session of this.sessions)
      if (now - session.used >= SESSION_IDLE || now - session.begun >= SESSION_LIFE) this.end(session);
  }
}

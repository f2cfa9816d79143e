import type RNG from "rng";
import { makeToken } from "../settings/identity";
import { isSecret } from "../access/secret";
import { cookieValue } from "./cookies";
import { MAX_SESSIONS, SESSION_IDLE, SESSION_LIFE } from "./limits";

const COOKIE = "session=";
const ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";

/** Somebody who has signed in. */
export interface Session {
  readonly id: string;
  /** Seconds since the start of the device. */
  readonly begun: number;
  used: number;
}

export interface SessionsOptions {
  /** Whole seconds since the start. */
  uptime(): number;
  /** For the names of the sessions: 128 bits each. */
  readonly random: typeof RNG;
}

const NOBODY: readonly Session[] = Object.freeze([], true);

/** Who is signed in; forgotten at a restart. */
export class Sessions {
  private readonly options: SessionsOptions;
  /** Another array with each that begins or ends: while there is none it takes no memory. */
  private sessions = NOBODY;

  constructor(options: SessionsOptions) {
    this.options = options;
  }

  /** The value of `Set-Cookie` that begins `session`. */
  static cookie(session: Session): string {
    return COOKIE + session.id + ATTRIBUTES;
  }

  /** The value of `Set-Cookie` that ends one. */
  static readonly noCookie = `${COOKIE}; Max-Age=0${ATTRIBUTES}`;

  begin(): Session {
    this.sweep();
    if (this.sessions.length >= MAX_SESSIONS)
      this.end(this.sessions.reduce((oldest, session) => (session.used < oldest.used ? session : oldest)));
    const now = this.options.uptime();
    const session = { id: makeToken(this.options.random), begun: now, used: now };
    this.sessions = [...this.sessions, session];
    return session;
  }

  /** The session of a Cookie field (RFC 6265 section 4.2), which goes on from now. */
  find(cookie: string | undefined): Session | undefined {
    const id = cookieValue(cookie, COOKIE);
    if (id === undefined) return undefined;
    this.sweep();
    let found: Session | undefined;
    // All of them, so that the time does not tell which one was nearly right.
    for (const session of this.sessions) if (isSecret(id, session.id)) found = session;
    if (found) found.used = this.options.uptime();
    return found;
  }

  /** It has not ended. */
  has(session: Session): boolean {
    return this.sessions.includes(session);
  }

  end(session: Session): void {
    const left = this.sessions.filter((other) => other !== session);
    this.sessions = left.length ? left : NOBODY;
  }

  endOthers(than: Session | undefined): void {
    for (const session of this.sessions) if (session !== than) this.end(session);
  }

  /** Ends what has expired. */
  sweep(): void {
    const now = this.options.uptime();
    for (const session of this.sessions)
      if (now - session.used >= SESSION_IDLE || now - session.begun >= SESSION_LIFE) this.end(session);
  }
}

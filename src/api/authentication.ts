import { lowerCase } from "ascii/case";
import Time from "time";
import { later } from "../runtime/timers";
import { headerLines } from "http-server/header-lines";
import type { Exchange, HeaderLine } from "http-server/types";
import { clientAddress } from "../auth/client-address";
import { type Delays, Failures } from "../auth/failures";
import { findToken } from "../auth/named-tokens";
import { isSecret } from "../auth/secret";
import type { Digest } from "pbkdf2/pbkdf2";
import type { EventStore } from "../events/types";
import type { Context, Sources } from "../endpoints/context";
import { fail, reply } from "../endpoints/replies";
import { API_HEADERS } from "./cors";
import { FIRST_FAILURE_DELAY, MAX_DELAYED_ANSWERS, MAX_FAILURE_DELAY } from "./limits";

const SCHEME = "bearer ";
const READ_ONLY = "This token may only read.";

const UNAUTHORIZED_HEADERS = Object.freeze<readonly HeaderLine[]>(
  [...API_HEADERS, headerLines([["WWW-Authenticate", "Bearer"]])],
  true,
);

const DELAYS: Delays = Object.freeze({ first: FIRST_FAILURE_DELAY, longest: MAX_FAILURE_DELAY }, true);

/** The token of an Authorization field (RFC 6750 section 2.1; the scheme's name is case-insensitive, RFC 9110 section 11.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (!authorization || lowerCase(authorization.slice(0, SCHEME.length)) !== SCHEME) return undefined;
  return authorization.slice(SCHEME.length).trim();
}

/** What the check of a token needs of the device. */
export interface TokenSource extends Pick<Sources, "settings"> {
  /** Creates a SHA-256. */
  makeDigest(): Digest;
  readonly storedEvents?: EventStore | undefined;
}

export interface AuthenticationContext extends Context {
  readonly device: Context["device"] & TokenSource;
  /** Set by `admit`. */
  reader?: boolean;
}

const ALL = Object.freeze({ write: true }, true);

/** What a token allows; undefined: it is wrong. */
const rightsOf = (device: TokenSource, given: string): { readonly write: boolean } | undefined => {
  const { access, api } = device.settings;
  return isSecret(given, api.token) ? ALL : findToken(access.tokens, given, () => device.makeDigest());
};

const addressOf = ({ device }: Context<"settings">, exchange: Exchange): string =>
  clientAddress(exchange, device.settings.device.proxyAddress);

/** Checks the bearer token. Consecutive wrong tokens from one address are answered with growing delay. */
export class Authentication {
  /** Created at the first failure. */
  private failures: Failures | undefined;
  private delayed = 0;

  /** The request is known to carry the token: clears the client's failures. */
  pass(context: Context<"settings">, exchange: Exchange): void {
    this.failures?.forget(addressOf(context, exchange));
  }

  /**
   * True if the request carries a token that allows its method; otherwise it is answered: with 403 if the token may only read, else with
   * 401, now or later.
   */
  admit(context: AuthenticationContext, exchange: Exchange): boolean {
    const given = bearerToken(exchange.header("authorization"));
    const rights = given === undefined ? undefined : rightsOf(context.device, given);
    if (rights) {
      this.pass(context, exchange);
      context.reader = !rights.write;
      if (rights.write || exchange.method === "GET" || exchange.method === "HEAD") return true;
      fail(context, exchange, 403, READ_ONLY);
      return false;
    }
    const address = addressOf(context, exchange);
    if (given) context.device.storedEvents?.eventAdded(`sign-in-refused\t${address}`);
    this.failures ??= new Failures(DELAYS);
    const delay = this.failures.record(address, Time.ticks);
    if (!delay || !this.refuseAfter(delay, context, exchange)) refuse(context, exchange);
    return false;
  }

  /** False: too many are waiting, or there is no memory for a timer. */
  private refuseAfter(delay: number, context: AuthenticationContext, exchange: Exchange): boolean {
    if (this.delayed >= MAX_DELAYED_ANSWERS) return false;
    try {
      later(
        "server",
        () => {
          this.delayed--;
          refuse(context, exchange);
        },
        delay,
      );
    } catch {
      return false;
    }
    this.delayed++;
    return true;
  }
}

function refuse(context: Context, exchange: Exchange): void {
  reply(
    context,
    exchange,
    401,
    (json) => json.boolean("success", false).string("data", "Unauthorized, invalid token."),
    UNAUTHORIZED_HEADERS,
  );
}

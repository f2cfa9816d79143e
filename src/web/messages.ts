/** Codes for why a request is refused; the page has the texts. */
export const NOT_SIGNED_IN = "not-signed-in";
/** Followed by a tab and the device's address. */
export const MISDIRECTED = "unknown-host-name";
export const OTHER_SITE = "other-site";
export const WRONG = "wrong-password";
export const WAIT = "wait";
export const FULL = "busy";
export const NONE_CHOSEN = "no-password";
export const LOST = "password-lost";
export const NOT_PRESENT = "not-present";
export const WRONG_CODE = "wrong-code";
/** The request is not for guests. */
export const GUEST = "guest";
export const NO_SESSION = "no-session";
export const NO_TOKEN = "no-token";
/** The link has been revoked. */
export const NO_LINK = "no-link";
export const TOKENS_FULL = "tokens-full";
export const CHANGED = "password-changed";

/** The new password is too short, too long, or has control characters. */
export const BAD_PASSWORD = "bad-password";
export type AccessProblem =
  | typeof NOT_SIGNED_IN
  | typeof OTHER_SITE
  | typeof WRONG
  | typeof WAIT
  | typeof FULL
  | typeof NONE_CHOSEN
  | typeof LOST
  | typeof NOT_PRESENT
  | typeof WRONG_CODE
  | typeof GUEST
  | typeof NO_SESSION
  | typeof NO_TOKEN
  | typeof NO_LINK
  | typeof TOKENS_FULL
  | typeof CHANGED
  | typeof BAD_PASSWORD;

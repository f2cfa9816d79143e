/** Sign-in, sign-out and the password: /web/session and /web/password. */
import { lowerCase } from "ascii/case";
import type { Exchange, HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { fail, reply } from "../endpoints/replies";
import { receiveMembers, type WriteRequest } from "../endpoints/write-request";
import { findToken } from "../auth/named-tokens";
import { isText } from "../settings/text-rules";
import type { WebContext } from "./context";
import { NO_STORE_HEADERS, withHeader } from "./headers";
import { LINK_IDLE, MAX_BROWSER, MAX_PASSWORD_BODY, SESSION_IDLE, STAY_DAYS } from "./limits";
import {
  BAD_PASSWORD,
  CHANGED,
  FULL,
  LOST,
  NO_LINK,
  NO_SESSION,
  NONE_CHOSEN,
  NOT_PRESENT,
  NOT_SIGNED_IN,
  WAIT,
  WRONG,
  WRONG_CODE,
} from "./messages";
import { isPassword } from "./password";
import { Sessions, type Session } from "./sessions";
import type { Verdict } from "./sign-in";

/** A session that has ended may come back with the next start. */
const NOT_STORED = "not-stored";

/** Who signs in is answered with what the page shows before anybody has. */
type Signing = WebContext<
  "settings" | "start" | "uptime" | "time" | "offsetAt" | "sntp" | "flashHistory" | "makeDigest"
>;

const SIGN_IN: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["password", "guest", "stay", "browser", "link"],
    limit: MAX_PASSWORD_BODY,
    bodyError: "Invalid JSON. Required field: password or link (text); optional: guest, stay (true or false).",
    fail,
  },
  true,
);

const CHANGE: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["old", "new", "code", "number", "browser"],
    limit: MAX_PASSWORD_BODY,
    bodyError:
      "Invalid JSON. Required fields: old (text, not on the first start), new (text); on the first start code (text), or number (text) once the button was pressed, unless the device knows who is there.",
    fail,
  },
  true,
);

const GUESTS: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["password"],
    limit: MAX_PASSWORD_BODY,
    bodyError: "Invalid JSON. Required field: password (text; empty: no guests).",
    fail,
  },
  true,
);

export function getSession(context: Signing, exchange: Exchange, session: Session | undefined): void {
  replySession(context, exchange, session);
}

export function postSession(context: Signing, exchange: Exchange): void {
  receiveMembers(context, exchange, SIGN_IN, ({ password, guest = false, stay = false, browser, link }) => {
    if (typeof link === "string") return enter(context, exchange, link, browser);
    if (typeof password !== "string" || typeof guest !== "boolean" || typeof stay !== "boolean")
      return fail(context, exchange, 400, SIGN_IN.bodyError);
    if (context.signIn.firstStart) return fail(context, exchange, 409, NONE_CHOSEN);
    if (context.signIn.lost) return fail(context, exchange, 409, LOST);
    context.signIn.judge(exchange, password, undefined, guest, (verdict, seconds) => {
      if (verdict !== "right") return refuse(context, exchange, verdict, seconds);
      beginSession(context, exchange, guest, browser, stay);
    });
  });
}

/** By a read-only link, of which `secret` is all that its owner has given away. */
function enter(context: Signing, exchange: Exchange, secret: string, browser: unknown): void {
  const { device } = context;
  const { links } = device.settings.access;
  const found = findToken(links, secret, () => device.makeDigest());
  if (!found) return fail(context, exchange, 401, NO_LINK);
  beginSession(context, exchange, true, browser, false, links.indexOf(found) + 1);
}

export function deleteSession(context: WebContext, exchange: Exchange, session: Session | undefined): void {
  if (!session) return fail(context, exchange, 401, NOT_SIGNED_IN);
  answerEnd(context, exchange, context.sessions.end(session), session);
}

/** 204; if the client's own session has ended, its cookie is deleted. */
function answerEnd(context: WebContext, exchange: Exchange, stored: boolean, session: Session | undefined): void {
  const ended = session && !context.sessions.has(session);
  const headers = ended ? withHeader("Set-Cookie", Sessions.noCookie(session)) : NO_STORE_HEADERS;
  if (stored) exchange.respond(204, undefined, undefined, headers);
  else fail(context, exchange, 500, NOT_STORED, headers);
}

/** Who is signed in: the address, since when and last used how long ago, s. */
export function getSessions(context: WebContext<"uptime">, exchange: Exchange, session: Session | undefined): void {
  const { sessions } = context;
  const now = context.device.uptime();
  reply(context, exchange, 200, (json) => {
    json.boolean("success", true).openArray("data");
    for (const one of sessions.all) {
      json.open().integer("number", one.number).string("address", one.address).string("browser", one.browser);
      json.integer("since", now - one.begun).integer("idle", now - one.used);
      json
        .boolean("guest", one.guest)
        .integer("link", one.link)
        .boolean("own", one === session)
        .integer("days", one.days)
        .close();
    }
    json.closeArray();
  });
}

/** Ends the session that the query names; without a query all of them, the client's included. */
export function deleteSessions(context: WebContext, exchange: Exchange, session: Session | undefined): void {
  const { sessions } = context;
  const { query } = exchange;
  let stored: boolean;
  if (query) {
    const named = sessions.all.find(({ number }) => query === `number=${number}`);
    if (!named) return fail(context, exchange, 404, NO_SESSION);
    stored = sessions.end(named);
  } else stored = sessions.endOthers(undefined);
  answerEnd(context, exchange, stored, session);
}

/** Sets the guest password, or removes it. */
export function postGuest(context: Signing, exchange: Exchange, session: Session | undefined): void {
  const { sessions, signIn } = context;
  const { settings } = context.device;
  receiveMembers(context, exchange, GUESTS, ({ password }) => {
    if (typeof password !== "string") return fail(context, exchange, 400, GUESTS.bodyError);
    if (password && !isPassword(password)) return fail(context, exchange, 400, BAD_PASSWORD);
    const store = (guest: string): void => {
      if (!session || !sessions.has(session)) return fail(context, exchange, 401, NOT_SIGNED_IN);
      const problem = settings.update("access", { guest });
      if (problem) return fail(context, exchange, 500, problem);
      sessions.endGuests();
      replySession(context, exchange, session);
    };
    if (!password) store("");
    else if (!signIn.hash(exchange, password, store)) refuse(context, exchange, "full", 2);
  });
}

const BUTTON: WriteRequest = Object.freeze(
  { form: false, members: ["number"], bodyError: "Invalid JSON. Optional field: number (text).", fail },
  true,
);

/** On the first start: the page asks that a press of the button admits it. */
export function postButton(context: WebContext, exchange: Exchange): void {
  receiveMembers(context, exchange, BUTTON, ({ number }) => {
    const { signIn } = context;
    if (!signIn.asksForButton) return fail(context, exchange, 409, NOT_PRESENT);
    const { firstComer } = signIn;
    const isFirst = firstComer.claim(signIn.addressOf(exchange), number);
    reply(context, exchange, 200, (json) => {
      json.boolean("success", true).open("data");
      firstComer.write(json, isFirst);
      json.close();
    });
  });
}

export function postPassword(context: Signing, exchange: Exchange, session: Session | undefined): void {
  const { signIn } = context;
  receiveMembers(context, exchange, CHANGE, (members) => {
    const { old, new: chosen } = members;
    if (typeof chosen !== "string") return fail(context, exchange, 400, CHANGE.bodyError);
    if (!isPassword(chosen)) return fail(context, exchange, 400, BAD_PASSWORD);
    if (signIn.firstStart) {
      const { code = "", number } = members;
      if (!signIn.isPresent(exchange) && !signIn.isCode(code) && !signIn.isAdmitted(exchange, number))
        return fail(context, exchange, 403, code === "" ? NOT_PRESENT : WRONG_CODE);
      return choose(context, exchange, chosen, session, "", members["browser"]);
    }
    if (!session) return fail(context, exchange, 401, WRONG);
    if (typeof old !== "string") return fail(context, exchange, 400, CHANGE.bodyError);
    const before = context.device.settings.web.password;
    signIn.judge(exchange, old, session, false, (verdict, seconds) => {
      if (verdict === "right") choose(context, exchange, chosen, session, before);
      else refuse(context, exchange, verdict, seconds);
    });
  });
}

/** Stores the new password, unless the stored one (`before`) has changed meanwhile. */
function choose(
  context: Signing,
  exchange: Exchange,
  chosen: string,
  session: Session | undefined,
  before: string,
  browser?: unknown,
): void {
  const { sessions, signIn } = context;
  const { settings } = context.device;
  const started = signIn.hash(exchange, chosen, (password) => {
    if (settings.web.password !== before) return fail(context, exchange, 409, CHANGED);
    const problem = settings.update("web", { password });
    if (problem) return fail(context, exchange, 500, problem);
    signIn.forgetComer();
    const stays = session && sessions.has(session) ? session : undefined;
    sessions.endOthers(stays);
    if (stays) replySession(context, exchange, stays);
    else beginSession(context, exchange, false, browser);
  });
  if (!started) refuse(context, exchange, "full", 2);
}

function beginSession(
  context: Signing,
  exchange: Exchange,
  guest: boolean,
  browser: unknown,
  stay = false,
  link = 0,
): void {
  // A client that has disconnected has no use for a session.
  if (!exchange.open) return;
  const { sessions, signIn } = context;
  // Checked to be of this host: see isSameOrigin.
  const tls = lowerCase(exchange.header("origin") ?? "").startsWith("https:");
  const session = sessions.begin(
    { address: signIn.addressOf(exchange), browser: browserOf(browser), guest, link, tls },
    stay,
  );
  if (!session) return refuse(context, exchange, "full", LINK_IDLE);
  const headers = withHeader("Set-Cookie", Sessions.cookie(session));
  replySession(
    context,
    exchange,
    session,
    guest ? headers : [...headers, ["Set-Cookie", signIn.makeDeviceCookie(tls)]],
  );
}

/** Anything but a name counts as unknown: it is only shown. */
const browserOf = (given: unknown): string =>
  typeof given === "string" && isText("name", given, 1, MAX_BROWSER) ? given : "";

function replySession(
  context: Signing,
  exchange: Exchange,
  session: Session | undefined,
  headers: readonly HeaderLine[] = NO_STORE_HEADERS,
): void {
  const { firstStart, lost } = context.signIn;
  reply(
    context,
    exchange,
    200,
    (json) => {
      json.boolean("success", true).open("data");
      json
        .boolean("safeMode", context.device.start?.safe ?? false)
        .boolean("firstStart", firstStart)
        .boolean("signedIn", session !== undefined);
      json.boolean("guest", session?.guest ?? false).boolean("link", Boolean(session?.link));
      json.boolean("guests", context.device.settings.access.guest !== "");
      json.boolean("passwordLost", lost).boolean("codeWanted", firstStart && !context.signIn.isPresent(exchange));
      json.boolean("button", context.signIn.asksForButton).integer("idleSeconds", SESSION_IDLE);
      json.integer("stayDays", STAY_DAYS);
      const { lacks } = context.device.settings;
      if (lacks?.relay) json.boolean("noRelay", true);
      if (lacks?.monitoring) json.boolean("noInputs", true);
      if (session) writeTime(json, context, session);
      json.close();
    },
    headers,
  );
}

/** What the page compares with its browser. */
function writeTime(json: JsonWriter, { device }: Signing, { link }: Session): void {
  const time = device.time?.();
  const { zone } = device.settings.time;
  json.boolean("inStep", device.sntp?.inStep ?? false);
  // It names a place, which a link does not reveal; that none is chosen reveals none.
  if (!link || !zone) json.string("zone", zone);
  json.integer("offset", device.offsetAt?.(time ?? 0) ?? 0);
  if (time !== undefined) return void json.integer("time", time);
  const { about } = device.flashHistory ?? {};
  if (about !== undefined) json.integer("about", about + device.uptime());
}

function refuse(context: WebContext, exchange: Exchange, verdict: Verdict, seconds: number): void {
  if (verdict === "wrong") fail(context, exchange, 401, WRONG);
  else {
    const headers = withHeader("Retry-After", seconds.toString());
    if (verdict === "wait") fail(context, exchange, 429, WAIT, headers);
    else fail(context, exchange, 503, FULL, headers);
  }
}

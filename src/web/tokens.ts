/** Named API tokens and read-only links, which are stored the same way: /web/tokens and /web/links. */
import type { Exchange } from "http-server/types";
import { tokenHash } from "../auth/named-tokens";
import { fail, reply } from "../endpoints/replies";
import { receiveMembers, type WriteRequest } from "../endpoints/write-request";
import { makeToken } from "../settings/identity";
import type { Settings, TokenSettings } from "../settings/types";
import type { WebContext } from "./context";
import { NO_STORE_HEADERS } from "./headers";
import { NO_TOKEN, TOKENS_FULL } from "./messages";

export const LINKS_PATH = "/web/links";

type List = "links" | "tokens";

/** What a request is about. */
const listOf = ({ path }: Exchange): List => (path === LINKS_PATH ? "links" : "tokens");

const NEW: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["name", "write"],
    bodyError: "Invalid JSON. Required fields: name (text), of a token also write (true or false).",
    fail,
  },
  true,
);

export function getTokens(context: WebContext<"settings">, exchange: Exchange): void {
  const tokens = context.device.settings.access[listOf(exchange)];
  reply(context, exchange, 200, (json) => {
    json.boolean("success", true).openArray("data");
    tokens.forEach(({ name, write, hash }, at) => {
      if (hash) json.open().integer("number", at).string("name", name).boolean("write", write).close();
    });
    json.closeArray();
  });
}

/** The only answer that ever contains the token, or the secret of the link. */
export function postTokens(context: WebContext<"settings" | "random" | "makeDigest">, exchange: Exchange): void {
  const { device } = context;
  const { settings } = device;
  const list = listOf(exchange);
  receiveMembers(context, exchange, NEW, (members) => {
    const { name, write } = list === "links" ? { ...members, write: false } : members;
    if (typeof name !== "string" || typeof write !== "boolean") return fail(context, exchange, 400, NEW.bodyError);
    const at = settings.access[list].findIndex(({ hash }) => !hash);
    if (at < 0) return fail(context, exchange, 409, TOKENS_FULL);
    const token = makeToken(device.random);
    const hash = tokenHash(device.makeDigest(), token) as string;
    const problem = store(settings, list, at, { name, write, hash });
    if (problem) return fail(context, exchange, 400, problem);
    reply(context, exchange, 200, (json) =>
      json.boolean("success", true).open("data").integer("number", at).string("token", token).close(),
    );
  });
}

/** Revokes what the query names. Whoever came by a link is signed out. */
export function deleteTokens(context: WebContext<"settings">, exchange: Exchange): void {
  const { settings } = context.device;
  const list = listOf(exchange);
  const tokens = settings.access[list];
  const at = tokens.findIndex(({ hash }, number) => hash && exchange.query === `number=${number}`);
  if (at < 0) return fail(context, exchange, 404, NO_TOKEN);
  const problem = store(settings, list, at, { ...(tokens[at] as TokenSettings), hash: "" });
  if (problem) return fail(context, exchange, 500, problem);
  if (list === "links") context.sessions.endLink(at + 1);
  exchange.respond(204, undefined, undefined, NO_STORE_HEADERS);
}

function store(settings: Settings, list: List, at: number, token: TokenSettings): string | undefined {
  const tokens = settings.access[list].map((other, place) => (place === at ? token : other));
  return settings.update("access", { [list]: tokens });
}

/** Named API tokens: /web/tokens. */
import type { Exchange } from "http-server/types";
import { tokenHash } from "../auth/named-tokens";
import { fail, reply } from "../endpoints/replies";
import { receiveMembers, type WriteRequest } from "../endpoints/write-request";
import { makeToken } from "../settings/identity";
import type { AccessSettings, TokenSettings } from "../settings/types";
import type { WebContext } from "./context";
import { NO_STORE_HEADERS } from "./headers";
import { NO_TOKEN, TOKENS_FULL } from "./messages";

const NEW: WriteRequest = Object.freeze(
  {
    form: false,
    members: ["name", "write"],
    bodyError: "Invalid JSON. Required fields: name (text), write (true or false).",
    fail,
  },
  true,
);

export function getTokens(context: WebContext<"settings">, exchange: Exchange): void {
  const { tokens } = context.device.settings.access;
  reply(context, exchange, 200, (json) => {
    json.boolean("success", true).openArray("data");
    tokens.forEach(({ name, write, hash }, at) => {
      if (hash) json.open().integer("number", at).string("name", name).boolean("write", write).close();
    });
    json.closeArray();
  });
}

/** The only answer that ever contains the token. */
export function postTokens(context: WebContext<"settings" | "random" | "makeDigest">, exchange: Exchange): void {
  receiveMembers(context, exchange, NEW, ({ name, write }) => {
    if (typeof name !== "string" || typeof write !== "boolean") return fail(context, exchange, 400, NEW.bodyError);
    const at = context.device.settings.access.tokens.findIndex(({ hash }) => !hash);
    if (at < 0) return fail(context, exchange, 409, TOKENS_FULL);
    const token = makeToken(context.device.random);
    const hash = tokenHash(context.device.makeDigest(), token) as string;
    const problem = store(context, at, { name, write, hash });
    if (problem) return fail(context, exchange, 400, problem);
    reply(context, exchange, 200, (json) =>
      json.boolean("success", true).open("data").integer("number", at).string("token", token).close(),
    );
  });
}

/** Revokes the token that the query names. */
export function deleteTokens(context: WebContext<"settings">, exchange: Exchange): void {
  const { tokens } = context.device.settings.access;
  const at = tokens.findIndex(({ hash }, number) => hash && exchange.query === `number=${number}`);
  if (at < 0) return fail(context, exchange, 404, NO_TOKEN);
  const problem = store(context, at, { ...(tokens[at] as TokenSettings), hash: "" });
  if (problem) fail(context, exchange, 500, problem);
  else exchange.respond(204, undefined, undefined, NO_STORE_HEADERS);
}

function store({ device: { settings } }: WebContext<"settings">, at: number, token: TokenSettings): string | undefined {
  const tokens = settings.access.tokens.map((other, place) => (place === at ? token : other));
  return settings.update("access", { tokens: tokens as unknown as AccessSettings["tokens"] });
}

import type { Exchange, Handler } from "http-server/types";
import { JsonWriter } from "json/writer";
import { Authentication } from "./authentication";
import { BodyParser } from "./body";
import type { ApiOptions, Context } from "./context";
import { PREFLIGHT_HEADERS } from "./cors";
import { fail } from "./replies";
import { findAnswer, findRoute, isApiPath, methodNotAllowedHeaders } from "./router";

/** The REST face: answers everything under /api, in the order of checks that decisions.md fixes, and leaves the rest to `next`. */
export class Api {
  /** For the HTTP server. */
  readonly handler: Handler = (exchange) => this.answer(exchange);
  readonly #context: Context;
  readonly #authentication: Authentication;

  constructor(options: ApiOptions) {
    this.#context = { ...options, json: new JsonWriter(), bodies: new BodyParser() };
    this.#authentication = new Authentication(this.#context);
  }

  private answer(exchange: Exchange): void {
    const context = this.#context;
    const { method, path } = exchange;
    if (!isApiPath(path)) {
      if (context.next) context.next(exchange);
      else fail(context, exchange, 404, "Not found.", []);
      return;
    }
    if (method === "OPTIONS") {
      exchange.respond(204, undefined, undefined, PREFLIGHT_HEADERS);
      return;
    }
    if (!context.settings.api.enabled) {
      fail(context, exchange, 403, "API disabled.");
      return;
    }
    if (!this.#authentication.admit(exchange)) return;
    const route = findRoute(context, path);
    if (!route) {
      fail(context, exchange, 404, "Not found.");
      return;
    }
    const answer = findAnswer(route, method);
    if (answer) answer(context, exchange);
    else fail(context, exchange, 405, `Method not allowed on ${route.path}.`, methodNotAllowedHeaders(route));
  }
}

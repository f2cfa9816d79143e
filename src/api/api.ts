import { headerBytes } from "http-server/header-bytes";
import type { Exchange, HeaderLine, Render } from "http-server/types";
import { jsonBytes } from "json/bytes";
import type { Device } from "../runtime/device";
import { inheriting } from "../runtime/inheriting";
import type { AccessSettings, ApiSettings } from "../settings/types";
import type { Dialect, Sources } from "../endpoints/context";
import { Rendered } from "../endpoints/rendered";
import { fail, JSON_TYPE } from "../endpoints/replies";
import { Authentication, type AuthenticationContext } from "./authentication";
import { API_HEADERS, PREFLIGHT_HEADERS } from "./cors";
import { SAFE_MODE_RETRY } from "./limits";
import { type Answer, findAnswer, findRoute, isApiPath, methodNotAllowedHeaders } from "./router";

export interface ApiOptions extends Sources, Pick<Device, "makeDigest">, Partial<Pick<Device, "start">> {
  /** Answers paths outside /api; without it they are 404. */
  next?(exchange: Exchange): void;
}

const DIALECT: Dialect = Object.freeze(
  {
    headers: API_HEADERS,
    queuePath: "/api/bms/commands",
    forms: true,
    codes: false,
    unmeasured: 0,
    community: true,
    relay: false,
  },
  true,
);

/** Result of checking a request's head: its token and handler. Valid until the settings of these groups change. */
class Admission {
  constructor(
    readonly api: ApiSettings,
    readonly access: AccessSettings,
    readonly answer: Answer,
    readonly reader: boolean,
  ) {}
}

const SAFE_MODE = "The device is in safe mode: see its web page.";

/** Safe mode lasts until a user ends it: clients need not ask more often. */
const SAFE_MODE_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [...API_HEADERS, headerBytes([["Retry-After", SAFE_MODE_RETRY.toString()]])],
  true,
);

const NOT_FOUND = jsonBytes('{"success":false,"error":"Not found."}');

const renderNotFound: Render = (into) => {
  into.set(NOT_FOUND);
  return NOT_FOUND.length;
};

/** Scanners and misconfigured clients repeat requests for missing paths: the answer is rendered once. */
const unknownPath: Answer = (_context, exchange) => exchange.respond(404, JSON_TYPE, renderNotFound, API_HEADERS);

/** The REST API: answers everything under /api (docs/api.md, "Order of the checks") and passes the rest to `next`. */
export class Api {
  private readonly context: ApiOptions & AuthenticationContext;
  private readonly authentication = new Authentication();
  /** The last one: clients that poll the same document share it. */
  private admission: Admission | undefined;

  constructor(options: ApiOptions) {
    this.context = inheriting(options, { dialect: DIALECT, status: new Rendered(), summary: new Rendered() });
  }

  /**
   * First checks of every request under /api, also used by other interfaces with the same tokens. False: the request is answered, now or
   * later, with 403 (API disabled, or a token that may only read) or 401 (token missing or wrong).
   */
  admit(exchange: Exchange): boolean {
    if (this.context.settings.api.enabled) return this.authentication.admit(this.context, exchange);
    fail(this.context, exchange, 403, "API disabled.");
    return false;
  }

  /** Answers an unknown path. */
  notFound(exchange: Exchange): void {
    fail(this.context, exchange, 404, "Not found.", []);
  }

  /** Called by the HTTP server. */
  answer(exchange: Exchange): void {
    const { context } = this;
    const { memo } = exchange;
    if (memo instanceof Admission && this.stillHolds(memo)) {
      this.authentication.pass(context, exchange);
      context.reader = memo.reader;
      memo.answer(context, exchange);
      return;
    }
    const { method, path } = exchange;
    if (!isApiPath(path)) {
      if (context.next) context.next(exchange);
      else this.notFound(exchange);
      return;
    }
    if (method === "OPTIONS") {
      exchange.respond(204, undefined, undefined, PREFLIGHT_HEADERS);
      return;
    }
    if (!this.admit(exchange)) return;
    if (context.start?.safe) return fail(context, exchange, 503, SAFE_MODE, SAFE_MODE_HEADERS);
    const route = findRoute(path);
    if (route?.fitted && !route.fitted(context)) {
      unknownPath(context, exchange);
      return;
    }
    const answer = route ? findAnswer(route, method) : unknownPath;
    if (answer) {
      // Routes of optional hardware are not cached: what is fitted may change.
      if (!route?.fitted) exchange.memo = this.admissionFor(answer);
      answer(context, exchange);
    } else if (route)
      fail(context, exchange, 405, `Method not allowed on ${route.path}.`, methodNotAllowedHeaders(route));
  }

  private admissionFor(answer: Answer): Admission {
    const { admission, context } = this;
    const { reader = false, settings } = context;
    if (admission?.answer === answer && admission.reader === reader && this.stillHolds(admission)) return admission;
    return (this.admission = new Admission(settings.api, settings.access, answer, reader));
  }

  private stillHolds({ access, api }: Admission): boolean {
    const { settings } = this.context;
    return settings.api === api && settings.access === access;
  }
}

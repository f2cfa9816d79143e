import { headerLines } from "http-server/header-lines";
import type { Exchange, HeaderLine, Render } from "http-server/types";
import { writeText } from "json/bytes";
import type { AccessSettings, ApiSettings } from "../settings/types";
import type { Answer, Context, Dialect, Sources } from "../endpoints/context";
import { packAt, postAccept } from "../endpoints/packs";
import { fail, JSON_TYPE } from "../endpoints/replies";
import { Authentication, type TokenSource } from "./authentication";
import { API_HEADERS, PREFLIGHT_HEADERS } from "./cors";
import { SAFE_MODE_RETRY } from "./limits";
import { findAnswer, findRoute, isApiPath, methodNotAllowedHeaders, type Route } from "./router";

/** What the API needs of the device. */
export interface ApiDevice extends Sources, TokenSource {
  readonly settings: Sources["settings"];
  readonly start?: { readonly safe: boolean };
}

interface ApiContext extends Context<keyof Sources> {
  readonly device: ApiDevice;
  reader: boolean;
}

const DIALECT: Dialect = Object.freeze(
  {
    headers: API_HEADERS,
    queuePath: "/api/bms/commands",
    forms: true,
    error: (_code, sentence) => sentence,
    outcomes: false,
    origin: "API",
    unmeasured: 0,
    community: true,
    relay: false,
  },
  true,
);

/** Below it each pack has, by its address, what the first has below FIRST. */
const PACKS = "/api/packs/";
const FIRST = "/api/bms/";
const ACCEPT: Route = Object.freeze({ path: "", post: postAccept }, true);

/** Result of checking a request's head: its token and handler. Valid until the settings of these groups change. */
class Admission {
  constructor(
    readonly api: ApiSettings,
    readonly access: AccessSettings,
    /** Undefined: another interface answers. */
    readonly answer: Answer | undefined,
    readonly reader: boolean,
  ) {}

  holds(settings: Pick<Sources["settings"], "api" | "access">): boolean {
    return settings.api === this.api && settings.access === this.access;
  }
}

const SAFE_MODE = "The device is in safe mode: see its web page.";

/** Safe mode lasts until a user ends it: clients need not ask more often. */
const SAFE_MODE_HEADERS: readonly HeaderLine[] = Object.freeze<readonly HeaderLine[]>(
  [...API_HEADERS, headerLines([["Retry-After", SAFE_MODE_RETRY.toString()]])],
  true,
);

const NOT_FOUND = '{"success":false,"error":"Not found."}';

const renderNotFound: Render = (into) => writeText(into, 0, NOT_FOUND);

/** Scanners and misconfigured clients repeat requests for missing paths: the answer is rendered once. */
const unknownPath: Answer = (_context, exchange) => exchange.respond(404, JSON_TYPE, renderNotFound, API_HEADERS);

/** The REST API: answers everything under /api (docs/api.md, "Order of the checks"). */
export class Api {
  private readonly context: ApiContext;
  private readonly authentication = new Authentication();
  /** The last one: clients that poll the same document share it. */
  private admission: Admission | undefined;

  constructor(device: ApiDevice) {
    this.context = {
      device,
      dialect: DIALECT,
      reader: false,
      // The contract's own paths are the first pack's.
      get pack() {
        return device.monitor.packs[0];
      },
    };
  }

  /**
   * First checks of every request under /api, also used by other interfaces with the same tokens. False: the request is answered, now or
   * later, with 403 (API disabled, or a token that may only read) or 401 (token missing or wrong).
   */
  admit(exchange: Exchange): boolean {
    const { context } = this;
    const { memo } = exchange;
    if (memo instanceof Admission && memo.holds(context.device.settings)) {
      this.authentication.pass(context, exchange);
      context.reader = memo.reader;
    } else if (this.authenticate(exchange)) exchange.memo = this.admissionFor(undefined);
    else return false;
    return true;
  }

  private authenticate(exchange: Exchange): boolean {
    if (this.context.device.settings.api.enabled) return this.authentication.admit(this.context, exchange);
    fail(this.context, exchange, 403, "API disabled.");
    return false;
  }

  /** False: the path is not one of the API's, and the request has not been answered. */
  answer(exchange: Exchange): boolean {
    const { context } = this;
    const { memo } = exchange;
    if (memo instanceof Admission && memo.holds(context.device.settings)) {
      if (!memo.answer) return false;
      this.authentication.pass(context, exchange);
      context.reader = memo.reader;
      memo.answer(context, exchange);
      return true;
    }
    if (!isApiPath(exchange.path)) return false;
    this.check(exchange);
    return true;
  }

  private check(exchange: Exchange): void {
    let context: Context<keyof Sources> = this.context;
    const { method, path } = exchange;
    if (method === "OPTIONS") {
      exchange.respond(204, undefined, undefined, PREFLIGHT_HEADERS);
      return;
    }
    if (!this.authenticate(exchange)) return;
    if (this.context.device.start?.safe) return fail(context, exchange, 503, SAFE_MODE, SAFE_MODE_HEADERS);
    let route = findRoute(path);
    if (path.startsWith(PACKS)) {
      const [address, resource = "", ...more] = path.slice(PACKS.length).split("/");
      const pack = packAt(context.device.monitor, address);
      if (pack && !more.length) {
        route = resource === "accept" ? ACCEPT : findRoute(FIRST + resource);
        const { device, dialect, reader } = this.context;
        context = { device, dialect: { ...dialect, queuePath: `${PACKS}${address}/commands` }, reader, pack };
      }
    }
    if (route?.exists && !route.exists(context)) {
      unknownPath(context, exchange);
      return;
    }
    const answer = route ? findAnswer(route, method) : unknownPath;
    if (answer) {
      // Routes of optional hardware are not cached: what is fitted may change.
      if (!route?.exists && context === this.context) exchange.memo = this.admissionFor(answer);
      answer(context, exchange);
    } else if (route) fail(context, exchange, 405, `Method not allowed on ${path}.`, methodNotAllowedHeaders(route));
  }

  private admissionFor(answer: Answer | undefined): Admission {
    const { admission, context } = this;
    const {
      device: { settings },
      reader,
    } = context;
    if (admission && admission.answer === answer && admission.reader === reader && admission.holds(settings))
      return admission;
    return (this.admission = new Admission(settings.api, settings.access, answer, reader));
  }
}

import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import { GUEST as GUESTS, isTrusted, LINK, OWNER, type Principal, STRANGER } from "../auth/principals";
import type { Dialect } from "../endpoints/context";
import { packAt, postAccept } from "../endpoints/packs";
import type { ResourceProblem } from "../endpoints/problems";
import { fail } from "../endpoints/replies";
import { fileOf, findAsset } from "./assets";
import type { WebContext } from "./context";
import { SECRETS } from "./group";
import { NO_STORE_HEADERS, SECURITY_HEADERS, withHeader } from "./headers";
import { GUEST, LOST, MISDIRECTED, NOT_SIGNED_IN, OTHER_SITE } from "./messages";
import { isForUs, isSameOrigin } from "./origin";
import { allowed, findAnswer, findRoute, type Route } from "./router";
import { principalOf, Sessions } from "./sessions";
import { SignIn } from "./sign-in";
import { EventStreams } from "./streams";
import type { WebDevice } from "./types";

const SAFE_MODE: ResourceProblem = "safe-mode";
const NO_PAGE = "The page was not built into this firmware. The REST API answers under /api.\n";

const DIALECT: Dialect = Object.freeze(
  {
    headers: NO_STORE_HEADERS,
    queuePath: "/web/queue",
    forms: false,
    error: (code) => code,
    outcomes: true,
    origin: "page",
    unmeasured: null,
    community: false,
    relay: true,
  },
  true,
);

/**
 * Below it each pack has, by its address, what the first has below /web. In paths, not in a query: firmware that knows one pack alone must not
 * write to that one instead.
 */
const PACKS = "/web/packs/";
const OF_PACK = " config setup reference bms-log queue commands parameters ";
const ACCEPT: Route = Object.freeze<Route>({ path: "", access: "session", post: postAccept, writes: true }, true);

/**
 * The web interface: serves the page and its requests (README.md beside this file). It works with the API disabled; both share one write
 * queue.
 */
export class Web {
  private readonly context: WebContext<keyof WebDevice>;

  constructor(device: WebDevice) {
    const sessions = new Sessions(device);
    const signIn = new SignIn(device);
    this.context = {
      device,
      dialect: DIALECT,
      sessions,
      signIn,
      streams: new EventStreams(device, sessions),
      // Paths that name no pack are the first's.
      get pack() {
        return device.monitor.packs[0];
      },
    };
    if (!signIn.lost) return;
    trace(`web: ${LOST}\n`);
    device.events?.add(LOST);
  }

  /** The network has changed, or is there for the first time. */
  networkChanged(): void {
    this.context.signIn.announce();
  }

  /** The device's button went down. */
  pressed(): void {
    this.context.signIn.pressed();
  }

  /** Somebody is signed in, and was here lately. */
  get isInUse(): boolean {
    return this.context.sessions.inUse;
  }

  close(): void {
    this.context.signIn.close();
    this.context.streams.close();
  }

  /** Answers every path outside of /api: with a file, a resource below /web, or 404. */
  answer(exchange: Exchange): void {
    let context = this.context;
    const { method, path } = exchange;
    if (path.startsWith("/web") && !isForUs(context.device, exchange))
      return fail(context, exchange, 421, `${MISDIRECTED}\t${context.device.network.ip}`);
    const reads = method === "GET" || method === "HEAD";
    if (!reads && !isSameOrigin(exchange)) return fail(context, exchange, 403, OTHER_SITE);
    const asset = findAsset(path);
    if (asset)
      return reads ? this.send(exchange, fileOf(asset, exchange.query)) : this.notAllowed(exchange, "GET, HEAD");
    let route = findRoute(context, path);
    if (path.startsWith(PACKS)) {
      const [address, resource = "", ...more] = path.slice(PACKS.length).split("/");
      const pack = packAt(context.device.monitor, address);
      if (pack && !more.length) {
        if (resource === "accept") route = ACCEPT;
        else if (OF_PACK.includes(` ${resource} `)) route = findRoute(context, `/web/${resource}`);
        context = { ...context, dialect: { ...DIALECT, queuePath: `${PACKS}${address}/queue` }, pack };
      }
    }
    if (!route) return fail(context, exchange, 404, "Not found.");
    const answer = findAnswer(route, method);
    if (!answer) return this.notAllowed(exchange, allowed(route));
    const session = context.sessions.find(exchange.header("cookie"));
    // One that stays signed in, for the first time since the device started.
    if (session?.address === "") session.address = context.signIn.addressOf(exchange);
    const who = principalOf(session);
    if (isTrusted(who)) exchange.trust();
    if (
      who < leastOf(route, exchange.query, reads) &&
      !(route.access === "owner or first start" && context.signIn.firstStart)
    )
      return session ? fail(context, exchange, 403, GUEST) : fail(context, exchange, 401, NOT_SIGNED_IN);
    if (who === LINK) context = { ...context, byLink: true };
    if (route.writes && !reads && context.device.start?.safe) return fail(context, exchange, 503, SAFE_MODE);
    answer(context, exchange, session);
  }

  private send(exchange: Exchange, file: ReturnType<typeof fileOf>): void {
    if (file) return exchange.respondFile(file, SECURITY_HEADERS);
    exchange.respond(503, "text/plain; charset=utf-8", (into) => writeText(into, 0, NO_PAGE), NO_STORE_HEADERS);
  }

  private notAllowed(exchange: Exchange, methods: string): void {
    fail(this.context, exchange, 405, `Method not allowed on ${exchange.path}.`, withHeader("Allow", methods));
  }
}

/** Guests may read everything but secrets; those by a link the battery's values and their past. */
const leastOf = ({ access }: Route, query: string, reads: boolean): Principal => {
  if (access === "anybody") return STRANGER;
  if (!reads || query === SECRETS) return OWNER;
  if (access === "viewer") return LINK;
  return access === "session" ? GUESTS : OWNER;
};

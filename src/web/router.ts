import { getAllPacks } from "../endpoints/all-packs";
import { getLog } from "../endpoints/bms-log";
import { postCommand } from "../endpoints/commands";
import { getConfiguration, getSetup } from "../endpoints/configuration";
import { getEnergy } from "../endpoints/energy";
import { getQueue } from "../endpoints/queue";
import { postNotifications } from "../endpoints/notifications";
import { hasRelay, postRelay } from "../endpoints/relay";
import { getPacks } from "../endpoints/packs";
import { getReference, postReference } from "../endpoints/reference";
import { postParameter, postParameterToAll } from "../endpoints/parameters";
import { getSearch, postSearch } from "../endpoints/search";
import { getSummary } from "../endpoints/summary";
import { postTime } from "../endpoints/time";
import * as actions from "./actions";
import { getStatus } from "./battery";
import type { Answer, WebContext } from "./context";
import { getDevice } from "./device";
import { getGroup, GROUP_PATH, postGroup } from "./group";
import { getRecords } from "./records";
import * as session from "./session";
import * as tokens from "./tokens";
import type { WebDevice } from "./types";

/**
 * Who may access a route: anybody; the owner's session, and guests with GET, those by a read-only link too; the same without these; the
 * owner's session; that, or anybody on the first start.
 */
export type Access = "anybody" | "viewer" | "session" | "owner" | "owner or first start";

type Everything = WebContext<keyof WebDevice>;

export interface Route {
  readonly path: string;
  /** Also matches everything below the path. */
  readonly below?: true;
  readonly access: Access;
  /** Also answers HEAD: the server omits the body. */
  readonly get?: Answer;
  readonly post?: Answer;
  readonly delete?: Answer;
  /** POST reaches BMS or relay: 503 in safe mode. */
  readonly writes?: true;
  /** The firmware has this part; otherwise the path is unknown. */
  readonly part?: keyof WebDevice;
  /** The device has what the path represents; otherwise the path is unknown. */
  readonly exists?: (context: Everything) => boolean;
}

const VIEWER = "viewer";
const SESSION = "session";
const OWNER = "owner";
const FIRST = "owner or first start";

export const ROUTES: readonly Route[] = Object.freeze<readonly Route[]>(
  [
    {
      path: "/web/session",
      access: "anybody",
      get: session.getSession,
      post: session.postSession,
      delete: session.deleteSession,
    },
    { path: "/web/password", access: FIRST, post: session.postPassword },
    { path: "/web/button", access: FIRST, post: session.postButton },
    { path: "/web/guest", access: OWNER, post: session.postGuest },
    { path: "/web/sessions", access: OWNER, get: session.getSessions, delete: session.deleteSessions },
    { path: "/web/events", access: VIEWER, get: actions.getEvents },
    { path: "/web/status", access: VIEWER, get: getStatus },
    { path: "/web/config", access: VIEWER, get: getConfiguration },
    { path: "/web/setup", access: SESSION, get: getSetup },
    { path: "/web/reference", access: SESSION, get: getReference, post: postReference },
    { path: "/web/bms-log", access: SESSION, get: getLog },
    { path: "/web/queue", access: VIEWER, get: getQueue },
    { path: "/web/summary", access: SESSION, get: getSummary },
    { path: "/web/commands", access: SESSION, post: postCommand, writes: true },
    { path: "/web/parameters", access: SESSION, post: postParameter, writes: true },
    { path: "/web/relay", access: SESSION, post: postRelay, exists: hasRelay, writes: true },
    { path: "/web/device", access: SESSION, get: getDevice },
    { path: GROUP_PATH, below: true, access: SESSION, get: getGroup, post: postGroup },
    { path: "/web/token", access: OWNER, get: actions.getToken, post: actions.postToken },
    {
      path: "/web/tokens",
      access: OWNER,
      get: tokens.getTokens,
      post: tokens.postTokens,
      delete: tokens.deleteTokens,
    },
    {
      path: tokens.LINKS_PATH,
      access: OWNER,
      get: tokens.getTokens,
      post: tokens.postTokens,
      delete: tokens.deleteTokens,
    },
    { path: "/web/history.csv", access: VIEWER, get: actions.getHistory, part: "readHistory" },
    { path: "/web/records", access: VIEWER, get: getRecords },
    { path: "/web/packs", access: VIEWER, get: getPacks },
    { path: "/web/packs/settings", access: SESSION, get: getAllPacks, post: postParameterToAll, writes: true },
    { path: "/web/packs/search", access: SESSION, get: getSearch, post: postSearch, writes: true },
    { path: "/web/energy", access: VIEWER, get: getEnergy },
    { path: "/web/log", access: SESSION, get: actions.getLog, part: "events" },
    { path: "/web/scan", access: SESSION, get: actions.getScan, post: actions.postScan, part: "networkControl" },
    { path: "/web/test/mqtt", access: SESSION, post: actions.postMqttTest, part: "mqtt" },
    { path: "/web/test/snmp", access: SESSION, post: actions.postSnmpTest, part: "snmp" },
    { path: "/web/time", access: SESSION, post: postTime },
    { path: "/web/test/time", access: SESSION, post: actions.postTimeTest, part: "sntp" },
    { path: "/web/notifications", access: SESSION, post: postNotifications, part: "notify" },
    { path: "/web/restart", access: SESSION, post: actions.postRestart },
    { path: "/web/factory-reset", access: SESSION, post: actions.postFactoryReset },
    {
      path: "/web/update",
      access: SESSION,
      get: actions.getUpdate,
      post: actions.postUpdate,
      part: "updater",
    },
  ],
  true,
);

export function findRoute(context: Everything, path: string): Route | undefined {
  const route = ROUTES.find(({ below, path: own }) => (below ? path.startsWith(own) : path === own));
  if (route?.part && context.device[route.part] === undefined) return undefined;
  return route?.exists?.(context) === false ? undefined : route;
}

export function findAnswer(route: Route, method: string): Answer | undefined {
  switch (method) {
    case "GET":
    case "HEAD":
      return route.get;
    case "POST":
      return route.post;
    case "DELETE":
      return route.delete;
    default:
      return undefined;
  }
}

/** The value of `Allow`, required with 405 by RFC 9110 section 15.5.6. */
export function allowed(route: Route): string {
  const methods = [...(route.get ? ["GET", "HEAD"] : []), ...(route.post ? ["POST"] : [])];
  if (route.delete) methods.push("DELETE");
  return methods.join(", ");
}

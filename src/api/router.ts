import type { HeaderLine } from "http-server/types";
import { getAllPacks } from "../endpoints/all-packs";
import { getLog } from "../endpoints/bms-log";
import { postCommand } from "../endpoints/commands";
import { getConditions } from "../endpoints/conditions";
import { getConfiguration, getSetup } from "../endpoints/configuration";
import type { Answer, Context } from "../endpoints/context";
import { API_HEADERS } from "./cors";
import { getEnergy } from "../endpoints/energy";
import { getEvents } from "../endpoints/events";
import { getHistory } from "../endpoints/history";
import { getPacks } from "../endpoints/packs";
import { getQueue } from "../endpoints/queue";
import { getNotifications, hasNotifications, postNotifications } from "../endpoints/notifications";
import { hasRelay, postRelay } from "../endpoints/relay";
import { postParameter, postParameterToAll } from "../endpoints/parameters";
import { getStatus } from "../endpoints/status";
import { getSearch, postSearch } from "../endpoints/search";
import { getSummary } from "../endpoints/summary";
import { getReference, postReference } from "../endpoints/reference";
import { postTime } from "../endpoints/time";

export interface Route {
  readonly path: string;
  /** Also answers HEAD: the server omits the body. */
  readonly get?: Answer;
  readonly post?: Answer;
  /** The board has what the path represents; otherwise the path is unknown. */
  readonly exists?: (context: Context<"settings" | "notify">) => boolean;
}

const ROUTES: readonly Route[] = Object.freeze(
  [
    { path: "/api", get: getSummary },
    { path: "/api/bms/status", get: getStatus },
    { path: "/api/bms/config", get: getConfiguration },
    { path: "/api/bms/setup", get: getSetup },
    { path: "/api/bms/reference", get: getReference, post: postReference },
    { path: "/api/bms/log", get: getLog },
    { path: "/api/bms/commands", get: getQueue, post: postCommand },
    { path: "/api/bms/settings", post: postParameter },
    { path: "/api/history", get: getHistory },
    { path: "/api/events", get: getEvents },
    { path: "/api/energy", get: getEnergy },
    { path: "/api/conditions", get: getConditions },
    { path: "/api/packs", get: getPacks },
    { path: "/api/packs/settings", get: getAllPacks, post: postParameterToAll },
    { path: "/api/packs/search", get: getSearch, post: postSearch },
    { path: "/api/notifications", get: getNotifications, post: postNotifications, exists: hasNotifications },
    { path: "/api/time", post: postTime },
    { path: "/api/relay", post: postRelay, exists: hasRelay },
  ],
  true,
);

/** Whether `path` belongs to the REST API. */
export function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

export function findRoute(path: string): Route | undefined {
  for (const route of ROUTES) if (route.path === path) return route;
  return undefined;
}

export function findAnswer({ get, post }: Route, method: string): Answer | undefined {
  switch (method) {
    case "GET":
    case "HEAD":
      return get;
    case "POST":
      return post;
    default:
      return undefined;
  }
}

/** Header lines of 405, which must include `Allow` (RFC 9110 section 15.5.6). */
export function methodNotAllowedHeaders({ get, post }: Route): readonly HeaderLine[] {
  const methods = [...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : []), "OPTIONS"];
  return [...API_HEADERS, ["Allow", methods.join(", ")]];
}

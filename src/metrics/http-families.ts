/** The HTTP server. */
import type { BusPack } from "../packs/types";
import type { Description, Group, Parts, Values } from "./family";

const CLASSES = Object.freeze(["2xx", "3xx", "4xx", "5xx"] as const, true);

const CAUSES = Object.freeze(["place", "memory", "evicted"] as const, true);

/** Of the families below, in their order. */
function values(_pack: BusPack, parts: Parts): readonly Values[] {
  const http = parts.http();
  return [
    http.requests,
    [http.successful, http.redirected, http.clientErrors, http.serverErrors],
    http.protocolErrors,
    http.connections,
    http.refusedConnections,
    http.evictedConnections,
    http.faults,
    [http.refusedPlaces, http.refusedConnections - http.refusedPlaces, http.evictedRequests],
  ];
}

const DESCRIPTIONS: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_monitor_http_requests_total",
      help: "HTTP requests that were well-formed and within the limits",
    },
    {
      name: "bms_monitor_http_responses_total",
      help: "HTTP responses by the class of their status",
      label: "class",
      names: CLASSES,
    },
    {
      name: "bms_monitor_http_protocol_errors_total",
      help: "Requests the server refused by itself: malformed, beyond a limit, too slow",
    },
    {
      name: "bms_monitor_http_connections_total",
      help: "HTTP connections taken",
    },
    {
      name: "bms_monitor_http_connections_refused_total",
      help: "HTTP connections and requests for which there was no place or memory",
    },
    {
      name: "bms_monitor_http_connections_evicted_total",
      help: "Idle HTTP connections closed to make room",
    },
    {
      name: "bms_monitor_http_faults_total",
      help: "Requests on which the firmware itself failed",
    },
    {
      name: "bms_monitor_http_unavailable_total",
      help: "Answers with 503 of the server itself, by their cause: no place, no memory, a place given to another client",
      label: "cause",
      names: CAUSES,
    },
  ],
  true,
);

export const HTTP_GROUP: Group = Object.freeze({ descriptions: DESCRIPTIONS, values }, true);

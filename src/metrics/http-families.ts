/** The HTTP server. */
import type { Description } from "./family";

const CLASSES = Object.freeze(["2xx", "3xx", "4xx", "5xx"] as const, true);

export const HTTP_FAMILIES: readonly Description[] = Object.freeze<Description[]>(
  [
    {
      name: "bms_monitor_http_requests_total",
      help: "HTTP requests that were well-formed and within the limits",
      type: "counter",
      value: (parts) => parts.http().requests,
    },
    {
      name: "bms_monitor_http_responses_total",
      help: "HTTP responses by the class of their status",
      type: "counter",
      label: "class",
      names: CLASSES,
      values(parts) {
        const { successful, redirected, clientErrors, serverErrors } = parts.http();
        return [successful, redirected, clientErrors, serverErrors];
      },
    },
    {
      name: "bms_monitor_http_protocol_errors_total",
      help: "Requests the server refused by itself: malformed, beyond a limit, too slow",
      type: "counter",
      value: (parts) => parts.http().protocolErrors,
    },
    {
      name: "bms_monitor_http_connections_total",
      help: "HTTP connections taken",
      type: "counter",
      value: (parts) => parts.http().connections,
    },
    {
      name: "bms_monitor_http_connections_refused_total",
      help: "HTTP connections for which there was no room",
      type: "counter",
      value: (parts) => parts.http().refusedConnections,
    },
    {
      name: "bms_monitor_http_connections_evicted_total",
      help: "Idle HTTP connections closed to make room",
      type: "counter",
      value: (parts) => parts.http().evictedConnections,
    },
    {
      name: "bms_monitor_http_faults_total",
      help: "Requests on which the firmware itself failed",
      type: "counter",
      value: (parts) => parts.http().faults,
    },
  ],
  true,
);

import type { TlsProblem } from "tls-socket/problems";

/** Why there is no connection to the broker. */
export type MqttProblem =
  | TlsProblem
  | "no-tls"
  | "no-ca"
  | "no-time"
  | "unknown-host"
  | "no-connection"
  | "unreachable"
  | "no-answer"
  | "lost"
  | "failed";

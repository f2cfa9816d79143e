import type TCP from "embedded:io/socket/tcp";
import type TLSSocket from "embedded:io/socket/tcp/tls";
import type { Monitor } from "../bms/types";
import type { ConditionSource } from "../conditions/types";
import type { ObservedEvents } from "../events/types";
import type { Start } from "../health/types";
import type { Handshakes } from "../network/handshake";
import type { LookupParts } from "../network/lookup";
import type { ManagedNetwork } from "../network/types";
import type { Settings } from "../settings/types";

/** What notifications need of the device. */
export interface NotifyDevice extends LookupParts, Handshakes {
  readonly events: ObservedEvents;
  readonly settings: Pick<Settings, "notify" | "device" | "observe">;
  readonly monitor: Pick<Monitor, "packs">;
  readonly conditions: ConditionSource;
  readonly network: Pick<ManagedNetwork, "online" | "ip" | "dns1" | "dns2">;
  readonly build: { readonly version: string; readonly httpPort?: number };
  readonly start: Start & { readonly intact: boolean };
  /** Set while a new image is on trial; its problem is that of the last update. */
  readonly trial?: { readonly problem: string } | undefined;
  readonly tcp: typeof TCP;
  /** Undefined on a board without TLS. */
  readonly tls: typeof TLSSocket | undefined;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
}

/** One message that waits. */
export interface Message {
  /** See causes.ts. */
  readonly cause: number;
  readonly kind: Kind;
  /** How often it has happened since the last message. */
  readonly count: number;
  /** Of the cause, when it was reported: see `ownedValue`. */
  readonly value: number;
  /** The packs of a bank that it is about, a bit for each address; 0: the only one, or the device. */
  readonly packs: number;
  /** Distinguishes it from the others in the queue. */
  readonly serial: number;
  /** When it happened: seconds since the start of the run with this number of restarts, and minutes since 1970 (undefined: unknown). */
  readonly uptime: number;
  readonly restarts: number;
  readonly minutes: number | undefined;
}

export const RAISED = 0;
/** Reported before, and not over, or back. */
export const AGAIN = 1;
export const CLEARED = 2;
export type Kind = typeof RAISED | typeof AGAIN | typeof CLEARED;

/** Why a message does not get through; else those of modules/http-client and modules/tls-socket. Empty: it does. */
export type DeliveryProblem =
  | ""
  | "incomplete"
  | "no-network"
  | "unknown-host"
  | "no-tls"
  | "no-time"
  | "no-memory"
  | "redirect"
  | "refused"
  | "too-many"
  | "server-error"
  | (string & {});

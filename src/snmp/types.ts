import type { Notification } from "snmp-agent/responder";
import type { ObservedMonitor } from "../bms/types";
import type { LookupParts } from "../network/lookup";
import type { Shown, SnmpContext } from "./context";

export interface SnmpOptions extends Shown, LookupParts {
  readonly network: Shown["network"];
  readonly monitor: ObservedMonitor;
  readonly build: Shown["build"] & {
    /** UDP port of the agent: 161 (RFC 3417). */
    readonly snmpPort: number;
    /** UDP port of the notification receivers: 162. */
    readonly snmpTrapPort: number;
  };
}

export interface NotificationSender {
  /** Must not throw. */
  send(notification: Notification<SnmpContext>): void;
}

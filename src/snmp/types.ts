import type { ObservedMonitor } from "../bms/types";
import type { LookupParts } from "../network/lookup";
import type { SnmpContext } from "./context";

export interface SnmpOptions extends Omit<SnmpContext, "counters" | "state">, LookupParts {
  readonly network: SnmpContext["network"];
  readonly monitor: ObservedMonitor;
  readonly build: SnmpContext["build"] & {
    /** UDP port of the agent: 161 (RFC 3417). */
    readonly snmpPort: number;
    /** UDP port of the notification receivers: 162. */
    readonly snmpTrapPort: number;
  };
}

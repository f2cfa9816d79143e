import type UDP from "embedded:io/socket/udp";
import type { ObservedMonitor } from "../bms/types";
import type { SnmpContext } from "./context";
import type { Resolver } from "./receiver";

export interface SnmpOptions extends Omit<SnmpContext, "counters" | "state"> {
  readonly monitor: ObservedMonitor;
  readonly build: SnmpContext["build"] & {
    /** UDP port of the agent: 161 (RFC 3417). */
    readonly snmpPort: number;
    /** UDP port of the notification receivers: 162. */
    readonly snmpTrapPort: number;
  };
  /** The platform's UDP socket. */
  readonly udp: typeof UDP;
  /** Resolves the host names of receivers. */
  readonly net: Resolver;
}

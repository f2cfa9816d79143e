import type { ObservedMonitor } from "../bms/types";
import type { Device } from "../parts/device";
import type { SnmpContext } from "./context";
import type { Resolver } from "./receiver";

export interface SnmpOptions extends Omit<SnmpContext, "counters" | "state">, Pick<Device, "udp"> {
  readonly monitor: ObservedMonitor;
  readonly build: SnmpContext["build"] & {
    /** UDP port of the agent: 161 (RFC 3417). */
    readonly snmpPort: number;
    /** UDP port of the notification receivers: 162. */
    readonly snmpTrapPort: number;
  };
  /** Resolves the host names of receivers. */
  readonly net: Resolver;
}

import type { SnmpCounters } from "snmp-agent/counters";
import type { Device } from "../runtime/device";
import type { SnmpState } from "./state";

/** Source of the MIB's values. */
export interface SnmpContext extends Pick<
  Device,
  "monitor" | "settings" | "relay" | "network" | "build" | "centiseconds"
> {
  readonly start?: Pick<Device["start"], "safe">;
  readonly counters: SnmpCounters;
  readonly energy: Device["energy"] | undefined;
  readonly state: SnmpState;
}

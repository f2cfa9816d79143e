import type { SnmpCounters } from "snmp-agent/counters";
import type { Monitor } from "../bms/types";
import type { Energy } from "../energy/types";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Settings } from "../settings/types";
import type { SnmpState } from "./state";

/** Source of the MIB's values. */
export interface SnmpContext {
  readonly counters: SnmpCounters;
  readonly monitor: Monitor;
  readonly settings: Settings;
  readonly relay: Relay;
  readonly network: Network;
  readonly energy: Energy | undefined;
  readonly build: {
    readonly softwareName: string;
    readonly version: string;
    readonly build: string;
    readonly boardVersion: string;
  };
  /** sysUpTime: hundredths of a second since the device started. */
  centiseconds(): number;
  readonly state: SnmpState;
}

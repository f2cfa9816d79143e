import type { BusPack } from "../packs/types";
import type { SnmpCounters } from "snmp-agent/counters";
import type { Monitor } from "../bms/types";
import type { ConditionSource } from "../conditions/types";
import type { ReadLog } from "../events/changes";
import type { Energy } from "../energy/types";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Build } from "../runtime/build";
import type { Settings } from "../settings/types";
import type { SnmpState } from "./state";

/** What the MIBs show of the device. */
export interface Shown {
  readonly build: Build;
  readonly settings: Settings;
  readonly monitor: Monitor;
  readonly relay: Relay;
  readonly network: Network;
  readonly energy: Energy | undefined;
  readonly conditions: ConditionSource;
  /** Undefined: nothing is told of changed settings. */
  readonly events?: ReadLog;
  readonly start?: { readonly safe: boolean };
  /** Hundredths of a second since the firmware started. */
  centiseconds(): number;
}

/** Source of the MIB's values. */
export interface SnmpContext {
  readonly device: Shown;
  /** The first, of which all objects are that name no pack. */
  readonly pack: BusPack;
  readonly counters: SnmpCounters;
  readonly state: SnmpState;
}

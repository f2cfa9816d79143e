/** What the agent has of the project's own MIB: its subtrees and notifications. A board may do without: without-own-mib.ts. */
import type { Subtree } from "snmp-agent/types";
import { BMS_BANK, PACKS_ALARM_TABLE, PACKS_CELL_TABLE, PACKS_TABLE } from "./bank-mib";
import {
  BMS_ALARM_TABLE,
  BMS_CELL_TABLE,
  BMS_ENERGY,
  BMS_MONITOR,
  BMS_RELAY,
  BMS_TELEMETRY,
  BMS_WRITES,
} from "./bms-mib";
import type { SnmpContext } from "./context";

export { TEST_TRAP } from "./bms-mib";
export { Notifier } from "./notifier";

/** In OID order. */
export const OWN_SUBTREES: readonly Subtree<SnmpContext>[] = Object.freeze(
  [
    BMS_TELEMETRY,
    BMS_CELL_TABLE,
    BMS_ALARM_TABLE,
    BMS_WRITES,
    BMS_RELAY,
    BMS_ENERGY,
    BMS_MONITOR,
    BMS_BANK,
    PACKS_TABLE,
    PACKS_CELL_TABLE,
    PACKS_ALARM_TABLE,
  ],
  true,
);

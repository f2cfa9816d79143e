import { SNMP_GROUP } from "snmp-agent/counters";
import type { Subtree } from "snmp-agent/types";
import {
  BMS_ALARM_TABLE,
  BMS_CELL_TABLE,
  BMS_ENERGY,
  BMS_MONITOR,
  BMS_RELAY,
  BMS_TELEMETRY,
  BMS_WRITES,
} from "./bms-mib";
import { BMS_BANK, PACKS_ALARM_TABLE, PACKS_CELL_TABLE, PACKS_TABLE } from "./bank-mib";
import type { SnmpContext } from "./context";
import { INTERFACE_NUMBER, INTERFACE_TABLE, SYSTEM } from "./mib-2";
import { UPS_ALARM_TABLE, UPS_ALARMS_PRESENT, UPS_BATTERY, UPS_IDENT, UPS_OUTPUT, UPS_OUTPUT_TABLE } from "./ups-mib";

/** Everything the agent serves, in OID order. */
export const SUBTREES: readonly Subtree<SnmpContext>[] = Object.freeze(
  [
    SYSTEM,
    INTERFACE_NUMBER,
    INTERFACE_TABLE,
    SNMP_GROUP,
    UPS_IDENT,
    UPS_BATTERY,
    UPS_OUTPUT,
    UPS_OUTPUT_TABLE,
    UPS_ALARMS_PRESENT,
    UPS_ALARM_TABLE,
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

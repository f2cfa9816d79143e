import { SNMP_GROUP } from "snmp-agent/counters";
import type { Subtree } from "snmp-agent/types";
import type { SnmpContext } from "./context";
import { INTERFACE_NUMBER, INTERFACE_TABLE, SYSTEM } from "./mib-2";
import { OWN_SUBTREES } from "./own-mib";
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
    ...OWN_SUBTREES,
  ],
  true,
);

import { fieldNumber } from "../bms/telemetry-table";
import type { Monitor } from "../bms/types";
import { FIELDS } from "jk-bms/fields";
import type { RelayTelemetry } from "./rule";

/** What the relay's rule looks at, as the monitor has it. */
export function relayTelemetry(monitor: Monitor): RelayTelemetry {
  return {
    online: monitor.online,
    alarmCode: fieldNumber(monitor, FIELDS.alarmCode),
    soc: fieldNumber(monitor, FIELDS.soc),
    voltage: fieldNumber(monitor, FIELDS.packVoltage) / 10 ** FIELDS.packVoltage.decimals,
  };
}

import { faultBits } from "../catalogue/alarms";
import type { Pack } from "../catalogue/pack";
import { readNumber } from "../catalogue/read";
import { FIELDS } from "jk-bms/fields";
import type { RelayTelemetry } from "./rule";

/** The telemetry that the rule uses; while the BMS is offline the numbers are ignored. */
export function relayTelemetry(pack: Pack): RelayTelemetry {
  return {
    online: pack.online,
    alarmCode: faultBits(pack) ?? 0,
    soc: readNumber(FIELDS.soc, pack) ?? 0,
    voltage: (readNumber(FIELDS.packVoltage, pack) ?? 0) / 10 ** FIELDS.packVoltage.scale.decimals,
  };
}

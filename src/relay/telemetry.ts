import * as FIELDS from "jk-bms/field-table";
import { decimalsOf } from "jk-bms/fields";
import { faultBits, faultsIn } from "../catalogue/alarms";
import type { Pack } from "../catalogue/pack";
import { alarmCode } from "../catalogue/computed";
import { read, readNumber } from "../catalogue/read";
import { telemetryRow } from "../catalogue/telemetry";
import type { RelayTelemetry } from "./rule";

const CAPACITY = telemetryRow("capacityAh");
const VOLTS = 10 ** decimalsOf(FIELDS.packVoltage);

/** The telemetry that the rule uses; while the BMS is offline the numbers are ignored. */
export function relayTelemetry(pack: Pack): RelayTelemetry {
  return {
    online: pack.online,
    alarmCode: faultBits(pack) ?? 0,
    soc: readNumber(FIELDS.soc, pack) ?? 0,
    voltage: (readNumber(FIELDS.packVoltage, pack) ?? 0) / VOLTS,
  };
}

/**
 * Of several packs: the faults of any, of one that has fallen silent those that it reported last, since its silence repairs nothing; the state of
 * charge weighted by capacity and the mean voltage, unknown unless all are online.
 */
export function bankTelemetry(packs: readonly Pack[]): RelayTelemetry {
  let online = false;
  let alarms = 0;
  let charge = 0;
  let capacity = 0;
  let volts = 0;
  for (const pack of packs) {
    alarms |= faultsIn(alarmCode(pack) ?? 0);
    if (pack.online) online = true;
    // Without a weight of its own a pack would not count.
    const ampereHours = (read(CAPACITY, pack) as number | undefined) || NaN;
    capacity += ampereHours;
    charge += (readNumber(FIELDS.soc, pack) ?? NaN) * ampereHours;
    volts += readNumber(FIELDS.packVoltage, pack) ?? NaN;
  }
  return { online, alarmCode: alarms, soc: charge / capacity, voltage: volts / packs.length / VOLTS };
}

import * as FIELDS from "jk-bms/field-table";
import { decimalsOf } from "jk-bms/fields";
import { faultBits, faultsIn } from "../catalogue/alarms";
import * as sets from "../conditions/set";
import { OFFLINE } from "../conditions/rows";
import { FAULTS } from "../conditions/table";
import type { ConditionSource } from "../conditions/types";
import type { Pack } from "../catalogue/pack";
import { alarmCode, unknownAlarms } from "../catalogue/computed";
import { read, readNumber } from "../catalogue/read";
import { telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import type { BusPack } from "../packs/types";
import type { RelayTelemetry } from "./rule";

const CAPACITY = telemetryRow("capacityAh");
const CHARGE = telemetryRow("soc");
const VOLTAGE = telemetryRow("pack.voltage");
const VOLTS = 10 ** decimalsOf(FIELDS.packVoltage);

export interface FollowedPack extends Pack {
  /** Another pack than expected answers at its address. */
  readonly isSwapped?: boolean;
  /** Two packs answer there. */
  readonly isContested?: boolean;
}

/** That a pack is silent is for the fail-safe state. */
const FOLLOWED_FAULTS = sets.without(FAULTS, OFFLINE);

/** What it reports is no reason to act: it contradicts itself, or is not the pack that the owner knows, or not it alone. */
const isDoubtful = ({ isContested, isSwapped, telemetry }: FollowedPack): boolean =>
  isSwapped === true || isContested === true || telemetry.contradicts === true;

/**
 * The telemetry that the rule uses; while the BMS is offline it is ignored. Of a pack that contradicts itself, or was swapped, nothing is known but
 * the faults that it reports.
 */
export function relayTelemetry(pack: FollowedPack): RelayTelemetry {
  const faults = faultBits(pack);
  return {
    online: pack.online,
    alarmCode: faults || (faults === undefined || isDoubtful(pack) || unknownAlarms(pack) ? NaN : 0),
    soc: known(CHARGE, pack),
    voltage: known(VOLTAGE, pack) / VOLTS,
  };
}

/** What its settings say counts once they have been heard twice. */
const capacityOf = (pack: FollowedPack): number | undefined =>
  pack.heardOnce ? readNumber(FIELDS.fullCapacity, pack) : (read(CAPACITY, pack) as number | undefined);

const known = (row: TelemetryRow, pack: FollowedPack): number =>
  isDoubtful(pack) ? NaN : ((read(row, pack) as number | undefined) ?? NaN);

/**
 * Of several packs: the faults of any, of one that has fallen silent those that it reported last, since its silence repairs nothing; the state of
 * charge weighted by capacity and the mean voltage, unknown unless all are online. A pack that contradicts itself, was swapped, or has not reported its alarms since the
 * start, leaves unknown what it could change.
 */
export function bankTelemetry(packs: readonly FollowedPack[]): RelayTelemetry {
  let online = false;
  let alarms = 0;
  let others = 0;
  let charge = 0;
  let capacity = 0;
  let volts = 0;
  for (const pack of packs) {
    alarms |= faultsIn(alarmCode(pack) ?? 0);
    if (unknownAlarms(pack)) others = NaN;
    if (pack.online) {
      online = true;
      if (isDoubtful(pack)) others = NaN;
    }
    // Without a weight of its own a pack would not count.
    const ampereHours = capacityOf(pack) ?? NaN;
    capacity += ampereHours;
    charge += known(CHARGE, pack) * ampereHours;
    volts += known(VOLTAGE, pack);
  }
  return { online, alarmCode: alarms || others, soc: charge / capacity, voltage: volts / packs.length / VOLTS };
}

/** What is wrong for sure with any of these packs; that nothing is, is not known of one that is silent or doubtful, or may have an alarm: NaN. */
export function faultsOf(packs: readonly BusPack[], conditions: Pick<ConditionSource, "presentOf">): number {
  let faults = sets.NONE;
  let others = 0;
  for (const pack of packs) {
    faults = sets.plus(faults, sets.common(conditions.presentOf(pack.index), FOLLOWED_FAULTS));
    if (!pack.online || isDoubtful(pack) || unknownAlarms(pack)) others = NaN;
  }
  return (faults as unknown as number) || others;
}

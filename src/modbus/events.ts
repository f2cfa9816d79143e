/** What SunSpec calls the alarms, and what needs attention: bits of `Evt1` in the models 802 to 804. */
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { ALARM, OFFLINE, SHARED, SWAPPED } from "../conditions/rows";
import { NOTICES } from "../conditions/table";

const OVER_TEMPERATURE = 1;
const UNDER_TEMPERATURE = 3;
const CHARGE_OVERCURRENT = 5;
const DISCHARGE_OVERCURRENT = 7;
const OVERVOLTAGE = 9;
const UNDERVOLTAGE = 11;
const CONTACTOR = 20;
const OTHER_ALARM = 25;
const OTHER_WARNING = 26;
const CONFIGURATION = 28;
/** Bit 0: no pack, or not each, answers; or the BMS cannot talk to its own parts. */
const COMMUNICATION = 0;
export const SILENT = 1 << COMMUNICATION;

/** No event. */
const NONE = 31;

/** By the bit of the alarm word (src/catalogue/alarms.ts); docs/modbus.md has the reason for each. A text: flash. */
const EVENTS = String.fromCharCode(
  OTHER_WARNING,
  OVER_TEMPERATURE,
  CONFIGURATION,
  OTHER_ALARM,
  NONE,
  OVERVOLTAGE,
  CHARGE_OVERCURRENT,
  CHARGE_OVERCURRENT,
  OVER_TEMPERATURE,
  UNDER_TEMPERATURE,
  COMMUNICATION,
  UNDERVOLTAGE,
  UNDERVOLTAGE,
  DISCHARGE_OVERCURRENT,
  DISCHARGE_OVERCURRENT,
  OVER_TEMPERATURE,
  CONTACTOR,
  CONTACTOR,
  OTHER_WARNING,
  NONE,
  CONTACTOR,
  OVER_TEMPERATURE,
  OTHER_ALARM,
  OTHER_ALARM,
  OTHER_ALARM,
  DISCHARGE_OVERCURRENT,
  DISCHARGE_OVERCURRENT,
  UNDER_TEMPERATURE,
  OTHER_ALARM,
  OVERVOLTAGE,
);

/** Silence and alarms have bits of their own, notices none. */
const ELSEWHERE = [OFFLINE, ALARM, NOTICES].reduce(sets.plus);
const IN_DOUBT = sets.plus(SWAPPED, SHARED);

/** `Evt1` of conditions: which packs there are is in doubt, or something else. */
export function conditionEvents(conditions: Conditions): number {
  if (sets.without(conditions, ELSEWHERE) === sets.NONE) return 0;
  return (sets.hasAny(conditions, IN_DOUBT) ? 1 << CONFIGURATION : 0) | (1 << OTHER_WARNING);
}

/** `Evt1` of the alarm word `bits`. A bit without a row is another alarm. */
export function eventsOf(bits: number): number {
  let events = 0;
  for (let bit = 0; bits >>> bit && bit < 32; bit++)
    if ((bits >>> bit) & 1) events |= 1 << (bit < EVENTS.length ? EVENTS.charCodeAt(bit) : OTHER_ALARM);
  return events & ~(1 << NONE);
}

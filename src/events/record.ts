import { ALARMS_TABLE, alarmBits } from "../bms/alarms-table";
import type { Monitor, Writes } from "../bms/types";
import GROUPS from "../settings/tables";
import type { GroupName, Settings } from "../settings/types";
import type { EventLog } from "./types";

export interface EventSources {
  readonly monitor: Monitor & {
    onUpdate(listener: (monitor: Monitor) => void): void;
    onOnlineChange(listener: (online: boolean) => void): void;
    onWriteResolved(listener: (writes: Writes) => void): void;
  };
  readonly relay: { onChange(listener: (on: boolean) => void): void };
  readonly settings: Settings;
  /** Of the firmware. */
  readonly version: string;
  readonly build: string;
}

/** Has `log` written from now on: the start, and what changes in the device and the BMS. Names and states, never a setting's value. */
export function recordEvents(log: EventLog, { monitor, relay, settings, version, build }: EventSources): void {
  log.add(`Started, firmware ${version} (${build}).`);
  for (const problem of settings.problems) log.add(`Settings: ${problem}.`);
  let alarms = 0;
  monitor.onOnlineChange((online) => log.add(online ? "BMS online." : "BMS offline."));
  monitor.onUpdate((updated) => {
    const now = alarmBits(updated);
    if (now === alarms) return;
    for (const { bit, name } of ALARMS_TABLE)
      if (((now ^ alarms) >>> bit) & 1) log.add(`Alarm ${(now >>> bit) & 1 ? "raised" : "cleared"}: ${name}.`);
    alarms = now;
  });
  monitor.onWriteResolved(({ lastCommand }) => log.add(`Write: ${lastCommand}`));
  relay.onChange((on) => log.add(`Relay switched ${on ? "on" : "off"}.`));
  for (const group in GROUPS)
    settings.onChange(group as GroupName, () => log.add(`Settings of the group ${group} changed.`));
}

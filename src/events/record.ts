import { ALARMS_TABLE, alarmBits } from "../bms/alarms-table";
import type { BmsObserver, Monitor, ObservedMonitor, Writes } from "../bms/types";
import type { RelayObserver } from "../relay/types";
import type { GroupName, Settings, SettingsObserver } from "../settings/types";
import type { EventLog } from "./types";

export interface EventSources {
  readonly monitor: ObservedMonitor;
  readonly relay: { observe(observer: RelayObserver): void };
  readonly settings: Settings;
  readonly build: { readonly version: string; readonly build: string };
}

/** Writes the start into `log`, and from then on what changes in the device and the BMS. Names and states, never a setting's value. */
export class EventRecorder implements BmsObserver, RelayObserver, SettingsObserver {
  private readonly log: EventLog;
  private alarms = 0;

  constructor(log: EventLog, { monitor, relay, settings, build }: EventSources) {
    this.log = log;
    log.add(`Started, firmware ${build.version} (${build.build}).`);
    for (const problem of settings.problems) log.add(`Settings: ${problem}.`);
    for (const source of [monitor, relay, settings]) source.observe(this);
  }

  bmsOnlineChanged(online: boolean): void {
    this.log.add(online ? "BMS online." : "BMS offline.");
  }

  bmsUpdated(monitor: Monitor): void {
    const now = alarmBits(monitor);
    const changed = now ^ this.alarms;
    this.alarms = now;
    if (!changed) return;
    for (const { bit, name } of ALARMS_TABLE)
      if ((changed >>> bit) & 1) this.log.add(`Alarm ${(now >>> bit) & 1 ? "raised" : "cleared"}: ${name}.`);
  }

  writeResolved({ lastCommand }: Writes): void {
    this.log.add(`Write: ${lastCommand}`);
  }

  relaySwitched(on: boolean): void {
    this.log.add(`Relay switched ${on ? "on" : "off"}.`);
  }

  settingsChanged(group: GroupName): void {
    this.log.add(`Settings of the group ${group} changed.`);
  }
}

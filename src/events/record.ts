import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import type { BmsObserver, Monitor, ObservedMonitor, Writes } from "../bms/types";
import type { RelayObserver } from "../relay/types";
import type { GroupName, Settings, SettingsObserver } from "../settings/types";
import type { EventLog } from "./types";

export interface EventSources {
  readonly monitor: ObservedMonitor;
  readonly relay: { observe(observer: RelayObserver): void };
  readonly settings: Settings;
  readonly build: { readonly version: string; readonly build: string };
  readonly start: { readonly reason: string; readonly where: string; readonly safe: boolean };
}

/** Logs the start, then changes of the device and the BMS. Names and states only, never a setting's value. */
export class EventRecorder implements BmsObserver, RelayObserver, SettingsObserver {
  private readonly log: EventLog;
  private alarms = 0;

  constructor(log: EventLog, { monitor, relay, settings, build, start }: EventSources) {
    this.log = log;
    log.add(`Started, firmware ${build.version} (${build.build}).`);
    log.add(`Reason of the start: ${start.reason}.`);
    if (start.where) log.add(`It had crashed: ${start.where}.`);
    if (start.safe) log.add("Safe mode: network, page, update and log alone are running.");
    for (const problem of settings.problems) this.settingsProblem(problem);
    for (const source of [monitor, relay, settings]) source.observe(this);
  }

  bmsOnlineChanged(online: boolean): void {
    this.log.add(online ? "BMS online." : "BMS offline.");
  }

  bmsUpdated(monitor: Monitor): void {
    const now = alarmBits(monitor) ?? this.alarms;
    const changed = now ^ this.alarms;
    this.alarms = now;
    if (!changed) return;
    ALARMS_TABLE.forEach(({ name }, row) => {
      if (isRaised(changed, row)) this.log.add(`Alarm ${isRaised(now, row) ? "raised" : "cleared"}: ${name}.`);
    });
  }

  writeResolved({ last }: Writes): void {
    if (last) this.log.add(`Write: ${last.name} ${last.value}: ${last.outcome}${last.detail && ` (${last.detail})`}`);
  }

  relaySwitched(on: boolean): void {
    this.log.add(`Relay switched ${on ? "on" : "off"}.`);
  }

  settingsProblem(problem: string): void {
    this.log.add(`Settings: ${problem}.`);
  }

  settingsChanged(group: GroupName): void {
    this.log.add(`Settings of the group ${group} changed.`);
  }
}

import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import type { BmsObserver, Monitor, ObservedMonitor, Writes } from "../bms/types";
import type { RelayObserver } from "../relay/types";
import type { GroupName, Settings, SettingsObserver } from "../settings/types";
import type { EventLog, EventText } from "./types";

export interface EventSources {
  readonly build: { readonly version: string; readonly build: string };
  readonly settings: Pick<Settings, "observe" | "problems">;
  /** Why the device started; where it crashed, or empty; whether this is safe mode. */
  readonly start: { readonly reason: string; readonly where: string; readonly safe: boolean };
  /** Those that have been started before the log. */
  readonly parts: { readonly problems: readonly EventText[] };
  readonly monitor: ObservedMonitor;
  readonly relay: { observe(observer: RelayObserver): void };
}

/** Logs the start, then changes of the device and the BMS. Names and states only, never a setting's value. */
export class EventRecorder implements BmsObserver, RelayObserver, SettingsObserver {
  private readonly log: EventLog;
  private alarms = 0;

  constructor(log: EventLog, { monitor, relay, settings, build, start, parts }: EventSources) {
    this.log = log;
    log.add(`started\t${build.version}\t${build.build}`);
    log.add(`start-reason\t${start.reason}`);
    if (start.where) log.add(`crashed\t${start.where}`);
    if (start.safe) log.add("safe-mode");
    for (const problem of parts.problems) log.add(problem);
    for (const problem of settings.problems) this.settingsProblem(problem);
    for (const source of [monitor, relay, settings]) source.observe(this);
  }

  bmsOnlineChanged(online: boolean): void {
    this.log.add(online ? "bms-online" : "bms-offline");
  }

  otherMasterChanged(present: boolean): void {
    this.log.add(present ? "other-master" : "other-master-gone");
  }

  bmsUpdated(monitor: Monitor): void {
    const now = alarmBits(monitor) ?? this.alarms;
    const changed = now ^ this.alarms;
    this.alarms = now;
    if (!changed) return;
    ALARMS_TABLE.forEach(({ name }, row) => {
      if (isRaised(changed, row)) this.log.add(`alarm-${isRaised(now, row) ? "raised" : "cleared"}\t${name}`);
    });
  }

  writeResolved({ last }: Writes): void {
    if (last) this.log.add(`write\t${last.name}\t${last.value}\t${last.outcome}\t${last.detail}\t${last.unit}`);
  }

  relaySwitched(on: boolean): void {
    this.log.add(`relay-${on ? "on" : "off"}`);
  }

  settingsProblem(problem: string): void {
    this.log.add(`settings\t${problem}`);
  }

  settingsChanged(group: GroupName): void {
    this.log.add(`settings-changed\t${group}`);
  }
}

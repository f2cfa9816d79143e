import type { WriteReport } from "../bms/outcomes";
import type { BmsObserver, ObservedMonitor } from "../bms/types";
import type { SettingChange } from "../packs/setting-changes";
import type { BusPack } from "../packs/types";
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

/** Logs the start, then changes of the device and the BMS, but what is wrong (src/events/condition-watcher.ts). Names and states only, never the value of one of its settings. */
export class EventRecorder implements BmsObserver, RelayObserver, SettingsObserver {
  private readonly log: EventLog;

  constructor(log: EventLog, { monitor, relay, settings, build, start, parts }: EventSources) {
    this.log = log;
    log.add(`started\t${build.version}\t${build.build}`);
    log.add(`start-reason\t${start.reason}`);
    if (start.where) log.add(`crashed\t${start.where}`);
    if (start.safe) log.add("safe-mode");
    for (const problem of parts.problems) log.add(problem);
    for (const problem of settings.problems) this.settingsProblem(problem);
    const { job } = monitor.writes;
    if (job?.problem === "restarted") log.add(`all-packs-ended\t${job.setting}`);
    for (const source of [monitor, relay, settings]) source.observe(this);
  }

  packOnlineChanged({ label, online }: BusPack): void {
    const state = online ? "online" : "offline";
    this.log.add(label === undefined ? `bms-${state}` : `pack-${state}\t${label}`);
  }

  packSwapped({ identity }: BusPack): void {
    this.log.add(`pack-swapped\t${identity.address}`);
  }

  packUnanswered({ label, noReply }: BusPack): void {
    this.log.add(`no-reply\t${noReply ?? ""}${label === undefined ? "" : `\t${label}`}`);
  }

  otherMasterChanged(present: boolean): void {
    this.log.add(present ? "other-master" : "other-master-gone");
  }

  writeEnded(report: WriteReport): void {
    const { name, value, outcome, detail, unit, pack = "", origin = "" } = report;
    // Lines are ASCII. The detail may be a name from the BMS: last, so that a line that is too long is cut there.
    this.log.add(`write\t${name}\t${value}\t${outcome}\t${unit.replace("°", "")}\t${pack}\t${origin}\t${detail}`);
  }

  packSettingChanged({ name, before, value, unit, pack, by, count }: SettingChange & { readonly pack: BusPack }): void {
    const texts = `${name}\t${before}\t${value}\t${unit.replace("°", "").replace("µ", "u")}`;
    this.log.add(`setting-changed\t${texts}\t${pack.label ?? ""}\t${by}\t${name ? "" : count}`);
  }

  relaySwitched(on: boolean): void {
    this.log.add(`relay-${on ? "on" : "off"}`);
  }

  settingsProblem(problem: string): void {
    this.log.add(`settings\t${problem}`);
  }

  settingsChosen(group: GroupName): void {
    this.log.add(`settings-changed\t${group}`);
  }
}

import type { Pack } from "../catalogue/pack";
import type { Packs } from "../packs/types";
import { BankBattery } from "./bank-battery";
import { onBattery } from "./battery";
import { LAST_WELL_KNOWN, wellKnownAlarms } from "./ups-alarms";

/** When the states reported by the standard MIBs began. Times are sysUpTime, hundredths of a second. */
export class SnmpState {
  /** By alarm: when it was last raised. Sparse, since most never are. */
  private readonly alarmTimes: number[] = [];
  private alarms = 0;
  private batterySince: number | undefined;
  private linkUp: boolean | undefined;
  /** Of several packs: what they are together, as it was at the last update. */
  bank: BankBattery | undefined;
  /** The last changed setting that was told, as a sentence. */
  change = "";
  /** ifLastChange */
  linkChanged = 0;

  /** Call with every telemetry update, and when the BMS comes online or goes offline; with several packs every now and then. */
  update(packs: Packs, now: number): void {
    // One pack is shown as it is: a copy of its values would have fewer.
    this.bank = packs.length > 1 ? (this.bank ?? new BankBattery()) : undefined;
    this.bank?.read(packs);
    const pack = this.batteryOf(packs[0]);
    const alarms = wellKnownAlarms(pack, this.bank);
    const raised = alarms & ~this.alarms;
    for (let alarm = 1; raised && alarm <= LAST_WELL_KNOWN; alarm++)
      if ((raised >>> alarm) & 1) this.alarmTimes[alarm] = now;
    this.alarms = alarms;
    if (!onBattery(pack)) this.batterySince = undefined;
    else this.batterySince ??= now;
  }

  /** What the UPS MIB shows: the pack, or the bank. */
  batteryOf(pack: Pack): Pack {
    return this.bank ?? pack;
  }

  /** Call periodically. */
  updateLink(up: boolean, now: number): void {
    // RFC 2863: 0 if the state predates the agent.
    if (this.linkUp !== undefined && this.linkUp !== up) this.linkChanged = now;
    this.linkUp = up;
  }

  /** Number of active well-known alarms. */
  get alarmCount(): number {
    let count = 0;
    for (let alarm = this.nextAlarm(0); alarm; alarm = this.nextAlarm(alarm)) count++;
    return count;
  }

  /** The first active well-known alarm after `alarm`; 0 if there is none. */
  nextAlarm(alarm: number): number {
    for (let next = alarm + 1; next <= LAST_WELL_KNOWN; next++) if (this.hasAlarm(next)) return next;
    return 0;
  }

  hasAlarm(alarm: number): boolean {
    return alarm >= 1 && alarm <= LAST_WELL_KNOWN && ((this.alarms >>> alarm) & 1) === 1;
  }

  /** When the alarm was raised. */
  alarmTime(alarm: number): number {
    return this.alarmTimes[alarm] ?? 0;
  }

  /** Whole seconds on battery; 0 otherwise. */
  secondsOnBattery(now: number): number {
    return this.batterySince === undefined ? 0 : Math.floor((now - this.batterySince) / 100);
  }
}

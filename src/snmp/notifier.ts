import type { Notification } from "snmp-agent/responder";
import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import type { PackRecord } from "../packs/pack-record";
import { alarmRow, PACK_NAME, packRow, PACKS_ALARM_TABLE, PACKS_TABLE } from "./bank-mib";
import {
  ALARM_NAME,
  ALARM_TITLE,
  BMS_ALARM_CLEARED,
  BMS_ALARM_RAISED,
  BMS_ALARM_TABLE,
  BMS_CAME_ONLINE,
  BMS_RELAY,
  BMS_RELAY_CHANGED,
  BMS_WENT_OFFLINE,
  PACK_ALARM_CLEARED,
  PACK_ALARM_RAISED,
  PACK_CAME_ONLINE,
  PACK_WENT_OFFLINE,
  RELAY_NAME,
  RELAY_ON,
} from "./bms-mib";
import type { SnmpContext } from "./context";

/** RFC 3418 */
const COLD_START = Object.freeze([1, 3, 6, 1, 6, 3, 1, 1, 5, 1], true);

const ALARM_OBJECTS = Object.freeze([ALARM_NAME, ALARM_TITLE], true);
const PACK_OBJECTS = Object.freeze([PACK_NAME], true);
const RELAY_OBJECTS = Object.freeze([RELAY_NAME, RELAY_ON], true);

/** Above all alarm words. */
const ONLINE = 2 ** 32;

export interface NotificationSender {
  /** Must not throw. */
  send(notification: Notification<SnmpContext>): void;
}

/**
 * Sends notifications of changes. Remembers what was last sent instead of what is to be sent, so nothing can pile up: until `tell` is
 * called, changes wait, and those reversed by then are not sent.
 */
export class Notifier {
  private started = false;
  private online: boolean;
  private alarms: number;
  private relay: 0 | 1;
  private packs: readonly PackRecord[] | undefined;
  /** Of each further pack the alarm word last known, and ONLINE. */
  private further: number[] = [];

  constructor({ device: { monitor, relay } }: SnmpContext) {
    this.online = monitor.online;
    this.alarms = alarmBits(monitor) ?? 0;
    this.relay = relay.value;
  }

  /** Call when something may have changed and notifications can be sent. */
  tell(context: SnmpContext, sender: NotificationSender): void {
    const { device } = context;
    const { monitor, relay, settings } = device;
    const uptime = device.centiseconds();
    if (!this.started) {
      this.started = true;
      sender.send({ uptime, trap: COLD_START });
    }
    if (monitor.online !== this.online) {
      this.online = monitor.online;
      sender.send({ uptime, trap: this.online ? BMS_CAME_ONLINE : BMS_WENT_OFFLINE });
    }
    const alarms = alarmBits(monitor);
    if (alarms !== undefined) {
      this.tellAlarms(alarms ^ this.alarms, alarms, uptime, sender);
      this.alarms = alarms;
    }
    if (relay.value !== this.relay) {
      this.relay = relay.value;
      if (settings.relay.fitted)
        sender.send({ uptime, trap: BMS_RELAY_CHANGED, subtree: BMS_RELAY, objects: RELAY_OBJECTS, row: 0 });
    }
  }

  /** Call now and then with several packs, when notifications can be sent: all but the first are read. */
  tellFurther({ device }: SnmpContext, sender: NotificationSender): void {
    const { packs = [] } = device.monitor;
    const { further } = this;
    if (packs !== this.packs) further.length = 0;
    this.packs = packs;
    for (let at = 1; at < packs.length; at++) {
      const pack = packs[at] as PackRecord;
      const uptime = device.centiseconds();
      const before = further[at] ?? 0;
      const wasOnline = before >= ONLINE;
      const known = alarmBits(pack);
      const alarms = known ?? before % ONLINE;
      further[at] = alarms + (pack.online ? ONLINE : 0);
      if (pack.online !== wasOnline) {
        const trap = wasOnline ? PACK_WENT_OFFLINE : PACK_CAME_ONLINE;
        sender.send({ uptime, trap, subtree: PACKS_TABLE, objects: PACK_OBJECTS, row: packRow(pack) });
      }
      this.tellAlarms(alarms ^ (before % ONLINE), alarms, uptime, sender, pack);
    }
  }

  /** @param pack undefined: the first */
  private tellAlarms(
    changed: number,
    alarms: number,
    uptime: number,
    sender: NotificationSender,
    pack?: PackRecord,
  ): void {
    const subtree = pack ? PACKS_ALARM_TABLE : BMS_ALARM_TABLE;
    for (let line = 1; changed && line <= ALARMS_TABLE.length; line++) {
      if (!isRaised(changed, line - 1)) continue;
      const raised = isRaised(alarms, line - 1);
      let trap = raised ? BMS_ALARM_RAISED : BMS_ALARM_CLEARED;
      if (pack) trap = raised ? PACK_ALARM_RAISED : PACK_ALARM_CLEARED;
      const row = pack ? alarmRow(pack, line) : line;
      sender.send({ uptime, trap, subtree, objects: ALARM_OBJECTS, row });
    }
  }
}

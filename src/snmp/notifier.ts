import type { Notification } from "snmp-agent/responder";
import { alarmBits, ALARMS_TABLE, isRaised } from "../catalogue/alarms";
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
  RELAY_NAME,
  RELAY_ON,
} from "./bms-mib";
import type { SnmpContext } from "./context";

/** RFC 3418 */
const COLD_START = Object.freeze([1, 3, 6, 1, 6, 3, 1, 1, 5, 1], true);

const ALARM_OBJECTS = Object.freeze([ALARM_NAME, ALARM_TITLE], true);
const RELAY_OBJECTS = Object.freeze([RELAY_NAME, RELAY_ON], true);

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
    if (alarms !== undefined) this.tellAlarms(alarms, uptime, sender);
    if (relay.value !== this.relay) {
      this.relay = relay.value;
      if (settings.relay.fitted)
        sender.send({ uptime, trap: BMS_RELAY_CHANGED, subtree: BMS_RELAY, objects: RELAY_OBJECTS, row: 0 });
    }
  }

  private tellAlarms(alarms: number, uptime: number, sender: NotificationSender): void {
    const changed = alarms ^ this.alarms;
    this.alarms = alarms;
    for (let row = 1; changed && row <= ALARMS_TABLE.length; row++) {
      if (!isRaised(changed, row - 1)) continue;
      const trap = isRaised(alarms, row - 1) ? BMS_ALARM_RAISED : BMS_ALARM_CLEARED;
      sender.send({ uptime, trap, subtree: BMS_ALARM_TABLE, objects: ALARM_OBJECTS, row });
    }
  }
}

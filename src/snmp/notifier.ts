import { ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import { arcs } from "snmp-agent/oid";
import type { BusPack } from "../packs/types";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { DEVICE, DEVICE_EVENTS, EVENTS } from "../conditions/table";
import type { ConditionSource } from "../conditions/types";
import { changeAt, following } from "../events/changes";
import { wordsOf } from "../events/words";
import { alarmRow, PACK_CONCERNS, PACK_NAME, packRow, PACKS_ALARM_TABLE, PACKS_TABLE } from "./bank-mib";
import {
  ALARM_CLEARED,
  ALARM_NAME,
  ALARM_RAISED,
  ALARM_TITLE,
  BMS_ALARM_TABLE,
  BMS_MONITOR,
  BMS_RELAY,
  CAME_ONLINE,
  CHANGE_OBJECT,
  CONCERNS_CHANGED,
  CONCERNS_OBJECT,
  MONITOR_CONCERNS_CHANGED,
  MONITOR_CONCERNS_OBJECT,
  OF_PACK,
  PACK_CONCERNS_CHANGED,
  RELAY_CHANGED,
  RELAY_NAME,
  RELAY_ON,
  SETTING_CHANGED,
  trapOf,
  WENT_OFFLINE,
} from "./bms-mib";
import type { SnmpContext } from "./context";
import { COLD_START } from "./mib-2";
import type { NotificationSender } from "./types";

const ALARM_OBJECTS = arcs(ALARM_NAME, ALARM_TITLE);
const PACK_OBJECTS = arcs(PACK_NAME);
const CONCERNS_OBJECTS = arcs(CONCERNS_OBJECT);
const MONITOR_CONCERNS_OBJECTS = arcs(MONITOR_CONCERNS_OBJECT);
const CHANGE_OBJECTS = arcs(CHANGE_OBJECT);
const PACK_CONCERNS_OBJECTS = arcs(PACK_NAME, PACK_CONCERNS);
const RELAY_OBJECTS = arcs(RELAY_NAME, RELAY_ON);

/** Above all alarm words. */
const ONLINE = 2 ** 32;

/**
 * Sends notifications of changes. Remembers what was last sent instead of what is to be sent, so nothing can pile up: until `report` is
 * called, changes wait, and those reversed by then are not sent.
 */
export class Notifier {
  private started = false;
  private relay: 0 | 1;
  /** Of each pack, by its address: its alarms, and ONLINE. */
  private readonly known: number[] = [];
  /** And its conditions that are reported. */
  private readonly conditions: Conditions[] = [];
  /** Those of the device. */
  private ofDevice: Conditions;
  /** Number of the last event of the log that was looked at. */
  private logged: number;

  constructor({ device: { conditions, events, monitor, relay } }: SnmpContext) {
    this.logged = events?.newest ?? 0;
    for (const pack of monitor.packs) {
      const { address } = pack.identity;
      this.known[address] = stateOf(pack, conditions);
      this.conditions[address] = sets.common(conditions.presentOf(pack.index), EVENTS);
    }
    this.ofDevice = sets.common(conditions.presentOf(DEVICE), DEVICE_EVENTS);
    this.relay = relay.value;
  }

  /** Call now and then while notifications can be sent. */
  report(context: SnmpContext, sender: NotificationSender): void {
    const { conditions, monitor, relay, settings } = context.device;
    for (const pack of monitor.packs) this.reportPack(pack, context, sender);
    const uptime = context.device.centiseconds();
    const ofDevice = sets.common(conditions.presentOf(DEVICE), DEVICE_EVENTS);
    if (ofDevice !== this.ofDevice) {
      this.ofDevice = ofDevice;
      sender.send({
        ...{ uptime, trap: trapOf(MONITOR_CONCERNS_CHANGED), subtree: BMS_MONITOR },
        ...{ objects: MONITOR_CONCERNS_OBJECTS, row: 0 },
      });
    }
    this.reportChanges(context, sender, uptime);
    if (relay.value === this.relay) return;
    this.relay = relay.value;
    if (settings.relay.fitted)
      sender.send({ uptime, trap: trapOf(RELAY_CHANGED), subtree: BMS_RELAY, objects: RELAY_OBJECTS, row: 0 });
  }

  private reportChanges({ device: { events }, state }: SnmpContext, sender: NotificationSender, uptime: number): void {
    while (events && this.logged < events.newest) {
      this.logged = following(events, this.logged);
      const change = changeAt(events, this.logged);
      if (!change) continue;
      state.change = wordsOf(change);
      sender.send({
        ...{ uptime, trap: trapOf(SETTING_CHANGED), subtree: BMS_MONITOR },
        ...{ objects: CHANGE_OBJECTS, row: 0 },
      });
    }
  }

  /** Call when something may have changed of this pack and notifications can be sent. The first pack's name no pack, as its objects do not. */
  reportPack(pack: BusPack, { device, pack: first }: SnmpContext, sender: NotificationSender): void {
    const { known } = this;
    const { address } = pack.identity;
    const uptime = device.centiseconds();
    if (!this.started) {
      this.started = true;
      sender.send({ uptime, trap: COLD_START });
    }
    const isFirst = pack === first;
    const conditions = sets.common(device.conditions.presentOf(pack.index), EVENTS);
    if (conditions !== (this.conditions[address] ?? sets.NONE)) {
      this.conditions[address] = conditions;
      if (isFirst)
        sender.send({
          uptime,
          trap: trapOf(CONCERNS_CHANGED),
          subtree: BMS_MONITOR,
          objects: CONCERNS_OBJECTS,
          row: 0,
        });
      else
        sender.send({
          ...{ uptime, trap: trapOf(PACK_CONCERNS_CHANGED), subtree: PACKS_TABLE },
          ...{ objects: PACK_CONCERNS_OBJECTS, row: packRow(pack) },
        });
    }
    const before = known[address] ?? 0;
    const now = stateOf(pack, device.conditions);
    if (now === before) return;
    known[address] = now;
    const base = isFirst ? 0 : OF_PACK;
    if (now >= ONLINE !== before >= ONLINE) {
      const trap = trapOf(base + (now >= ONLINE ? CAME_ONLINE : WENT_OFFLINE));
      if (isFirst) sender.send({ uptime, trap });
      else sender.send({ uptime, trap, subtree: PACKS_TABLE, objects: PACK_OBJECTS, row: packRow(pack) });
    }
    const alarms = now % ONLINE;
    const changed = alarms ^ (before % ONLINE);
    const subtree = isFirst ? BMS_ALARM_TABLE : PACKS_ALARM_TABLE;
    for (let line = 1; changed && line <= ALARMS_TABLE.length; line++) {
      if (!isRaised(changed, line - 1)) continue;
      const trap = trapOf(base + (isRaised(alarms, line - 1) ? ALARM_RAISED : ALARM_CLEARED));
      const row = isFirst ? line : alarmRow(pack, line);
      sender.send({ uptime, trap, subtree, objects: ALARM_OBJECTS, row });
    }
  }
}

/** Its alarms, and ONLINE. */
const stateOf = ({ index, online }: BusPack, conditions: ConditionSource): number =>
  conditions.alarmsOf(index) + (online ? ONLINE : 0);

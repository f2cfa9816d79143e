import GROUPS from "./tables";
import type { SettingsGroups } from "./types";
import { defaultsOf } from "./values";

/** The defaults of all groups. An unchanged group is this object, which is in flash. */
const DEFAULTS: SettingsGroups = Object.freeze(
  {
    device: defaultsOf(GROUPS.device.fields),
    api: defaultsOf(GROUPS.api.fields),
    bms: defaultsOf(GROUPS.bms.fields),
    packs: defaultsOf(GROUPS.packs.fields),
    relay: defaultsOf(GROUPS.relay.fields),
    monitoring: defaultsOf(GROUPS.monitoring.fields),
    network: defaultsOf(GROUPS.network.fields),
    web: defaultsOf(GROUPS.web.fields),
    access: defaultsOf(GROUPS.access.fields),
    time: defaultsOf(GROUPS.time.fields),
    mqtt: defaultsOf(GROUPS.mqtt.fields),
    snmp: defaultsOf(GROUPS.snmp.fields),
    syslog: defaultsOf(GROUPS.syslog.fields),
    notify: defaultsOf(GROUPS.notify.fields),
  },
  true,
);
export default DEFAULTS;

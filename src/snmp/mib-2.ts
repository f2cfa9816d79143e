/** MIB-II: the system group (RFC 3418) and one row of interfaces (RFC 2863), without counters: the platform keeps none. */
import { arcs } from "snmp-agent/oid";
import type { Subtree } from "snmp-agent/types";
import type { SnmpContext } from "./context";

/** upsMIB: the project has no enterprise number of its own, and managers such as NUT recognize an RFC 1628 agent by it. */
const SYS_OBJECT_ID = arcs(1, 3, 6, 1, 2, 1, 33);
/** sysServices: applications (layer 7) on a host (layer 4): 2^6 + 2^3. */
const SERVICES = 72;
const ETHERNET_CSMACD = 6;
const IEEE80211 = 71;
const MTU = 1_500;
/** The boards' Ethernet is 100BASE-TX. The speed of Wi-Fi is not reported. */
const ETHERNET_SPEED = 100_000_000;
const UP = 1;
const DOWN = 2;
const INTERFACES = 1;

/** snmpTrapOID of coldStart (RFC 3418). */
export const COLD_START = arcs(1, 3, 6, 1, 6, 3, 1, 1, 5, 1);

export const SYSTEM: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 1),
    objects: arcs(1, 2, 3, 4, 5, 6, 7),
    read(value, context, object) {
      const { build, settings } = context.device;
      switch (object) {
        case 1:
          return value.text(`${build.softwareName} ${build.version} (${build.build}) on ${build.boardVersion}`);
        case 2:
          return value.identifier(SYS_OBJECT_ID);
        case 3:
          return value.ticks(context.device.centiseconds());
        case 4:
          return value.text(settings.snmp.contact);
        case 5:
          return value.text(settings.device.hostname);
        case 6:
          return value.text(settings.snmp.location);
        case 7:
          return value.integer(SERVICES);
      }
    },
  },
  true,
);

export const INTERFACE_NUMBER: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 2),
    objects: arcs(1),
    read: (value) => value.integer(INTERFACES),
  },
  true,
);

export const INTERFACE_TABLE: Subtree<SnmpContext> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 2, 2, 1),
    objects: arcs(1, 2, 3, 4, 5, 6, 7, 8, 9),
    nextRow: (_context, row) => (row < INTERFACES ? row + 1 : 0),
    read(value, { device: { network }, state }, object, row) {
      if (row !== INTERFACES) return;
      const ethernet = network.type === "Ethernet";
      switch (object) {
        case 1:
          return value.integer(row);
        case 2:
          return value.text(network.type);
        case 3:
          return value.integer(ethernet ? ETHERNET_CSMACD : IEEE80211);
        case 4:
          return value.integer(MTU);
        case 5:
          return ethernet ? value.gauge(ETHERNET_SPEED) : undefined;
        case 6:
          // RFC 2863: empty without an address.
          return value.octets(
            Uint8Array.from(network.mac ? network.mac.split(":") : [], (byte) => Number(`0x${byte}`)),
          );
        case 7:
          return value.integer(UP);
        case 8:
          return value.integer(network.ip ? UP : DOWN);
        case 9:
          return value.ticks(state.linkChanged);
      }
    },
  },
  true,
);

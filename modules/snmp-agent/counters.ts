import { arcs } from "./oid";
import type { Subtree } from "./types";

/** The counters of the snmp group (RFC 3418). All wrap at 2^32, some 136 years of one packet a second. */
export class SnmpCounters {
  inPkts = 0;
  badVersions = 0;
  badCommunityNames = 0;
  badCommunityUses = 0;
  asnParseErrs = 0;
}

/** snmpEnableAuthenTraps: authenticationFailure is never sent. */
const DISABLED = 2;

/** The snmp group (RFC 3418, section 2), without the objects of RFC 1213 that are obsolete now. */
export const SNMP_GROUP: Subtree<{ readonly counters: SnmpCounters }> = Object.freeze(
  {
    oid: arcs(1, 3, 6, 1, 2, 1, 11),
    objects: arcs(1, 3, 4, 5, 6, 30, 31, 32),
    read(value, { counters }, object) {
      switch (object) {
        case 1:
          return value.counter(counters.inPkts);
        case 3:
          return value.counter(counters.badVersions);
        case 4:
          return value.counter(counters.badCommunityNames);
        case 5:
          return value.counter(counters.badCommunityUses);
        case 6:
          return value.counter(counters.asnParseErrs);
        case 30:
          return value.integer(DISABLED);
        case 31:
        case 32:
          // snmpSilentDrops: a response without variables always fits. snmpProxyDrops: this is not a proxy.
          return value.counter(0);
      }
    },
  },
  true,
);

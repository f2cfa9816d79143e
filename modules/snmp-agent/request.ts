import type { BerReader } from "./ber-reader";
import { isCommunity } from "./community";
import type { SnmpCounters } from "./counters";
import { MAX_MESSAGE_BYTES } from "./limits";
import type { Oid } from "./oid";
import { GET, GET_BULK, GET_NEXT, INFORM, REPORT, RESPONSE, SEQUENCE, SET, TRAP_V1, TRAP_V2, V1, V2C } from "./tags";

/** Checks the community and counts rejected requests. */
export interface Gate {
  readonly community: string;
  readonly counters: SnmpCounters;
}

/** A request and the positions of its parts in the packet. One object is reused for all requests. */
export class Request {
  version = V1;
  pdu = 0;
  id = 0;
  /** GETBULK: non-repeaters and max-repetitions. */
  first = 0;
  second = 0;
  /** Position and number of the variable bindings. */
  listStart = 0;
  listEnd = 0;
  varbinds = 0;

  /**
   * Parses a packet to its end (RFC 1157, section 4.1; RFC 3417, section 8). False: no response is due, and the reason has been counted.
   * `oid` is scratch space.
   */
  read(packet: Uint8Array, reader: BerReader, oid: Oid, { community, counters }: Gate): boolean {
    counters.inPkts++;
    if (packet.length > MAX_MESSAGE_BYTES) return malformed(counters);
    reader.begin(packet);
    const end = reader.enter(SEQUENCE);
    this.version = reader.integer();
    if (reader.failed) return malformed(counters);
    if (this.version !== V1 && this.version !== V2C) {
      counters.badVersions++;
      return false;
    }
    const length = reader.octets();
    if (reader.failed) return malformed(counters);
    if (!isCommunity(community, packet, reader.start, length)) {
      counters.badCommunityNames++;
      return false;
    }
    this.pdu = reader.tag;
    if (this.isForOthers()) return false;
    if (!this.isKnown()) return malformed(counters);
    this.readPdu(reader, oid);
    reader.leave(end);
    return !reader.failed && reader.at === packet.length ? true : malformed(counters);
  }

  private readPdu(reader: BerReader, oid: Oid): void {
    const message = reader.enter(this.pdu);
    this.id = reader.integer();
    this.first = reader.integer();
    this.second = reader.integer();
    const pdu = reader.enter(SEQUENCE);
    this.listStart = reader.at;
    for (this.varbinds = 0; reader.more; this.varbinds++) {
      const list = reader.enter(SEQUENCE);
      reader.oid(oid);
      reader.skip();
      reader.leave(list);
    }
    this.listEnd = reader.at;
    reader.leave(pdu);
    reader.leave(message);
  }

  private isKnown(): boolean {
    const { pdu } = this;
    return pdu === GET || pdu === GET_NEXT || pdu === SET || (pdu === GET_BULK && this.version === V2C);
  }

  /** PDUs meant for managers and notification receivers. */
  private isForOthers(): boolean {
    const { pdu } = this;
    return pdu === RESPONSE || pdu === TRAP_V1 || pdu === INFORM || pdu === TRAP_V2 || pdu === REPORT;
  }
}

function malformed(counters: SnmpCounters): false {
  counters.asnParseErrs++;
  return false;
}

import type { BerReader } from "./ber-reader";
import type { Community } from "./community";
import type { SnmpCounters } from "./counters";
import { MAX_MESSAGE_BYTES } from "./limits";
import type { Oid } from "./oid";
import { GET, GET_BULK, GET_NEXT, INFORM, REPORT, RESPONSE, SEQUENCE, SET, TRAP_V1, TRAP_V2, V1, V2C } from "./tags";

/** A request and where its parts stand in its packet; the same object for all of them. */
export class Request {
  readonly #counters: SnmpCounters;
  readonly #community: Community;
  version = V1;
  communityStart = 0;
  communityLength = 0;
  pdu = 0;
  id = 0;
  /** GETBULK: non-repeaters and max-repetitions. */
  first = 0;
  second = 0;
  /** The variable bindings, and how many there are. */
  listStart = 0;
  listEnd = 0;
  varbinds = 0;

  constructor(counters: SnmpCounters, community: Community) {
    this.#counters = counters;
    this.#community = community;
  }

  /**
   * Reads a packet to its end (RFC 1157, section 4.1; RFC 3417, section 8). False: there is nothing to answer, and it has been counted
   * why. `oid` is for use on the way.
   */
  read(packet: Uint8Array, reader: BerReader, oid: Oid): boolean {
    this.#counters.inPkts++;
    if (packet.length > MAX_MESSAGE_BYTES) return this.malformed();
    reader.begin(packet);
    const end = reader.enter(SEQUENCE);
    this.version = reader.integer();
    if (reader.failed) return this.malformed();
    if (this.version !== V1 && this.version !== V2C) {
      this.#counters.badVersions++;
      return false;
    }
    this.communityLength = reader.octets();
    this.communityStart = reader.start;
    if (reader.failed) return this.malformed();
    if (!this.#community.matches(packet, this.communityStart, this.communityLength)) {
      this.#counters.badCommunityNames++;
      return false;
    }
    this.pdu = reader.tag;
    if (this.isForOthers()) return false;
    if (!this.isKnown()) return this.malformed();
    this.readPdu(reader, oid);
    reader.leave(end);
    return !reader.failed && reader.at === packet.length ? true : this.malformed();
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

  /** Managers and receivers of notifications get these. */
  private isForOthers(): boolean {
    const { pdu } = this;
    return pdu === RESPONSE || pdu === TRAP_V1 || pdu === INFORM || pdu === TRAP_V2 || pdu === REPORT;
  }

  private malformed(): false {
    this.#counters.asnParseErrs++;
    return false;
  }
}

import { BerReader } from "./ber-reader";
import { BerWriter } from "./ber-writer";
import type { Community } from "./community";
import type { SnmpCounters } from "./counters";
import { MAX_MESSAGE_BYTES, MAX_VARBINDS } from "./limits";
import { FOUND, NO_OBJECT, type Mib } from "./mib";
import { Oid } from "./oid";
import { Request } from "./request";
import {
  END_OF_MIB_VIEW,
  GEN_ERR,
  GET,
  GET_BULK,
  NO_ERROR,
  NO_SUCH_INSTANCE,
  NO_SUCH_NAME,
  NO_SUCH_OBJECT,
  NOT_WRITABLE,
  OBJECT_IDENTIFIER,
  RESPONSE,
  SEQUENCE,
  SET,
  TOO_BIG,
  TRAP_V2,
  V1,
  V2C,
} from "./tags";
import type { Subtree } from "./types";

/** What the lengths of message, PDU and list may grow by when they are closed. */
const LENGTHS_RESERVE = 6;

/** What is sent as a notification: an identifier, and the values of one row. */
export interface Notification<Context> {
  /** sysUpTime.0, hundredths of a second. */
  readonly uptime: number;
  /** snmpTrapOID.0 */
  readonly trap: readonly number[];
  /** The subtree that the values are of, its objects and their row (scalars: 0). */
  readonly subtree?: Subtree<Context> | undefined;
  readonly objects?: readonly number[] | undefined;
  readonly row?: number | undefined;
}

const SYS_UP_TIME = Object.freeze([1, 3, 6, 1, 2, 1, 1, 3, 0], true);
const SNMP_TRAP_OID = Object.freeze([1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0], true);

/**
 * The protocol without the socket: a message in, a message out (RFC 1157 for v1, RFC 3416 for v2c). All messages are made in one buffer:
 * what was made is to be sent before the next is asked for.
 */
export class Responder<Context> {
  readonly bytes = new Uint8Array(MAX_MESSAGE_BYTES);
  readonly #context: Context;
  readonly #mib: Mib<Context>;
  readonly #counters: SnmpCounters;
  readonly #community: Community;
  readonly #reader = new BerReader();
  readonly #writer = new BerWriter(this.bytes);
  readonly #request: Request;
  readonly #oid = new Oid();
  #message = 0;
  #pdu = 0;
  #list = 0;
  #statusEnd = 0;
  #notifications = 0;
  /** Where the name read last stands in its packet. */
  #nameStart = 0;
  #nameEnd = 0;
  /** The last step of a walk found nothing any more. */
  #atEnd = false;

  constructor(context: Context, mib: Mib<Context>, counters: SnmpCounters, community: Community) {
    this.#context = context;
    this.#mib = mib;
    this.#counters = counters;
    this.#community = community;
    this.#request = new Request(counters, community);
  }

  /** The length of the answer, in `bytes`; 0: there is none. Never throws. */
  answer(packet: Uint8Array): number {
    try {
      if (!this.#request.read(packet, this.#reader, this.#oid)) return 0;
      return this.respond(packet);
    } finally {
      this.#reader.release();
    }
  }

  /** The length of a notification, in `bytes`; 0 when it does not fit. Throws what the subtree throws. */
  notification({ uptime, trap, subtree, objects = [], row = 0 }: Notification<Context>): number {
    const writer = this.#writer;
    writer.truncate(0);
    this.#notifications = (this.#notifications + 1) & 0x7fff_ffff;
    this.#message = writer.open(SEQUENCE);
    writer.integer(V2C);
    writer.text(this.#community.text);
    this.openPdu(TRAP_V2, this.#notifications);
    let start = writer.open(SEQUENCE);
    writer.identifier(SYS_UP_TIME);
    writer.ticks(uptime);
    writer.close(start);
    start = writer.open(SEQUENCE);
    writer.identifier(SNMP_TRAP_OID);
    writer.identifier(trap);
    writer.close(start);
    if (subtree)
      for (const object of objects) {
        const before = writer.length;
        start = writer.open(SEQUENCE);
        writer.identifier(subtree.oid, object, row);
        const name = writer.length;
        subtree.read(writer, this.#context, object, row);
        if (writer.length !== name) writer.close(start);
        else writer.truncate(before);
      }
    return this.finish(NO_ERROR, 0);
  }

  private respond(packet: Uint8Array): number {
    const { pdu, version, varbinds, listStart, listEnd } = this.#request;
    if (varbinds > MAX_VARBINDS) return this.error(packet, TOO_BIG, 0);
    if (pdu === SET) {
      // The community is for reading (RFC 3584, section 4.3: what v1 is told instead of notWritable).
      this.#counters.badCommunityUses++;
      if (varbinds) return this.error(packet, version === V1 ? NO_SUCH_NAME : NOT_WRITABLE, 1);
    }
    this.beginResponse(packet);
    this.#reader.begin(packet, listStart, listEnd);
    if (pdu === GET_BULK) return this.bulk(packet);
    for (let index = 1; index <= varbinds; index++) {
      this.readName();
      const status = pdu === GET ? this.get(packet) : this.next(packet);
      if (status !== NO_ERROR) return this.error(packet, status, index);
      if (this.#writer.overflowed) return this.error(packet, TOO_BIG, 0);
    }
    return this.finish(NO_ERROR, 0) || this.error(packet, TOO_BIG, 0);
  }

  /** Reads a variable binding for its name. */
  private readName(): void {
    const reader = this.#reader;
    const outer = reader.enter(SEQUENCE);
    reader.oid(this.#oid);
    this.#nameStart = reader.start;
    this.#nameEnd = reader.at;
    reader.skip();
    reader.leave(outer);
  }

  /** Answers the name read last, which stands in `packet`. */
  private get(packet: Uint8Array): number {
    const writer = this.#writer;
    const start = writer.open(SEQUENCE);
    this.copyName(packet);
    try {
      const found = this.#mib.get(this.#oid, writer);
      if (found !== FOUND) {
        if (this.#request.version === V1) return NO_SUCH_NAME;
        writer.nothing(found === NO_OBJECT ? NO_SUCH_OBJECT : NO_SUCH_INSTANCE);
      }
    } catch {
      return GEN_ERR;
    }
    writer.close(start);
    return NO_ERROR;
  }

  /** Answers what follows the name read last, which stands in `packet`. */
  private next(packet: Uint8Array): number {
    const writer = this.#writer;
    const start = writer.open(SEQUENCE);
    this.#atEnd = false;
    try {
      if (!this.#mib.next(this.#oid, writer)) {
        if (this.#request.version === V1) return NO_SUCH_NAME;
        this.copyName(packet);
        writer.nothing(END_OF_MIB_VIEW);
        this.#atEnd = true;
      }
    } catch {
      return GEN_ERR;
    }
    writer.close(start);
    return NO_ERROR;
  }

  /** RFC 3416, section 4.2.3. Each name of a repetition follows from the one before, which is read from the answer itself. */
  private bulk(packet: Uint8Array): number {
    const { first, second, varbinds } = this.#request;
    const writer = this.#writer;
    const single = Math.min(Math.max(first, 0), varbinds);
    let written = 0;
    for (let repetition = 0; repetition === 0 || repetition < second; repetition++) {
      let ended = true;
      if (repetition === 1) this.readBack(single);
      for (let index = repetition ? single : 0; index < varbinds; index++) {
        const repeated = index >= single;
        if (repeated && (second <= 0 || written >= MAX_VARBINDS)) return this.finish(NO_ERROR, 0);
        const { length } = writer;
        this.readName();
        const status = this.next(repetition ? this.bytes : packet);
        if (status !== NO_ERROR) return this.error(packet, status, index + 1);
        if (writer.overflowed || writer.length > MAX_MESSAGE_BYTES - LENGTHS_RESERVE) {
          writer.truncate(length);
          return this.finish(NO_ERROR, 0);
        }
        if (repetition) this.#reader.extend(writer.length);
        if (repeated && !this.#atEnd) ended = false;
        written++;
      }
      if (ended) break;
    }
    return this.finish(NO_ERROR, 0);
  }

  /** The reader goes on in the answer, behind its first `skipped` variable bindings. */
  private readBack(skipped: number): void {
    this.#reader.begin(this.bytes, this.#list, this.#writer.length);
    for (let index = 0; index < skipped; index++) this.#reader.skip();
  }

  private copyName(from: Uint8Array): void {
    const start = this.#writer.open(OBJECT_IDENTIFIER);
    this.#writer.copy(from, this.#nameStart, this.#nameEnd);
    this.#writer.close(start);
  }

  private beginResponse(packet: Uint8Array): void {
    const { version, communityStart, communityLength, id } = this.#request;
    const writer = this.#writer;
    writer.truncate(0);
    this.#message = writer.open(SEQUENCE);
    writer.integer(version);
    writer.octets(packet, communityStart, communityStart + communityLength);
    this.openPdu(RESPONSE, id);
  }

  private openPdu(pdu: number, id: number): void {
    const writer = this.#writer;
    this.#pdu = writer.open(pdu);
    writer.integer(id);
    writer.integer(NO_ERROR);
    this.#statusEnd = writer.length;
    writer.integer(0);
    this.#list = writer.open(SEQUENCE);
  }

  /** The length of the whole; 0 when it does not fit. */
  private finish(status: number, index: number): number {
    const writer = this.#writer;
    if (writer.overflowed) return 0;
    writer.patch(this.#statusEnd, status);
    writer.patch(this.#statusEnd + 3, index);
    writer.close(this.#list);
    writer.close(this.#pdu);
    writer.close(this.#message);
    return writer.overflowed ? 0 : writer.length;
  }

  /**
   * Answers with an error: the request's list comes back, but not with tooBig in v2c (RFC 3416, section 4.2.1). It fits, for its lengths
   * are written in no more bytes than they came in.
   */
  private error(packet: Uint8Array, status: number, index: number): number {
    const { version, listStart, listEnd } = this.#request;
    this.beginResponse(packet);
    if (status !== TOO_BIG || version === V1) this.#writer.copy(packet, listStart, listEnd);
    return this.finish(status, index);
  }
}

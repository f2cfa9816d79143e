import { BerReader } from "./ber-reader";
import { BerWriter } from "./ber-writer";
import { communityOf } from "./community";
import type { SnmpCounters } from "./counters";
import { MAX_MESSAGE_BYTES, MAX_VARBINDS } from "./limits";
import { checkNames, FOUND, NO_OBJECT, writeInstance, writeName, writeNext, type Mib } from "./mib";
import { arcs, Oid } from "./oid";
import { Request, type Gate } from "./request";
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
import type { Arcs, Subtree } from "./types";

/** Start of a message's content: after its tag and its length, one byte until the message is closed. */
const CONTENT = 2;
/** Bytes before the list's content: the error index and the list's own header; the error status precedes them. */
const LIST_HEAD = 2;
const ERROR_INDEX = 3;
/** How much the lengths of message, PDU and list may grow on closing. */
const LENGTHS_RESERVE = 6;
const LARGEST = MAX_MESSAGE_BYTES - LENGTHS_RESERVE;

/** A notification: its identifier and the values of one row. */
export interface Notification<Context> {
  /** sysUpTime.0, hundredths of a second. */
  readonly uptime: number;
  /** snmpTrapOID.0 */
  readonly trap: Arcs;
  /** The subtree of the values, its objects and their row (scalars: 0). */
  readonly subtree?: Subtree<Context> | undefined;
  readonly objects?: Arcs | undefined;
  readonly row?: number | undefined;
}

export interface ResponderOptions<Context> {
  /** The subtrees in OID order, and the context their values are read from. */
  readonly context: Context;
  readonly subtrees: readonly Subtree<Context>[];
  readonly counters: SnmpCounters;
  /** ASCII, at most MAX_COMMUNITY characters. An empty community never matches. */
  readonly community: string;
}

const SYS_UP_TIME = arcs(1, 3, 6, 1, 2, 1, 1, 3, 0);
const SNMP_TRAP_OID = arcs(1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0);

/**
 * The protocol without the socket: message in, message out (RFC 1157 for v1, RFC 3416 for v2c). All messages share one buffer: send one
 * before requesting the next.
 */
export class Responder<Context> implements Mib<Context>, Gate {
  readonly context: Context;
  readonly subtrees: readonly Subtree<Context>[];
  readonly counters: SnmpCounters;
  private _community: string;
  private readonly reader = new BerReader();
  private readonly writer = new BerWriter(new Uint8Array(MAX_MESSAGE_BYTES));
  private readonly request = new Request();
  private readonly oid = new Oid();
  /** Start of the contents of the message's PDU and list. */
  private pdu = 0;
  private list = 0;
  private limit = LARGEST;
  private notifications = 0;
  /** The last step of a walk was past the end of the MIB. */
  private atEnd = false;

  /** Throws a RangeError for a community that is too long, and for names longer than MAX_OID_KEPT. */
  constructor({ context, subtrees, counters, community }: ResponderOptions<Context>) {
    checkNames(subtrees);
    this.context = context;
    this.subtrees = subtrees;
    this.counters = counters;
    this._community = communityOf(community);
  }

  get community(): string {
    return this._community;
  }

  /** Throws a RangeError beyond MAX_COMMUNITY characters. */
  set community(community: string) {
    this._community = communityOf(community);
  }

  /** The buffer of all messages. */
  get bytes(): Uint8Array {
    return this.writer.bytes;
  }

  /**
   * Returns the length of the response in `bytes`; 0 if there is none. Never throws. `limit`: maximum bytes of the response to a GETBULK,
   * which always contains at least one variable binding.
   */
  answer(packet: Uint8Array, limit = MAX_MESSAGE_BYTES): number {
    this.limit = Math.min(limit - LENGTHS_RESERVE, LARGEST);
    try {
      if (!this.request.read(packet, this.reader, this.oid, this)) return 0;
      return this.respond(packet);
    } finally {
      this.reader.release();
    }
  }

  /** Returns the length of a notification in `bytes`; 0 if it does not fit. Throws what the subtree throws. */
  notification({ uptime, trap, subtree, objects = "", row = 0 }: Notification<Context>): number {
    const writer = this.writer;
    this.notifications = (this.notifications + 1) & 0x7fff_ffff;
    this.begin(V2C, TRAP_V2, this.notifications);
    let start = writer.open(SEQUENCE);
    writer.identifier(SYS_UP_TIME);
    writer.ticks(uptime);
    writer.close(start);
    start = writer.open(SEQUENCE);
    writer.identifier(SNMP_TRAP_OID);
    writer.identifier(trap);
    writer.close(start);
    if (subtree)
      for (let index = 0; index < objects.length; index++) {
        const object = objects.charCodeAt(index);
        const before = writer.length;
        start = writer.open(SEQUENCE);
        writeName(writer, subtree, object, row);
        const name = writer.length;
        subtree.read(writer, this.context, object, row);
        if (writer.length !== name) writer.close(start);
        else writer.truncate(before);
      }
    return this.finish(NO_ERROR, 0);
  }

  private respond(packet: Uint8Array): number {
    const { pdu, version, id, varbinds, listStart, listEnd } = this.request;
    if (varbinds > MAX_VARBINDS) return this.error(packet, TOO_BIG, 0);
    if (pdu === SET) {
      // The community is read-only (RFC 3584, section 4.3: the v1 equivalent of notWritable).
      this.counters.badCommunityUses++;
      if (varbinds) return this.error(packet, version === V1 ? NO_SUCH_NAME : NOT_WRITABLE, 1);
    }
    this.begin(version, RESPONSE, id);
    this.reader.begin(packet, listStart, listEnd);
    if (pdu === GET_BULK) return this.bulk(packet);
    for (let index = 1; index <= varbinds; index++) {
      this.readName();
      const status = pdu === GET ? this.get(packet) : this.next(packet);
      if (status !== NO_ERROR) return this.error(packet, status, index);
      if (this.writer.overflowed) return this.error(packet, TOO_BIG, 0);
    }
    return this.finish(NO_ERROR, 0) || this.error(packet, TOO_BIG, 0);
  }

  /** Reads the name of a variable binding. */
  private readName(): void {
    const reader = this.reader;
    const outer = reader.enter(SEQUENCE);
    reader.oid(this.oid);
    reader.skip();
    reader.leave(outer);
  }

  /** Responds to the name last read, which is in `packet`. */
  private get(packet: Uint8Array): number {
    const writer = this.writer;
    const start = writer.open(SEQUENCE);
    this.copyName(packet);
    try {
      const found = writeInstance(this, this.oid, writer);
      if (found !== FOUND) {
        if (this.request.version === V1) return NO_SUCH_NAME;
        writer.nothing(found === NO_OBJECT ? NO_SUCH_OBJECT : NO_SUCH_INSTANCE);
      }
    } catch {
      return GEN_ERR;
    }
    writer.close(start);
    return NO_ERROR;
  }

  /** Responds with the successor of the name last read, which is in `packet`. */
  private next(packet: Uint8Array): number {
    const writer = this.writer;
    const start = writer.open(SEQUENCE);
    this.atEnd = false;
    try {
      if (!writeNext(this, this.oid, writer)) {
        if (this.request.version === V1) return NO_SUCH_NAME;
        this.copyName(packet);
        writer.nothing(END_OF_MIB_VIEW);
        this.atEnd = true;
      }
    } catch {
      return GEN_ERR;
    }
    writer.close(start);
    return NO_ERROR;
  }

  /** RFC 3416, section 4.2.3. Each repetition continues from the names of the previous one, read back from the response itself. */
  private bulk(packet: Uint8Array): number {
    const { first, second, varbinds } = this.request;
    const writer = this.writer;
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
        if (writer.overflowed || writer.length > (written ? this.limit : LARGEST)) {
          writer.truncate(length);
          return this.finish(NO_ERROR, 0);
        }
        if (repetition) this.reader.extend(writer.length);
        if (repeated && !this.atEnd) ended = false;
        written++;
      }
      if (ended) break;
    }
    return this.finish(NO_ERROR, 0);
  }

  /** Continues reading in the response, after its first `skipped` variable bindings. */
  private readBack(skipped: number): void {
    this.reader.begin(this.bytes, this.list, this.writer.length);
    for (let index = 0; index < skipped; index++) this.reader.skip();
  }

  private copyName(from: Uint8Array): void {
    const start = this.writer.open(OBJECT_IDENTIFIER);
    this.writer.copy(from, this.reader.start, this.reader.stop);
    this.writer.close(start);
  }

  /** Starts a message, down to its list, which is left open. */
  private begin(version: number, pdu: number, id: number): void {
    const writer = this.writer;
    writer.truncate(0);
    writer.open(SEQUENCE);
    writer.integer(version);
    writer.text(this._community);
    this.pdu = writer.open(pdu);
    writer.integer(id);
    writer.integer(NO_ERROR);
    writer.integer(0);
    this.list = writer.open(SEQUENCE);
  }

  /** Returns the length of the message; 0 if it does not fit. */
  private finish(status: number, index: number): number {
    const writer = this.writer;
    if (writer.overflowed) return 0;
    writer.patch(this.list - LIST_HEAD - ERROR_INDEX, status);
    writer.patch(this.list - LIST_HEAD, index);
    writer.close(this.list);
    writer.close(this.pdu);
    writer.close(CONTENT);
    return writer.overflowed ? 0 : writer.length;
  }

  /**
   * Responds with an error and the request's list, without the list for tooBig in v2c (RFC 3416, section 4.2.1). It fits: no length takes
   * more bytes than in the request.
   */
  private error(packet: Uint8Array, status: number, index: number): number {
    const { version, id, listStart, listEnd } = this.request;
    this.begin(version, RESPONSE, id);
    if (status !== TOO_BIG || version === V1) this.writer.copy(packet, listStart, listEnd);
    return this.finish(status, index);
  }
}

import { endOfName, HEADER_BYTES, isName, TOP_BIT, TYPE, word } from "../dns-message";
import { MAX_RECORDS, SERVICE_TTL } from "../limits";
import { LOCAL, MODBUS, SERVICE, SERVICES } from "./names";
import { MODBUS_BITS, RECORD } from "./records";

const RESPONSE = 0x8000;
/** Type, class, TTL and length of a record. */
const RECORD_HEADER_BYTES = 10;

/** What a packet says about the device's names. In a malformed or oversized packet, everything before the problem counts. */
export interface MdnsMessage {
  readonly response: boolean;
  /** Records asked for, as bits. */
  readonly asked: number;
  /** All questions accept a unicast answer. */
  readonly unicast: boolean;
  /** The address under the hostname of a host that has or probes for it, as four bytes in the packet. */
  readonly rival: Uint8Array | undefined;
}

export function parseQuery(bytes: Uint8Array, hostname: string): MdnsMessage | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const flags = word(bytes, 2);
  // RFC 6762 section 18.3: ignore other opcodes.
  if (flags & 0x7800) return undefined;
  let asked = 0;
  let unicast = true;
  let probed = false;
  let rival: Uint8Array | undefined;
  let at = HEADER_BYTES;
  let left = MAX_RECORDS;
  let whole = true;
  for (let questions = word(bytes, 4); questions > 0; questions--, left--) {
    const end = endOfName(bytes, at);
    whole = left > 0 && end > 0 && end + 4 <= bytes.length;
    if (!whole) break;
    const type = word(bytes, end);
    const wanted = wantedBy(bytes, at, type, hostname);
    if (wanted && !(word(bytes, end + 2) & TOP_BIT)) unicast = false;
    if (type === TYPE.ANY && isName(bytes, at, LOCAL, hostname)) probed = true;
    asked |= wanted;
    at = end + 4;
  }
  const answers = word(bytes, 6);
  // If a question was malformed or skipped, the start of the records is unknown.
  if (!whole) return { response: (flags & RESPONSE) !== 0, asked, unicast, rival };
  for (let n = 0, records = answers + word(bytes, 8) + word(bytes, 10); n < records && left > 0; n++, left--) {
    const end = endOfName(bytes, at);
    const data = end + RECORD_HEADER_BYTES;
    if (end < 0 || data > bytes.length) break;
    const type = word(bytes, end);
    const length = word(bytes, end + 8);
    if (data + length > bytes.length) break;
    const ttl = word(bytes, end + 4) * 0x10000 + word(bytes, end + 6);
    const known = n < answers && !(flags & RESPONSE);
    if (type === TYPE.A && length === 4 && isName(bytes, at, LOCAL, hostname)) {
      // Not a goodbye, nor what a querier remembers, which may be the address before the last one.
      if (ttl && !known && (probed || flags & RESPONSE)) rival = bytes.subarray(data, data + 4);
    } else if (type === TYPE.PTR && known) {
      // RFC 6762 section 7.1, known-answer suppression: the querier has the record, with at least half of its TTL left.
      for (let bits = 0; bits <= MODBUS_BITS; bits += MODBUS_BITS) {
        const service = bits ? MODBUS : SERVICE;
        const ours = isName(bytes, at, service) && isName(bytes, data, service, hostname);
        if (ours && ttl >= SERVICE_TTL / 2) asked &= ~(RECORD.service << bits);
      }
    }
    at = data + length;
  }
  return { response: (flags & RESPONSE) !== 0, asked, unicast, rival };
}

function wantedBy(bytes: Uint8Array, at: number, type: number, hostname: string): number {
  const any = type === TYPE.ANY;
  if (isName(bytes, at, LOCAL, hostname)) return any || type === TYPE.A ? RECORD.address : 0;
  if (isName(bytes, at, SERVICES)) return any || type === TYPE.PTR ? RECORD.kinds | (RECORD.kinds << MODBUS_BITS) : 0;
  return wantedOf(SERVICE, bytes, at, type, hostname) | (wantedOf(MODBUS, bytes, at, type, hostname) << MODBUS_BITS);
}

function wantedOf(service: Uint8Array, bytes: Uint8Array, at: number, type: number, hostname: string): number {
  const any = type === TYPE.ANY;
  if (isName(bytes, at, service)) return any || type === TYPE.PTR ? RECORD.service : 0;
  if (!isName(bytes, at, service, hostname)) return 0;
  return (any || type === TYPE.SRV ? RECORD.location : 0) | (any || type === TYPE.TXT ? RECORD.text : 0);
}

import type { MessageWriter } from "../dns-message";
import { CLASS_IN, lengthOf, TOP_BIT, TYPE } from "../dns-message";
import { HOST_TTL, LEGACY_TTL, SERVICE_TTL } from "../limits";
import { LOCAL, MODBUS, SERVICE, SERVICES } from "./names";

/** Record kinds, as bits. */
export const RECORD = Object.freeze({ address: 1, service: 2, location: 4, text: 8, kinds: 16 } as const, true);
export const ALL_RECORDS = 31;
/** Those of Modbus TCP are so many bits above the same of HTTP. */
export const MODBUS_BITS = 4;
export const MODBUS_RECORDS = (ALL_RECORDS & ~RECORD.address) << MODBUS_BITS;

export type Section = 0 | 1 | 2;

/** What a message is for: determines TTL and cache flush. */
export interface Purpose {
  /** Maximum TTL, seconds: LEGACY_TTL for legacy queries, 0 for a goodbye. */
  readonly maxTtl: number;
  /** Set the cache-flush bit: only once the name has been claimed, and not in answers to legacy queries. */
  readonly flush: boolean;
}

export const TO_ALL: Purpose = Object.freeze({ maxTtl: SERVICE_TTL, flush: true }, true);
export const TO_LEGACY: Purpose = Object.freeze({ maxTtl: LEGACY_TTL, flush: false }, true);
export const PROBE: Purpose = Object.freeze({ maxTtl: SERVICE_TTL, flush: false }, true);
export const GOODBYE: Purpose = Object.freeze({ maxTtl: 0, flush: true }, true);

export interface Advertised {
  /** Without `.local`. */
  readonly hostname: string;
  readonly ip: string;
  /** Port of the web server, and of Modbus TCP if its records are to be written. */
  readonly port: number;
  readonly modbusPort?: number;
}

const IPV4_BYTES = 4;
/** Priority, weight and port of an SRV record. */
const SRV_BYTES = 6;

/** Writes `records` into a section of the message. */
export function writeRecords(
  writer: MessageWriter,
  section: Section,
  records: number,
  { hostname, ip, port, modbusPort = 0 }: Advertised,
  { maxTtl, flush }: Purpose,
): void {
  const unique = CLASS_IN | (flush ? TOP_BIT : 0);
  const hostTtl = Math.min(HOST_TTL, maxTtl);
  const serviceTtl = Math.min(SERVICE_TTL, maxTtl);
  for (let bits = 0; bits <= MODBUS_BITS; bits += MODBUS_BITS) {
    const wanted = records >> bits;
    const service = bits ? MODBUS : SERVICE;
    if (wanted & RECORD.kinds) {
      writer.count(section);
      writer.name(SERVICES);
      writer.record(TYPE.PTR, CLASS_IN, serviceTtl, lengthOf(service));
      writer.name(service);
    }
    if (wanted & RECORD.service) {
      writer.count(section);
      writer.name(service);
      writer.record(TYPE.PTR, CLASS_IN, serviceTtl, lengthOf(service, hostname));
      writer.name(service, hostname);
    }
    if (wanted & RECORD.location) {
      writer.count(section);
      writer.name(service, hostname);
      writer.record(TYPE.SRV, unique, hostTtl, SRV_BYTES + lengthOf(LOCAL, hostname));
      writer.word(0);
      writer.word(0);
      writer.word(bits ? modbusPort : port);
      writer.name(LOCAL, hostname);
    }
    if (wanted & RECORD.text) {
      writer.count(section);
      // RFC 6763 section 6.1: a single empty string.
      writer.name(service, hostname);
      writer.record(TYPE.TXT, unique, serviceTtl, 1);
      writer.bytes(EMPTY_TEXT);
    }
  }
  if (records & RECORD.address) {
    writer.count(section);
    writer.name(LOCAL, hostname);
    writer.record(TYPE.A, unique, hostTtl, IPV4_BYTES);
    writer.address(ip);
  }
}

const EMPTY_TEXT = new Uint8Array(1);

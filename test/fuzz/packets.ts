/** SNMP packets: requests of every kind, with names and values of every kind, and damaged ones. */
import * as snmp from "../support/peers/snmp";
import { damaged, text } from "./nasty";
import type { Random } from "./random";

const PDUS = [
  snmp.GET,
  snmp.GET,
  snmp.GET_NEXT,
  snmp.GET_NEXT,
  snmp.GET_BULK,
  snmp.GET_BULK,
  snmp.SET,
  snmp.TRAP,
  0xa4,
];
const NAMES = [
  "1.3.6.1.2.1.1.1.0",
  "1.3.6.1.2.1.1.9.1.2.1",
  "1.3.6.1.2.1.33.1.2.4.0",
  "1.3.6.1.4.1",
  "1.3",
  "0.0",
  "2.999",
];
const NUMBERS = [-1, 0, 1, 10, 64, 65, 255, 65_535, 0x7fffffff, -0x80000000];

const name = (random: Random): string => {
  const more = Array.from({ length: random.once(20) ? 130 : random.below(4) }, () =>
    random.of([0, 1, 127, 128, 2 ** 31]),
  );
  return [random.of(NAMES), ...more].join(".");
};

const value = (random: Random): snmp.Bytes =>
  random.of([
    snmp.NOTHING,
    snmp.integer(random.of(NUMBERS)),
    snmp.text(text(random)),
    snmp.oid(name(random)),
    snmp.tlv(0x40, [192, 0, 2, random.below(256)]),
  ]);

export interface Packet {
  readonly bytes: Uint8Array;
  /** Encoded as it should be, whatever it asks: an error's response repeats what is in it. */
  readonly wellFormed: boolean;
}

export function snmpPacket(random: Random, community: string): Packet {
  if (random.once(20)) return { bytes: random.bytes(random.below(1_600)), wellFormed: false };
  const count = random.once(20) ? random.below(80) : random.below(4);
  const list = Array.from({ length: count }, () => snmp.varbind(name(random), value(random))).flat();
  const packet = snmp.request([], {
    version: random.once(10) ? random.of(NUMBERS) : random.below(2),
    community: random.once(5) ? text(random) : community,
    pdu: random.of(PDUS),
    id: random.of(NUMBERS),
    first: random.of(NUMBERS),
    second: random.of(NUMBERS),
    list,
  });
  const wellFormed = random.once(2);
  return { bytes: wellFormed ? packet : damaged(random, Buffer.from(packet)), wellFormed };
}

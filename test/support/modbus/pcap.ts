/** A capture file (pcap, version 2.4) of a TCP connection whose bytes are known: headers are made up, so nobody needs to be allowed to capture. */
import { writeFileSync } from "node:fs";

export interface Sent {
  readonly byDevice: boolean;
  readonly bytes: Uint8Array;
}

/** The standard port of Modbus TCP, by which dissectors know it. */
const DEVICE = { address: [192, 0, 2, 20], port: 502 };
const CLIENT = { address: [192, 0, 2, 7], port: 49_152 };

/** The link type whose packets begin with the IP header. */
const LINK = 101;
const IP_BYTES = 20;
const TCP_BYTES = 20;
const SYN = 0x02;
const PUSH = 0x18;
const ACK = 0x10;

const words = (...all: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * all.length);
  all.forEach((word, index) => bytes.writeUInt16BE(word & 0xffff, 2 * index));
  return bytes;
};
const longs = (...all: readonly number[]): Buffer => Buffer.concat(all.map((long) => words(long >>> 16, long)));

function packet(
  byDevice: boolean,
  flags: number,
  sequence: number,
  acknowledged: number,
  data: Uint8Array = Buffer.alloc(0),
): Buffer {
  const [from, to] = byDevice ? [DEVICE, CLIENT] : [CLIENT, DEVICE];
  const ip = Buffer.concat([
    words(0x4500, IP_BYTES + TCP_BYTES + data.length, 0, 0x4000, 0x4006, 0),
    Buffer.from([...from.address, ...to.address]),
  ]);
  const tcp = Buffer.concat([
    words(from.port, to.port),
    longs(sequence, acknowledged),
    words(0x5000 | flags, 5_744, 0, 0),
  ]);
  return Buffer.concat([ip, tcp, data]);
}

/** Writes the connection, from its beginning, to `file`. */
export function writeCapture(file: string, sent: readonly Sent[]): void {
  // Next sequence numbers: of the client, of the device.
  const next: [number, number] = [1_000, 5_000];
  const packets: Buffer[] = [];
  const add = (byDevice: boolean, flags: number, data?: Uint8Array): void => {
    const own = byDevice ? 1 : 0;
    packets.push(packet(byDevice, flags, next[own], flags === SYN ? 0 : (next[1 - own] as number), data));
    next[own] += data?.length ?? (flags & SYN ? 1 : 0);
  };
  add(false, SYN);
  add(true, SYN | ACK);
  add(false, ACK);
  for (const { byDevice, bytes } of sent) add(byDevice, PUSH, bytes);
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(0xffff, 16);
  head.writeUInt32LE(LINK, 20);
  const records = packets.map((bytes, index) => {
    const record = Buffer.alloc(16);
    // A millisecond after the other.
    record.writeUInt32LE(Math.floor(index / 1_000), 0);
    record.writeUInt32LE((index % 1_000) * 1_000, 4);
    record.writeUInt32LE(bytes.length, 8);
    record.writeUInt32LE(bytes.length, 12);
    return Buffer.concat([record, bytes]);
  });
  writeFileSync(file, Buffer.concat([head, ...records]));
}

/** Power cuts while records are appended: what is read back afterwards. */
import { strict as assert } from "node:assert";
import { NorFlash } from "../../host-sim/nor-flash";
import { Cursor } from "../../modules/flash-log/cursor";
import { PAYLOAD, RECORD_OVERHEAD } from "../../modules/flash-log/layout";
import { Ring } from "../../modules/flash-log/ring";
import type { RingOptions } from "../../modules/flash-log/types";
import { Random } from "../fuzz/random";

/** Sizes of a payload such that the records have 16, 22, 32, 64 and 80 bytes. */
export const PAYLOADS = [16, 22, 32, 64, 80].map((bytes) => bytes - RECORD_OVERHEAD);

export type Shape = Omit<RingOptions, "flash">;

const payloads = new Map<number, Uint8Array>();

/** The payload of the record with this number: no two are alike. */
export function payloadOf(number: number, length: number): Uint8Array {
  let bytes = payloads.get(number * 256 + length);
  if (bytes) return bytes;
  const random = new Random(number + 1);
  bytes = Uint8Array.from({ length }, () => random.below(256));
  new DataView(bytes.buffer).setUint32(0, number);
  payloads.set(number * 256 + length, bytes);
  return bytes;
}

export function recordOf(number: number, payload: number): Uint8Array {
  const record = new Uint8Array(payload + RECORD_OVERHEAD);
  record.set(payloadOf(number, payload), PAYLOAD);
  return record;
}

/** Numbers and times of all records. */
export function readAll(ring: Ring): { number: number; time: number | undefined }[] {
  const cursor = new Cursor(ring);
  const read: { number: number; time: number | undefined }[] = [];
  const payload = ring.recordBytes - RECORD_OVERHEAD;
  while (cursor.next()) {
    const view = new DataView(cursor.record.buffer);
    const number = view.getUint32(PAYLOAD);
    const expected = payloadOf(number, payload);
    const isSame = Buffer.compare(expected, cursor.record.subarray(PAYLOAD, PAYLOAD + payload)) === 0;
    assert.ok(isSame, `record ${number} was invented`);
    read.push({ number, time: cursor.time });
  }
  return read;
}

export const timeOf = (number: number): number => 1_800_000_000 + 600 * number;

/** After a power cut while record `cut` was appended: all that a ring of this shape must hold is read, and it goes on. */
function checkAfterCut(flash: NorFlash, shape: Shape, cut: number): void {
  const ring = new Ring({ flash, ...shape });
  const read = readAll(ring);
  const newest = read.at(-1)?.number ?? -1;
  assert.ok(newest === cut - 1 || newest === cut, `record ${cut} was cut, ${newest} is the newest`);
  for (const [index, { number, time }] of read.entries()) {
    assert.equal(number, newest - read.length + 1 + index, "one is missing or there twice");
    assert.ok(time === timeOf(number) || number === cut, `time ${time} of record ${number}`);
  }
  // One sector is erased ahead, and each cut costs a place at most.
  const least = Math.min(newest + 1, (shape.sectors - 2) * ring.perSector - 1);
  assert.ok(read.length >= least, `${read.length} records of at least ${least}`);
  assert.ok(ring.append(recordOf(newest + 1, shape.payload), timeOf(newest + 1)));
  assert.equal(readAll(ring).at(-1)?.number, newest + 1);
}

/** Cuts the power at byte `power` of appending record `number`, in a copy of `flash`. False: it was complete before. */
function cutAt(flash: NorFlash, shape: Shape, number: number, power: number): boolean {
  const copy = flash.clone();
  const ring = new Ring({ flash: copy, ...shape });
  copy.power = power;
  ring.append(recordOf(number, shape.payload), timeOf(number));
  if (!copy.off) return false;
  copy.power = Infinity;
  checkAfterCut(copy, shape, number);
  return true;
}

/**
 * Appends `turns` times what a ring of three sectors holds, and cuts the power at every byte of those records that `isCut` chooses. Every other sector is
 * erased ahead, the others when the record is appended. Returns the number of cuts.
 */
export function cutThrough(payload: number, turns: number, isCut: (place: number) => boolean): number {
  const random = new Random(payload);
  const shape = { first: 1, sectors: 3, payload, kind: 1 };
  const flash = new NorFlash(5, () => random.below(256) / 256);
  const ring = new Ring({ flash, ...shape });
  let cuts = 0;
  for (let number = 0; number < 3 * turns * ring.perSector; number++) {
    const isChosen = isCut(number % ring.perSector);
    for (let power = 0; isChosen && cutAt(flash, shape, number, power); power++) cuts++;
    assert.ok(ring.append(recordOf(number, payload), timeOf(number)));
    while (Math.floor(number / ring.perSector) % 2 && ring.isUnprepared) ring.prepare();
  }
  assert.deepEqual([flash.wear[0], flash.wear[4]], [0, 0], "sectors of others were erased");
  assert.ok(
    flash.bytes.subarray(0, 4096).every((byte) => byte === 0xff) &&
      flash.bytes.subarray(4 * 4096).every((byte) => byte === 0xff),
  );
  return cuts;
}

/** Cuts the power `count` times while a ring of 14 sectors is filled and goes round, each time with what the cut before has left. */
export function cutAtRandom(count: number, seed: number): void {
  const random = new Random(seed);
  const shape = { first: 0, sectors: 14, payload: PAYLOADS[1]!, kind: 1 };
  const flash = new NorFlash(14, () => random.below(256) / 256);
  let number = 0;
  for (let cuts = 0; cuts < count; cuts++) {
    const ring = new Ring({ flash, ...shape });
    const read = readAll(ring);
    const newest = read.at(-1)?.number ?? -1;
    assert.ok(newest === number - 1 || newest === number, `${newest} is the newest, ${number} was cut`);
    for (const [index, one] of read.entries()) assert.equal(one.number, newest - read.length + 1 + index);
    // Each cut costs a place at most.
    const least = Math.min(newest + 1, 12 * ring.perSector - cuts);
    assert.ok(read.length >= least, `${read.length} records of at least ${least}`);
    number = newest + 1;
    flash.power = random.below(random.below(4) ? 200 : 5_000);
    while (!flash.off) {
      if (random.below(2) && ring.isUnprepared) ring.prepare();
      else if (ring.append(recordOf(number, shape.payload), timeOf(number))) number++;
    }
    flash.power = Infinity;
  }
}

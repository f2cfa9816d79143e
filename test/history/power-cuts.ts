/** Power cuts while records go into all rings of the partition at full size: what is read back afterwards. */
import { strict as assert } from "node:assert";
import { NorFlash } from "../../host-sim/nor-flash";
import { Cursor } from "../../modules/flash-log/cursor";
import { PAYLOAD } from "../../modules/flash-log/layout";
import { SECTOR_BYTES } from "../../modules/flash-log/limits";
import { FIRST_SECTOR, RINGS, SECTORS } from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { Random } from "../fuzz/random";

const START = 1_800_000_000;
/** How often a ring gets a record, roughly as on the device: fine and hours most. */
const TURNS = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 4];

/** All bytes are compared after every so many cuts, numbers and times after each. */
const THOROUGH = 20;

/** A record whose bytes follow from ring and number. */
function recordOf(ring: number, number: number): Uint8Array {
  const record = new Uint8Array(RINGS[ring]!.record);
  const random = new Random(1 + 5 * number + ring);
  for (let at = PAYLOAD; at < record.length - 1; at++) record[at] = random.below(256);
  new DataView(record.buffer).setUint32(PAYLOAD, number);
  return record;
}

/** Numbers of the records of a ring, each of which is as it was written. */
function numbersOf(store: RecordStore, ring: number, isThorough: boolean): number[] {
  const cursor = new Cursor(store.rings[ring]!);
  const numbers: number[] = [];
  while (cursor.next()) {
    const number = new DataView(cursor.record.buffer).getUint32(PAYLOAD);
    const isSame =
      !isThorough ||
      Buffer.compare(recordOf(ring, number).subarray(PAYLOAD, -1), cursor.record.subarray(PAYLOAD, -1)) === 0;
    assert.ok(isSame, `record ${number} of ring ${ring} was invented`);
    assert.ok(cursor.time === START + number || cursor.time === undefined, `time ${cursor.time} of record ${number}`);
    numbers.push(number);
  }
  return numbers;
}

/**
 * Cuts the power `count` times while records are written, each time with what the cuts before have left.
 * @returns the records written
 */
export function cutPower(count: number, seed: number): number {
  const random = new Random(seed);
  const flash = new NorFlash(FIRST_SECTOR + SECTORS, () => random.below(256) / 256);
  const others = Uint8Array.from({ length: FIRST_SECTOR * SECTOR_BYTES }, () => random.below(256));
  flash.bytes.set(others);
  /** By ring: the next number, and the numbers of records that were cut, each of which may have cost a place. */
  const next = RINGS.map(() => 0);
  const lost: number[][] = RINGS.map(() => []);
  let cut = -1;
  let written = 0;
  for (let cuts = 0; cuts < count; cuts++) {
    const store = new RecordStore(flash);
    RINGS.forEach(({ sectors }, ring) => {
      const numbers = numbersOf(store, ring, cuts % THOROUGH === 0);
      const newest = numbers.at(-1) ?? -1;
      const expected = next[ring]! - 1;
      // Of the record that was being written, nothing or all is there.
      assert.ok(
        newest === expected || (ring === cut && newest === expected + 1),
        `${newest} is the newest of ring ${ring}`,
      );
      for (const [index, number] of numbers.entries()) assert.equal(number, newest - numbers.length + 1 + index);
      const { perSector } = store.rings[ring]!;
      lost[ring] = lost[ring]!.filter((number) => number > newest - sectors * perSector);
      const least = Math.min(newest + 1, (sectors - 2) * perSector - lost[ring].length);
      assert.ok(numbers.length >= least, `${numbers.length} records of ring ${ring}, at least ${least}`);
      next[ring] = newest + 1;
    });
    // Every other time within the erase of a sector, or beside it.
    const inErase = random.below(2) === 0;
    if (inErase) while (store.work());
    else flash.power = random.below(random.below(4) ? 500 : 20_000);
    while (!flash.off) {
      if (inErase && store.rings.some((ring) => ring.isUnprepared)) {
        flash.power = random.below(4);
        store.work();
      } else if (random.below(3) === 0) store.work();
      else {
        cut = TURNS[random.below(TURNS.length)]!;
        const number = next[cut]!;
        store.append(cut, recordOf(cut, number), START + number, 0);
        if (flash.off) {
          lost[cut]!.push(number);
          break;
        }
        next[cut] = number + 1;
        written++;
        cut = -1;
      }
    }
    flash.power = Infinity;
  }
  assert.ok(Buffer.compare(flash.bytes.subarray(0, others.length), others) === 0, "sectors of store.c were touched");
  return written;
}

import { beforeEach, describe, expect, it } from "vitest";
import { NorFlash, PowerCut, SECTOR_BYTES } from "../../host-sim/nor-flash";
import { Back } from "../../modules/flash-log/back";
import { Cursor } from "../../modules/flash-log/cursor";
import { DEAD, HEADER_BYTES, PAYLOAD, RECORD_OVERHEAD } from "../../modules/flash-log/layout";
import { MAX_PAYLOAD, MAX_SECTORS, MAX_TIME, MIN_SECTORS } from "../../modules/flash-log/limits";
import { Ring } from "../../modules/flash-log/ring";
import { Random } from "../fuzz/random";
import { readAll, recordOf, timeOf } from "./power-cut";

/** 63 records a sector. */
const SIZE = 58;
const PER_SECTOR = 63;
const SHAPE = { first: 2, sectors: 4, payload: SIZE, kind: 7 };
const START = SHAPE.first * SECTOR_BYTES;

let flash: NorFlash;
let ring: Ring;

const open = (): Ring => (ring = new Ring({ flash, ...SHAPE }));
beforeEach(() => {
  const random = new Random(1);
  flash = new NorFlash(8, () => random.below(256) / 256);
  open();
});

let next = 0;
beforeEach(() => void (next = 0));
const append = (count = 1, time: (number: number) => number | undefined = timeOf): void => {
  for (; count > 0; count--, next++) expect(ring.append(recordOf(next, SIZE), time(next))).toBe(true);
};
const prepare = (): number => {
  let steps = 0;
  for (; ring.isUnprepared; steps++) ring.prepare();
  return steps;
};
const numbers = (from: Ring = ring): number[] => readAll(from).map(({ number }) => number);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

describe("a ring", () => {
  it("is empty at first, and keeps what is appended, in order", () => {
    expect(numbers()).toEqual([]);
    append(3);
    expect(readAll(ring)).toEqual(range(0, 3).map((number) => ({ number, time: timeOf(number) })));
    expect(readAll(open())).toHaveLength(3);
  });

  it.each([1, PER_SECTOR - 1, PER_SECTOR, PER_SECTOR + 1, 2 * PER_SECTOR, 3 * PER_SECTOR])(
    "of %i records goes on after a restart where it ended",
    (count) => {
      append(count);
      open();
      append(1);
      expect(numbers()).toEqual(range(0, count + 1));
    },
  );

  it("drops the oldest sector, never more, and erases all sectors evenly", () => {
    append(40 * PER_SECTOR);
    prepare();
    expect(numbers()).toEqual(range(37 * PER_SECTOR, 40 * PER_SECTOR));
    const wear = flash.wear.slice(SHAPE.first, SHAPE.first + SHAPE.sectors);
    expect(Math.max(...wear) - Math.min(...wear)).toBeLessThanOrEqual(1);
    expect(flash.wear.filter((_, sector) => sector < 2 || sector > 5)).toEqual([0, 0, 0, 0]);
  });

  it("that is prepared appends without an erase", () => {
    append(4 * PER_SECTOR);
    prepare();
    flash.eraseBlock = () => expect.unreachable("erased");
    append(PER_SECTOR);
  });

  it("is prepared in steps: an erase, then a look at 256 bytes each", () => {
    append(4 * PER_SECTOR);
    prepare();
    append(PER_SECTOR);
    const reads: number[] = [];
    const read = flash.read.bind(flash);
    flash.read = (buffer, at) => (reads.push(buffer.length), read(buffer, at));
    ring.prepare();
    for (const wear = [...flash.wear]; ring.isUnprepared; expect(flash.wear).toEqual(wear)) {
      reads.length = 0;
      ring.prepare();
      expect(reads).toEqual([256]);
    }
  });

  it("finds its end by reading the headers and bisecting one sector", () => {
    append(3 * PER_SECTOR + 20);
    let bytes = 0;
    const read = flash.read.bind(flash);
    flash.read = (buffer, at) => ((bytes += buffer.length), read(buffer, at));
    open();
    expect(bytes).toBeLessThanOrEqual(4 * HEADER_BYTES + 7 * (SIZE + RECORD_OVERHEAD));
  });

  it("takes no other ring's records for its own", () => {
    append(5);
    for (const other of [{ kind: 8 }, { payload: SIZE + 1 }])
      expect(numbers(new Ring({ flash, ...SHAPE, ...other }))).toEqual([]);
  });

  it("takes nothing for a record that was written by somebody else", () => {
    const random = new Random(3);
    for (let turn = 0; turn < 50; turn++) {
      flash.bytes.forEach((_, at) => (flash.bytes[at] = random.below(256)));
      expect(numbers(open())).toEqual([]);
    }
    next = 0;
    append(1);
    expect(numbers()).toEqual([0]);
  });

  it("passes over a record of which a bit has changed", () => {
    append(4);
    for (const at of [PAYLOAD, PAYLOAD + SIZE - 1, PAYLOAD + SIZE]) {
      const byte = START + HEADER_BYTES + (SIZE + RECORD_OVERHEAD) + at;
      flash.bytes[byte]! ^= 4;
      expect(numbers()).toEqual([0, 2, 3]);
      flash.bytes[byte]! ^= 4;
    }
    expect(numbers()).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ["sectors", MIN_SECTORS - 1],
    ["sectors", MAX_SECTORS + 1],
    ["payload", 0],
    ["payload", MAX_PAYLOAD + 1],
    ["kind", -1],
    ["kind", 256],
  ])("of %s %i is refused", (name, value) => {
    flash = new NorFlash(40);
    expect(() => new Ring({ flash, ...SHAPE, [name]: value })).toThrow(RangeError);
  });

  it.each([
    { sectors: MIN_SECTORS },
    { sectors: MAX_SECTORS },
    { payload: 1 },
    { payload: MAX_PAYLOAD },
    { kind: 0 },
    { kind: 255 },
  ])("at the limits works: %j", (limit) => {
    flash = new NorFlash(SHAPE.first + MAX_SECTORS);
    const one = new Ring({ flash, ...SHAPE, ...limit });
    const record = new Uint8Array(one.recordBytes).fill(0xff);
    const count = (one.sectors + 1) * one.perSector;
    for (let turn = 0; turn < count; turn++) expect(one.append(record, turn)).toBe(true);
    const cursor = new Cursor(new Ring({ flash, ...SHAPE, ...limit }));
    let read = 0;
    while (cursor.next()) read++;
    expect(read).toBeGreaterThanOrEqual((one.sectors - 2) * one.perSector + 1);
    expect(cursor.time).toBe(count - 1);
  });
});

describe("a time", () => {
  it("is unknown until it is added, once", () => {
    append(3, () => undefined);
    append(1);
    const cursor = new Cursor(ring);
    cursor.next();
    expect([cursor.time, cursor.stamp(5)]).toEqual([undefined, true]);
    expect(cursor.stamp(6)).toBe(false);
    expect(readAll(open()).map(({ time }) => time)).toEqual([5, undefined, undefined, timeOf(3)]);
  });

  it("that was cut short stays unknown", () => {
    for (let power = 0; power < 5; power++) {
      append(1, () => undefined);
      const copy = flash.clone();
      const cut = new Ring({ flash: copy, ...SHAPE });
      const cursor = new Cursor(cut);
      while (cursor.next() && cursor.time !== undefined);
      copy.power = power;
      expect(cursor.stamp(0x1234_5678)).toBe(false);
      copy.power = Infinity;
      expect(readAll(cut).filter(({ time }) => time !== undefined)).toEqual([]);
    }
  });

  it.each([-1, MAX_TIME + 1, 0.5])("%d is refused, and nothing is written", (time) => {
    expect(() => ring.append(recordOf(0, SIZE), time)).toThrow(RangeError);
    expect(numbers()).toEqual([]);
  });

  it("of the greatest number of seconds is kept", () => {
    append(1, () => MAX_TIME);
    expect(readAll(open())).toEqual([{ number: 0, time: MAX_TIME }]);
  });
});

describe("a cursor", () => {
  it("reads what is appended after it has come to the end", () => {
    const cursor = new Cursor(ring);
    for (let turn = 0; turn < 3 * PER_SECTOR; turn++) {
      append(1);
      expect([cursor.next(), cursor.next()]).toEqual([true, false]);
    }
  });

  it("passes over what was erased meanwhile, and reads nothing twice", () => {
    append(3 * PER_SECTOR);
    const cursor = new Cursor(ring);
    const read: number[] = [];
    for (let turn = 0; cursor.next(); turn++) {
      read.push(new DataView(cursor.record.buffer).getUint32(PAYLOAD));
      if (turn < 100) append(5);
    }
    expect(read).toEqual([...new Set(read)].sort((a, b) => a - b));
    expect(read.at(-1)).toBe(next - 1);
    expect(read.length).toBeGreaterThan(2 * PER_SECTOR);
  });
});

describe("from the newest record back", () => {
  /** The numbers, as far as they have a time. */
  function readBack(): number[] {
    const back = new Back(ring);
    const read: number[] = [];
    while (back.next()) {
      const number = new DataView(back.record.buffer).getUint32(PAYLOAD);
      expect(back.time).toBe(timeOf(number));
      read.push(number);
    }
    return read;
  }

  it.each([0, 1, PER_SECTOR, PER_SECTOR + 1, 40 * PER_SECTOR + 5])(
    "all of %i are read, but for those without a time",
    (count) => {
      append(count);
      const all = numbers();
      append(2, () => undefined);
      expect(readBack()).toEqual(all.reverse());
    },
  );

  it("what is taken out is no record any more, over a restart, and the ring goes on", () => {
    append(PER_SECTOR + 3);
    const back = new Back(ring);
    for (let count = 0; count < 5; count++) {
      back.next();
      if (count !== 1) back.takeOut();
    }
    const left = [...range(0, PER_SECTOR - 2), PER_SECTOR + 1];
    expect([numbers(), readBack()]).toEqual([left, left.toReversed()]);
    open();
    append(1);
    expect(numbers()).toEqual([...left, PER_SECTOR + 3]);
    expect(ring.stamp(ring.head, 0, 77)).toBe(false);
  });

  it("flash that does not take it is counted", () => {
    append(1);
    const back = new Back(ring);
    back.next();
    flash.write = () => {
      throw new Error("ESP_FAIL");
    };
    back.takeOut();
    expect([ring.failures, numbers()]).toEqual([1, [0]]);
  });
});

describe("flash that fails:", () => {
  it("a sector that cannot be erased is passed over and counted", () => {
    append(2 * PER_SECTOR);
    flash.worn.add(SHAPE.first);
    append(5 * PER_SECTOR);
    expect(ring.failures).toBe(1);
    expect(numbers().slice(-PER_SECTOR)).toEqual(range(next - PER_SECTOR, next));
  });

  it("a sector that does not become blank is passed over", () => {
    append(2 * PER_SECTOR);
    const before = flash.wear[SHAPE.first]!;
    const erase = flash.eraseBlock.bind(flash);
    flash.eraseBlock = (first, end) => {
      erase(first, end);
      if (first === SHAPE.first) flash.bytes[START + 3000] = 0xfe;
    };
    append(5 * PER_SECTOR);
    expect(ring.failures).toBeGreaterThan(0);
    expect(flash.wear[SHAPE.first]).toBe(before + 1);
    expect(numbers().slice(-PER_SECTOR)).toEqual(range(next - PER_SECTOR, next));
  });

  it("a record that does not read back is written again elsewhere", () => {
    append(10);
    const write = flash.write.bind(flash);
    flash.write = (bytes, at) => (at >= START && at < START + SECTOR_BYTES ? undefined : write(bytes, at));
    append(10);
    expect([numbers(), ring.failures]).toEqual([range(0, 20), 1]);
  });

  it("with no sector left, nothing can be stored, and it ends", () => {
    flash.eraseBlock = flash.write = () => {
      throw new Error("ESP_FAIL");
    };
    expect(ring.append(recordOf(0, SIZE), 1)).toBe(false);
    expect(ring.isUnprepared).toBe(false);
    expect(ring.discard()).toBe(true);
    expect(ring.sweep()).toBe(false);
  });

  it("a sector that cannot be read holds no records, the others do", () => {
    append(3 * PER_SECTOR);
    const read = flash.read.bind(flash);
    flash.read = (buffer, at) => {
      if (at >= START && at < START + SECTOR_BYTES) throw new Error("ESP_FAIL");
      return read(buffer, at);
    };
    expect(numbers(open())).toEqual(range(PER_SECTOR, 3 * PER_SECTOR));
  });

  it("a sector is marked before it is erased: an erase that was cut leaves no records", () => {
    append(4 * PER_SECTOR);
    const erased: number[] = [];
    flash.eraseBlock = (first) => void erased.push(flash.bytes[first * SECTOR_BYTES + DEAD]!);
    ring.prepare();
    expect(erased).toEqual([0]);
  });
});

describe("a sector that looks blank", () => {
  it("after an erase that was cut is erased again before it is used", () => {
    append(PER_SECTOR);
    flash.eraseBlock = (sector) => {
      flash.bytes.fill(0xff, sector * SECTOR_BYTES, (sector + 1) * SECTOR_BYTES);
      throw new PowerCut();
    };
    ring.prepare();
    delete (flash as Partial<NorFlash>).eraseBlock;
    open();
    const before = flash.wear[SHAPE.first + 1]!;
    append(1);
    expect(flash.wear[SHAPE.first + 1]).toBe(before + 1);
  });

  it("and was erased and looked at whole is only looked at after a restart", () => {
    append(PER_SECTOR);
    prepare();
    open();
    flash.eraseBlock = () => expect.unreachable("erased");
    expect(prepare()).toBe(1 + SECTOR_BYTES / 256);
    append(1);
    expect(numbers()).toEqual(range(0, PER_SECTOR + 1));
  });
});

it("a sector that was cut while its header was written gets it once more", () => {
  append(PER_SECTOR + 1);
  const header = START + SECTOR_BYTES;
  flash.bytes.fill(0xff, header + HEADER_BYTES, header + SECTOR_BYTES);
  const written: number[] = [];
  const write = flash.write.bind(flash);
  flash.write = (bytes, at) => (written.push(at), write(bytes, at));
  open();
  expect(written).toEqual([header, header + 9]);
  expect(numbers()).toEqual(range(0, PER_SECTOR));
});

describe("a factory reset", () => {
  /** Erases what is dead. Returns the number of steps. */
  function sweep(swept = ring): number {
    let steps = 0;
    while (swept.sweep()) steps++;
    return steps;
  }

  it("forgets all records at once, without an erase, and erases sector after sector later", () => {
    append(4 * PER_SECTOR);
    const wear = flash.wear.join();
    expect(ring.discard()).toBe(true);
    expect([numbers(), numbers(open()), flash.wear.join()]).toEqual([[], [], wear]);
    expect(sweep()).toBe(4);
    expect(flash.bytes.every((byte) => byte === 0xff)).toBe(true);
    next = 0;
    append(1);
    expect(numbers(open())).toEqual([0]);
  });

  it("goes on with what was recorded since, which it leaves alone", () => {
    append(4 * PER_SECTOR);
    ring.discard();
    next = 0;
    append(PER_SECTOR + 1);
    open();
    expect(sweep()).toBe(2);
    expect(numbers(open())).toEqual(range(0, PER_SECTOR + 1));
  });

  it("erases nothing that was never used, or is erased ahead", () => {
    append(1);
    prepare();
    const wear = flash.wear.join();
    ring.discard();
    expect(sweep()).toBe(1);
    expect(flash.wear.reduce((sum, one) => sum + one)).toBe(wear.split(",").reduce((sum, one) => sum + Number(one), 1));
  });

  it.each(range(0, 12))("that loses its power after %i bytes or erases goes on, or never began", (power) => {
    append(4 * PER_SECTOR);
    flash.power = power;
    ring.discard();
    while (!flash.off && ring.sweep());
    expect(flash.off).toBe(true);
    flash.power = Infinity;
    const left = new Set(numbers(open()).map((number) => Math.floor(number / PER_SECTOR)));
    for (const sector of left)
      expect(numbers().filter((at) => Math.floor(at / PER_SECTOR) === sector)).toHaveLength(PER_SECTOR);
    ring.discard();
    open();
    sweep();
    expect(numbers(open())).toEqual([]);
    expect(flash.bytes.every((byte) => byte === 0xff)).toBe(true);
  });

  it("says that a sector cannot be marked, and tries an erase that fails once", () => {
    append(4 * PER_SECTOR);
    ring.discard();
    flash.worn.add(SHAPE.first);
    open();
    expect(sweep()).toBe(4);
    expect(ring.failures).toBe(1);
    flash.write = () => {
      throw new Error("ESP_FAIL");
    };
    expect(ring.discard()).toBe(false);
  });
});

describe("a ring of many sectors", () => {
  const MANY = 100;
  const SMALL = { first: 0, sectors: MANY, payload: MAX_PAYLOAD, kind: 7 };
  const IN_SECTOR = 16;
  const record = (number: number): Uint8Array => recordOf(number, MAX_PAYLOAD);
  const held = (from: Ring): number[] => {
    const found: number[] = [];
    for (const cursor = new Cursor(from); cursor.next();) found.push(cursor.time!);
    return found;
  };

  it("keeps what is appended in order, round and round, over restarts, whichever sectors fail", () => {
    const random = new Random(7);
    const many = new NorFlash(MANY, () => random.below(256) / 256);
    let log = new Ring({ flash: many, ...SMALL });
    for (let number = 1; number <= 3.5 * MANY * IN_SECTOR; number++) {
      if (number % 997 === 0) log = new Ring({ flash: many, ...SMALL });
      expect(log.append(record(number), number)).toBe(true);
      if (number % 500) continue;
      const found = held(log);
      expect(found).toEqual(range(number - found.length + 1, number + 1));
      expect(found.length).toBeGreaterThanOrEqual(Math.min(number, (MANY - 2) * IN_SECTOR));
    }
    const failing = [3, 4, 50, 98, 99];
    for (const sector of failing) many.worn.add(sector);
    const from = Math.ceil(3.5 * MANY * IN_SECTOR);
    for (let number = from; number < from + 2 * MANY * IN_SECTOR; number++)
      expect(log.append(record(number), number)).toBe(true);
    const found = held(log);
    expect(found.at(-1)).toBe(from + 2 * MANY * IN_SECTOR - 1);
    expect(found.toSorted((one, other) => one - other)).toEqual(found);
    expect(found.length).toBeGreaterThanOrEqual((MANY - failing.length - 2) * IN_SECTOR);
    expect(log.failed).toBe(failing.length);
  });

  it("is read without looking at every sector after each of them", () => {
    const many = new NorFlash(MANY);
    const log = new Ring({ flash: many, ...SMALL });
    for (let number = 1; number <= MANY * IN_SECTOR; number++) log.append(record(number), number);
    let reads = 0;
    const read = many.read.bind(many);
    many.read = (buffer, at) => {
      reads++;
      return read(buffer, at);
    };
    const { length } = held(log);
    expect(length).toBeGreaterThan(90 * IN_SECTOR);
    expect(reads - length).toBeLessThan(5 * MANY);
  });
});

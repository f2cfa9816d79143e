import { Cursor } from "flash-log/cursor";
import { PAYLOAD } from "flash-log/layout";
import { Page } from "flash-log/page";
import { Ring } from "flash-log/ring";
import { beforeEach, expect, it } from "vitest";
import { NorFlash } from "../../host-sim/nor-flash";
import { Random } from "../fuzz/random";

const SIZE = 200;
let ring: Ring;
let flash: NorFlash;
const open = (): Ring => (ring = new Ring({ flash, first: 1, sectors: 5, payload: SIZE, kind: 1 }));
beforeEach(() => {
  flash = new NorFlash(6);
  open();
});

function append(time: number | undefined, first = 1): void {
  const record = new Uint8Array(ring.recordBytes);
  record[PAYLOAD] = first;
  ring.append(record, time);
}

interface Asked {
  readonly from?: number;
  readonly to?: number;
  readonly size?: number;
  readonly first?: number;
}
function ask({ from = 0, to = 1e9, size = 10, first }: Asked): {
  times: (number | undefined)[];
  next: number | undefined;
} {
  const page = new Page({ ring, from, to, size, first });
  while (page.scan(7));
  const record = new Uint8Array(ring.recordBytes);
  return { times: Array.from({ length: page.count }, (_, index) => page.read(record, index)), next: page.next };
}

it("has the oldest first, over several sectors", () => {
  for (let time = 0; time < 45; time++) append(time);
  expect(ask({})).toEqual({ times: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], next: 10 });
  expect(ask({ from: 38 })).toEqual({ times: [38, 39, 40, 41, 42, 43, 44], next: undefined });
  expect(ask({ from: 3, to: 4 })).toEqual({ times: [3, 4], next: undefined });
});

it("reaches each record once although the clock went back and forward", () => {
  const written = [50, 60, 70, 10, 20, 90, 55, 5, 65, 15, 99, 1, 51, 52];
  for (const time of written) append(time);
  for (let size = 1; size < 16; size++) {
    const read: (number | undefined)[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const { times, next } = ask({ from, size });
      read.push(...times);
      from = next;
    }
    expect(read, `pages of ${size}`).toEqual([...written].sort((one, other) => one - other));
  }
});

it("splits no records of one time, unless they fill a page", () => {
  for (const time of [1, 2, 3, 3, 3, 4]) append(time);
  expect(ask({ size: 4 })).toEqual({ times: [1, 2], next: 3 });
  expect(ask({ from: 3, size: 4 })).toEqual({ times: [3, 3, 3, 4], next: undefined });
  expect(ask({ from: 3, size: 2 })).toEqual({ times: [3, 3], next: 4 });
});

it("has no records without a time, or of another first byte", () => {
  append(undefined);
  append(1, 2);
  append(2, 3);
  expect(ask({ first: 3 })).toEqual({ times: [2], next: undefined });
  expect(ask({})).toEqual({ times: [1, 2], next: undefined });
});

it("leaves out what was erased meanwhile", () => {
  append(1);
  const page = new Page({ ring, from: 0, to: 9, size: 3 });
  while (page.scan(7));
  ring.discard();
  while (ring.sweep());
  expect(page.read(new Uint8Array(ring.recordBytes), 0)).toBeUndefined();
});

it("of an empty ring is empty", () => {
  expect(ask({})).toEqual({ times: [], next: undefined });
});

it("does not look at sectors whose times are known to be others, and knows them from a first look or from writing", () => {
  // Three sectors of 19, and 13 in the newest.
  for (let time = 0; time < 70; time++) append(time);
  let reads = 0;
  const read = flash.read.bind(flash);
  flash.read = (buffer, at) => {
    reads++;
    return read(buffer, at);
  };
  const readsOf = (asked: Asked): number => {
    reads = 0;
    ask(asked);
    return reads;
  };
  const headers = readsOf({ from: 70 });
  expect(headers).toBe(2 * 4 + 1 + 5);
  // To find them, and to read them.
  expect(readsOf({ to: 18, size: 20 })).toBe(headers + 2 * 19);
  open();
  expect(readsOf({ from: 70 })).toBe(headers + 70 + 3);
  // Now the newest alone, which is still filled.
  expect(readsOf({ from: 70 })).toBe(headers + 13);
  // Of a page that is full, what is later is not looked at.
  expect(ask({ size: 19 })).toMatchObject({ next: 19 });
  expect(readsOf({ size: 19 })).toBe(headers + 2 * 19 + 13);
});

it.each([1, 2, 3, 4, 5, 6])("finds what a look at every record finds, whatever happens meanwhile, seed %i", (seed) => {
  const random = new Random(seed);
  let clock = 1_000;
  const happen = (): void => {
    const what = random.below(20);
    if (what < 12) append((clock += random.below(3)));
    else if (what === 12) clock = Math.max(0, clock + random.below(200) - 100);
    else if (what < 16) append(undefined);
    else if (what < 19) {
      // One gets its time, of another run.
      const cursor = new Cursor(ring);
      while (cursor.next()) if (cursor.time === undefined && !random.below(3)) break;
      cursor.stamp(random.below(clock + 50));
    } else open();
  };
  for (let times = 0; times < 150; times++) {
    for (let some = random.below(30); some > 0; some--) happen();
    // One that is disturbed.
    const disturbed = new Page({ ring, from: random.below(clock), to: clock, size: 7 });
    while (disturbed.scan(5)) if (!random.below(3)) happen();
    const from = random.below(clock);
    const to = from + random.below(300);
    const expected: number[] = [];
    for (const cursor = new Cursor(ring); cursor.next();)
      if (cursor.time !== undefined && cursor.time >= from && cursor.time <= to) expected.push(cursor.time);
    const read: (number | undefined)[] = [];
    for (let next: number | undefined = from; next !== undefined;) {
      const page = ask({ from: next, to, size: 8 });
      // Of one time more than a page has: the first.
      if (page.next !== undefined) expect(page.next).toBeGreaterThan(page.times.at(-1)!);
      read.push(...page.times);
      next = page.next;
    }
    const counted = new Map<number, number>();
    const most = expected
      .sort((one, other) => one - other)
      .filter((time) => {
        const count = (counted.get(time) ?? 0) + 1;
        counted.set(time, count);
        return count <= 8;
      });
    expect(read).toEqual(most);
  }
});
